"""A client whose clock is slow: what its records' own times show is known only where it has ended a transaction."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

# Both copies of the state partition are from before its client was given epoch 1; its clock is 60 s slow.
NEW = """0 state pay-1 p7e0 Empty @30000
1 state other p9e0 Empty @40000"""
BEFORE = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareAbort orders-0 @300
3 state pay-1 p7e0 CompleteAbort @320
4 state pay-1 p7e0 Empty @40000"""
FIRST = "0..1 data p7e0 s0 @{}\n2 ABORT p7e0 @310\n"
CAPTURES = {
    "nothing ended": ("0 data p7e1 s0 @-10000", NEW),
    "nothing ended, not transactional": ("0 idempotent p7e1 s0 @-10000", NEW),
    "slow before": (FIRST.format(-59_890) + "3 data p7e1 s0 @-10000", BEFORE),
    "right before": (FIRST.format(110) + "3 data p7e1 s0 @20000", BEFORE),
    "shown by a marker": ("0 data p7e1 s0 @-10000\n1 data p8e0 s0 @10000\n2 COMMIT p8e0 @20000", NEW),
}


@judged_together
def documents():
    return {
        name: taken_at("10:00:50") | dumps_of({"orders-0": log, "__transaction_state-0": states})
        for name, (log, states) in CAPTURES.items()
    }


@pytest.mark.parametrize("name", ["nothing ended", "nothing ended, not transactional", "slow before"])
def test_an_epoch_newer_than_the_state_files_is_nobodys_forgery(documents, name):
    assert [one["headline"] for one in documents[name]["findings"]] == []
    assert documents[name]["verdict"] == ("clean" if "not transactional" in name else "inconclusive")


@pytest.mark.parametrize("name", ["right before", "shown by a marker"])
def test_one_that_other_times_show_to_be_older_is(documents, name):
    assert {"PID001", "PID002"} <= {one["code"] for one in documents[name]["findings"]}
