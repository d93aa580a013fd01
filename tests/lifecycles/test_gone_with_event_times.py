"""Data of an open transaction that retention deleted, and no record of a coordinator: who says how old it is."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

HOUR = 3_600_000
LOGS = {
    "its client's clock alone": "20..21 plain @-1000",
    "a marker after it": "20 data p8e0 s0 @-7205000\n21 COMMIT p8e0 @-7200000",
    "two other producers": "20 data p8e0 s0 @-7200000\n21 data p9e0 s0 @-7200000\n22 data p8e0 s1 @-1000\n"
    "23 data p9e0 s1 @-1000",
    "a young one": "20..21 plain @-1000",
}
FOUND = {
    "its client's clock alone": ("possible", "by its client's clock alone"),
    "a marker after it": ("likely", "longer than any timeout, and nothing"),
    "two other producers": ("likely", "longer than any timeout, and nothing"),
    "a young one": ("possible", "not longer than the longest timeout"),
}


@judged_together
def documents():
    captures = {}
    for name, log in LOGS.items():
        at = START_MS - (10_000 if name == "a young one" else 3 * HOUR)
        snapshot = (
            "Dumping orders-0/00000000000000000020.snapshot\nproducerId: 7 producerEpoch: 0 coordinatorEpoch: -1 "
            f"currentTxnFirstOffset: OptionalLong[4] lastTimestamp: {at} firstSequence: 0 lastSequence: 0 "
            f"lastOffset: 4 offsetDelta: 0 timestamp: {at}\n"
        )
        captures[name] = taken_at("10:00:10", states=5) | {
            **dumps_of({"orders-0 20": log}),
            "broker-1/orders-0/00000000000000000020.snapshot.txt": snapshot,
            "broker-1/log-start-offset-checkpoint": "0\n1\norders 0 20\n",
        }
    return captures


@pytest.mark.parametrize("name", LOGS)
def test_an_age_is_told_by_more_than_its_client(documents, name):
    (finding,) = [one for one in documents[name]["findings"] if one["producer_id"] == 7]
    sure, words = FOUND[name]
    assert (finding["code"], finding["confidence"]) == ("TXN009", sure)
    assert words in str(finding["certainty"])
