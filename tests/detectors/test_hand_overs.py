"""A producer that dies leaves a commit undecided, and another one takes over: that is no conflict of two producers."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

ON = "__consumer_offsets-0"
LEFT = ("1 commit agg clicks-1=20 p7e0 @200",)
TAKEN = ("3 commit agg clicks-1=20 p8e0 @30100", "4 COMMIT p8e0 @30200")
ABORTED = ("5 ABORT p7e1 @60300",)
FIRST, REBALANCE, NO_REBALANCE = (
    "0 generation agg 1 @10",
    "2 generation agg 2 @30000",
    "2 commit other clicks-2=1 @30000",
)
STATES = (
    "0 state a p7e0 Empty - @5", "1 state b p8e0 Empty - @5", f"2 state a p7e0 Ongoing {ON} @100",
    f"3 state b p8e0 Ongoing {ON} @30050", f"4 state b p8e0 PrepareCommit {ON} @30150",
    "5 state b p8e0 CompleteCommit - @30250",
)  # fmt: skip
TIMED_OUT = (f"6 state a p7e1 PrepareAbort {ON} @60250", "7 state a p7e1 CompleteAbort - @60400")
WENT_ON = (f"6 state a p7e0 PrepareCommit {ON} @60250", "7 state a p7e0 CompleteCommit - @60400")
AGAIN = ("6 commit agg clicks-1=23 p7e1 @61000", "7 COMMIT p7e1 @61200")
HISTORIES = {
    "died": ((FIRST, *LEFT, REBALANCE, *TAKEN, *ABORTED), (*STATES, *TIMED_OUT)),
    "died, no rebalance": ((FIRST, *LEFT, NO_REBALANCE, *TAKEN, *ABORTED), (*STATES, *TIMED_OUT)),
    "still undecided": ((FIRST, *LEFT, REBALANCE, *TAKEN), STATES),
    "died, unnamed": ((FIRST, *LEFT, REBALANCE, *TAKEN, *ABORTED), ()),
    "went on": ((FIRST, *LEFT, REBALANCE, *TAKEN, "5 COMMIT p7e0 @60300"), (*STATES, *WENT_ON)),
    "went on, unnamed": ((FIRST, *LEFT, REBALANCE, *TAKEN, "5 COMMIT p7e0 @60300"), ()),
    "came again, unnamed": ((FIRST, *LEFT, NO_REBALANCE, *TAKEN, *ABORTED, *AGAIN), ()),
}


@judged_together
def told():
    captures = {}
    for name, (offsets, states) in HISTORIES.items():
        logs = {ON: offsets} | ({"__transaction_state-0": states} if states else {})
        time = "10:00:31" if name == "still undecided" else "10:10:00"
        captures[name] = taken_at(time) | dumps_of({log: "\n".join(lines) for log, lines in logs.items()})
    return captures


def conflicts(document):
    return [one for one in document["findings"] if one["code"] == "GRP001"]


@pytest.mark.parametrize("name", ["died", "died, no rebalance", "still undecided", "died, unnamed"])
def test_what_a_dead_producer_left_is_no_conflict(told, name):
    assert conflicts(told[name]) == []


def test_a_member_that_goes_on_after_a_rebalance_is_one(told):
    (one,) = conflicts(told["went on"])
    assert one["confidence"] == "certain"
    assert "a went on after a rebalance that gave clicks-1 to another member" in str(one["cause"])


def test_producer_ids_that_may_be_of_one_id_are_accused_for_certain_only_where_they_interleave(told):
    (once,), (again,) = conflicts(told["went on, unnamed"]), conflicts(told["came again, unnamed"])
    assert (once["confidence"], again["confidence"]) == ("likely", "certain")
    assert "one transactional id that was given both" in str(once)
