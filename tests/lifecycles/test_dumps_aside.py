"""Dumps of all folders of a log dir: those of partitions that are being deleted are set aside, as raw folders are."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

LOGS = {
    "orders-0": "0 data p7e0 s0 @9000\n1 COMMIT p7e0 @9500",
    "__transaction_state-0": """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @8900
2 state pay-1 p7e0 PrepareCommit orders-0 @9400
3 state pay-1 p7e0 CompleteCommit @9520""",
}
ASIDE = {
    "orders-1": "0 data p7e0 s0 @9000",
    "__transaction_state-1": "0 state pay-2 p8e0 Ongoing orders-0 @50",
}
HASH = "3b2ca4b1f1354326a3258dce8a01bdb4"
ENDS = ("delete", "stray", "future")


@judged_together
def documents():
    captures = {}
    for end in ENDS:
        gone = [text.replace("-1/0", f"-1.{HASH}-{end}/0", 1) for text in dumps_of(ASIDE).values()]
        folder = {"broker-1/aside.txt": "".join(gone)}
        captures[end] = taken_at("10:00:40") | dumps_of(LOGS) | folder
    return captures


@pytest.mark.parametrize("end", ENDS)
def test_they_are_set_aside(documents, end):
    document = documents[end]
    notes = [(one["kind"], one["file"], one["number"]) for one in document["coverage"]["notes"]]
    assert (document["verdict"], notes) == ("clean", [("set_aside", "broker-1/aside.txt", 2)])
    assert document["open_transactions"] == []
