"""A log that was copied long before the state files, which were compacted since: what they lack is not known."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

FIRST = """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing orders-0 @4000
2    state pay-1 p7e0 PrepareCommit orders-0 @4200
3    state pay-1 p7e0 CompleteCommit - @4220
4    state pay-2 p8e0 Empty @4300
"""
AFTER = "3 data p8e0 s0 @5100\n4 COMMIT p8e0 @5200"
SINCE = "40   state pay-1 p7e0 CompleteAbort - @60000\n41   state pay-2 p8e0 Empty @599000"
MOVED = """\
5    state pay-1 p7e0 Ongoing orders-0 @4990
40   state pay-1 p7e1 Ongoing orders-1 @60000
41   state pay-1 p7e1 PrepareAbort orders-1 @60100
42   state pay-1 p7e1 CompleteAbort - @60120
43   state pay-2 p8e0 Empty @599000"""


def capture(made, states, after=AFTER):
    """Data of pay-1, made then, after the COMMIT of its first transaction: the copy of orders-0 ends 5 s later."""
    log = f"0 data p7e0 s0 @4100\n1 COMMIT p7e0 @4210\n2 data p7e0 s1 @{made}\n{after}"
    return taken_at("10:10:00") | dumps_of({"orders-0": log, "__transaction_state-0": FIRST + states})


CAPTURES = {
    "begun since": capture(5000, SINCE),
    "begun since, old times": capture(150, SINCE),
    "named since": capture(5000, MOVED),
    "named since, older log": capture(5000, MOVED, ""),
}


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize("name", CAPTURES)
def test_a_transaction_whose_records_are_gone_may_have_ended(documents, name):
    assert [row["headline"] for row in documents[name]["findings"]] == []
    (row,) = documents[name]["open_transactions"]
    assert (row["first_offset"], row["verdict"]) == (2, "undecided")
