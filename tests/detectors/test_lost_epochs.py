"""An epoch that a coordinator gave, and whose record an election of its partition took: nobody forged it."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

TOML = taken_at("10:10:00")
DATA = ("0..1 data p7e0 s0 @200", "2 COMMIT p7e0 @310", "3..4 data p7e3 s0 lat @40400", "5 plain @500000")
BEFORE = ("0 state pay-1 p7e0 Empty - @50", "1 state pay-1 p7e0 Ongoing orders-0 @100",
          "2 state pay-1 p7e0 PrepareCommit orders-0 @300", "3 state pay-1 p7e0 CompleteCommit - @320")  # fmt: skip
GIVEN = ("4 state pay-1 p7e3 Empty - l1 @40000", "5 state pay-1 p7e3 Ongoing orders-0 l1 @40300")
DECIDED = (*GIVEN, "6 state pay-1 p7e3 PrepareCommit orders-0 l1 @40500")
NEXT_LEADER, SAME_LEADER = "4 state pay-1 p7e1 Empty - l2 @100000", "4 state pay-1 p7e1 Empty - @100000"
STATES, OTHER = "broker-1/__transaction_state-0", "broker-2/__transaction_state-0"
CAPTURES = {
    "both copies": {STATES: (*BEFORE, NEXT_LEADER), OTHER: (*BEFORE, *GIVEN)},
    "committed": {STATES: (*BEFORE, NEXT_LEADER), OTHER: (*BEFORE, *DECIDED)},
    "the leader's": {STATES: (*BEFORE, NEXT_LEADER)},
    "compacted": {f"{STATES} 4": (SAME_LEADER,)},
    "one leader": {STATES: (*BEFORE, SAME_LEADER)},
}


@judged_together
def told():
    return {
        name: dumps_of({log: "\n".join(lines) for log, lines in ({"orders-0": DATA} | states).items()}) | TOML
        for name, states in CAPTURES.items()
    }


def found(document):
    return {(one["code"], one["confidence"]) for one in document["findings"]}


def test_an_epoch_in_records_that_were_cut_off_was_given(told):
    document = told["both copies"]
    assert found(document) == {("LOG001", "certain"), ("TXN013", "certain")}
    (hanging,) = [one for one in document["findings"] if one["code"] == "TXN013"]
    assert "lost the records" in str(hanging["cause"])
    assert not hanging["action"]["summary"].startswith("ABORT")


def test_what_a_record_that_was_cut_off_commits_is_undecided(told):
    (held,) = told["committed"]["open_transactions"]
    assert held["verdict"] == "undecided"
    assert "says COMMIT" in held["why"]


@pytest.mark.parametrize("name", ["the leader's", "compacted"])
def test_where_a_record_may_have_been_lost_nobody_is_accused_for_certain(told, name):
    assert found(told[name]) == {("PID001", "likely"), ("PID002", "likely")}
    assert "lost the record" in str(told[name]["findings"])


def test_where_one_leader_wrote_the_whole_history_nothing_was_lost(told):
    assert found(told["one leader"]) == {("PID001", "certain"), ("PID002", "certain")}
