"""The log has COMMIT markers of which the copy of the state partition has no record: that copy is older (RULES A 15)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

MINUTE = 60_000
STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareCommit orders-0 @300
3 state pay-1 p7e0 CompleteCommit @320"""


def log(producer, marker):
    """A transaction that the records tell of, one of a minute's later of which they do not, and data of the first."""
    own = producer == "p7e0"
    return (
        f"0..1 data p7e0 s0 @110\n2 COMMIT p7e0 @310\n3 data {producer} s{2 if own else 0} @{MINUTE}\n"
        f"4 {marker} {producer} @{MINUTE + 100}\n5 data p7e0 s{3 if own else 2} @{2 * MINUTE}"
    )


LATER = "\n4 state other p9e0 Empty @600000"
CAPTURES = {
    "its own commit": (log("p7e0", "COMMIT"), STATES),
    "its own commit, others' records later": (log("p7e0", "COMMIT"), STATES + LATER),
    "a commit of another": (log("p8e0", "COMMIT"), STATES),
    "an abort": (log("p7e0", "ABORT"), STATES),
}


@judged_together
def documents():
    return {
        name: taken_at("10:20:00") | dumps_of({"orders-0": data, "__transaction_state-0": states})
        for name, (data, states) in CAPTURES.items()
    }


@pytest.mark.parametrize("name", [name for name in CAPTURES if "commit" in name])
def test_what_came_after_such_a_marker_may_have_a_record_that_is_not_here(documents, name):
    document = documents[name]
    (row,) = document["open_transactions"]
    assert (document["findings"], row["verdict"], document["verdict"]) == ([], "undecided", "inconclusive")
    assert row["why"] == "the state files end before this data of pay-1"


def test_an_administrator_may_have_written_an_abort(documents):
    assert [(one["code"], one["confidence"]) for one in documents["an abort"]["findings"]] == [("TXN013", "certain")]
