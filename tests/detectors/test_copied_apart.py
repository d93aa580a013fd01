"""State partitions of a live cluster are copied one after the other: one of them does not date the copy of another."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

OWN = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareAbort orders-0 @300
3 state pay-1 p7e0 CompleteAbort @320"""
MORE = "\n4 state other p9e0 Empty @22900"
BILL = """0 state bill p8e0 Empty @40
1 state bill p8e0 Ongoing orders-1 @20700
2 state bill p8e0 PrepareCommit orders-1 @20800"""
DONE = BILL + "\n3 state bill p8e0 CompleteCommit @20820"
LATE = "0..1 data p7e0 s0 @110\n2 ABORT p7e0 @310\n3 data p7e0 s2 @20500"
BILLED, MARKED = "0 data p8e0 s0 @20750", "\n1 COMMIT p8e0 @20810"
CAPTURES = {
    "at rest": (OWN, DONE, LATE, BILLED + MARKED),
    "beyond": (OWN + MORE, DONE, LATE, BILLED),
    "old": (OWN, DONE, LATE.replace("@20500", "@400"), BILLED),
    "apart by a marker": (OWN, DONE, LATE, BILLED),
    "apart by data": (OWN, "0 state bill p8e0 Empty @20600", LATE, BILLED),
    "no record of it": ("0 state other p9e0 Empty @50", DONE, "0 data p7e0 s0 @20500", BILLED + MARKED),
}


@judged_together
def documents():
    return {
        name: taken_at("10:01:05" if name == "old" else "10:00:30", states=2)
        | dumps_of({"__transaction_state-0": own, "__transaction_state-1": bill, "orders-0": late, "orders-1": billed})
        for name, (own, bill, late, billed) in CAPTURES.items()
    }


def _verdict(documents, name):
    return {
        row["producer_id"]: row["verdict"] for row in documents[name]["open_transactions"] if row["topic"] == "orders"
    }[7]


@pytest.mark.parametrize("name", ["beyond", "old"])
def test_a_late_write_is_one_where_the_state_partition_reaches_it(documents, name):
    assert _verdict(documents, name) == "hanging_late_write"


@pytest.mark.parametrize("name", ["at rest", "apart by a marker", "apart by data", "no record of it"])
def test_a_transaction_that_its_state_partition_is_too_old_to_show_is_not_accused(documents, name):
    document = documents[name]
    assert (_verdict(documents, name), document["findings"]) == ("undecided", [])


def test_the_words_name_the_newer_copy(documents):
    row = next(row for row in documents["apart by data"]["open_transactions"] if row["producer_id"] == 7)
    assert row["fetch"].startswith("a newer copy of __transaction_state")
