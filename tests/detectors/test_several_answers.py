"""Several answers of admin tools about one transaction: the last one counts, whether or not its row tells a time."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

MINUTE, DAY = 60_000, 86_400_000
PRODUCERS = (
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
)
DESCRIBED = (
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
)
LISTED = "TransactionalId\tCoordinator\tProducerId\tTransactionState\n"


def leader(at, begin, *, coordinator=0, epoch=0):
    """What describe-producers answers of orders-0: one producer, the time of its last batch, its open transaction."""
    row = f"7\t{epoch}\t{coordinator}\t3\t{START_MS + at}\t{begin}\n"
    return f"$ kafka-transactions.sh describe-producers --topic orders --partition 0\n{PRODUCERS}{row}"


def coordinator(state, since=None, epoch=0, begun=0):
    """What describe answers of pay-1, `since` ms after its transaction began; None if none ever did."""
    times = "None\tNone" if since is None else f"{START_MS + begun}\t{since}"
    place = "orders-0" if state in {"Ongoing", "PrepareCommit"} else ""
    row = f"1\tpay-1\t7\t{epoch}\t{state}\t60000\t{times}\t{place}\n"
    return f"$ kafka-transactions.sh describe --transactional-id pay-1\n{DESCRIBED}{row}"


def listed(state):
    return f"$ kafka-transactions.sh list\n{LISTED}pay-1\t1\t7\t{state}\n"


LATER_MARKER = f"8\t0\t0\t3\t{START_MS + 60 * MINUTE}\tNone\n"
"""A row of another producer, whose marker tells when the leader was asked."""
OVERDUE = coordinator("Ongoing", 50 * MINUTE)
PASTES = {
    "overdue": OVERDUE,
    "overdue for 5 s": coordinator("Ongoing", 65_000),
    "overdue for 15 s": coordinator("Ongoing", 75_000),
    "then another epoch": OVERDUE + coordinator("Empty", epoch=1),
    "then listed as complete": OVERDUE + listed("CompleteAbort"),
    "listed before": listed("CompleteAbort") + OVERDUE,
    "listed again": listed("Ongoing") + OVERDUE + listed("Ongoing"),
    "running": leader(0, 18) + coordinator("Ongoing", 30_000),
    "running elsewhere": leader(0, 18) + coordinator("Ongoing", 30_000).replace("orders-0", "orders-1"),
    "asked before both": leader(0, 18) + coordinator("Ongoing", 30_000) + coordinator("Empty", epoch=1),
    "asked after both": coordinator("Ongoing", 30_000) + coordinator("Empty", epoch=1) + leader(0, 18),
    "old": leader(0, 18) + LATER_MARKER,
    "old, its state cut off": leader(0, 18) + LATER_MARKER + listed("Ongo"),
    "old, its state unknown": leader(0, 18) + LATER_MARKER + listed("Unknown"),
    "ended, a clock ahead": leader(30 * MINUTE, 18) + leader(5 * MINUTE, None),
    "begun after a marker, old times": leader(MINUTE, None) + leader(-DAY, 500),
}

LATE = "0..1 data p7e0 s0 @100\n2 ABORT p7e0 @310\n3 data p7e0 s2 @250\n4 data p8e0 s0 @90000\n5 COMMIT p8e0 @90100"
ABORTED = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareAbort orders-0 @300
3 state pay-1 p7e0 CompleteAbort @320"""
OPEN = "0..1 data p7e0 s0 @150\n2 data p8e0 s0 @90000\n3 COMMIT p8e0 @90100"
RUNNING = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-2 p8e0 Empty @80000
3 state pay-2 p8e0 Ongoing orders-0 @89990
4 state pay-2 p8e0 PrepareCommit orders-0 @90080
5 state pay-2 p8e0 CompleteCommit @90120
6 state pay-3 p9e0 Empty @3590000"""
HOUR = 60 * MINUTE


def copied(log, states, answer=""):
    """A capture of an hour after the start, with a paste beside the dumps."""
    paste = {"paste.txt": answer} if answer else {}
    return taken_at("11:00:00") | paste | dumps_of({"orders-0": log, "__transaction_state-0": states})


BESIDE_DUMPS = {
    "late": copied(LATE, ABORTED),
    "late, no longer open": copied(LATE, ABORTED, leader(2 * HOUR, None)),
    "late, the next one open": copied(LATE, ABORTED, leader(2 * HOUR, 90)),
    "late, still open": copied(LATE, ABORTED, leader(250, 3)),
    "late, asked before it came": copied(LATE, ABORTED, leader(310, None)),
    "late, no longer listed": copied(LATE, ABORTED, leader(2 * HOUR, None).replace("7\t0", "8\t0")),
    "late, not listed before it came": copied(LATE, ABORTED, leader(310, None).replace("7\t0", "8\t0")),
    "late, another partition": copied(LATE, ABORTED, leader(2 * HOUR, None).replace("orders", "payments")),
    "overdue in the files": copied(OPEN, RUNNING),
    "running, since complete": copied(OPEN, RUNNING, coordinator("CompleteCommit", 2 * HOUR, begun=100)),
    "running, the one before complete": copied(OPEN, RUNNING, coordinator("CompleteCommit", 2 * HOUR, begun=-9000)),
}


@judged_together
def documents():
    pastes = {name: {"paste.txt": text} for name, text in PASTES.items()}
    return pastes | BESIDE_DUMPS


def found(document):
    return [(one["code"], one["confidence"]) for one in document["findings"]]


def verdicts(document):
    return [(one["first_offset"], one["verdict"]) for one in document["open_transactions"]]


@pytest.mark.parametrize(("seconds", "sure"), [(5, "possible"), (15, "likely")])
def test_a_coordinator_may_take_10_s_to_see_that_a_transaction_is_overdue(documents, seconds, sure):
    assert found(documents[f"overdue for {seconds} s"]) == [("TXN001", sure)]


@pytest.mark.parametrize("name", ["overdue", "listed before", "listed again"])
def test_an_overdue_transaction_is_one_while_no_later_answer_ends_it(documents, name):
    assert found(documents[name]) == [("TXN001", "certain")]


@pytest.mark.parametrize("name", ["then another epoch", "then listed as complete"])
def test_what_its_coordinator_called_over_afterwards_is_not_overdue(documents, name):
    assert (found(documents[name]), documents[name]["verdict"]) == ([], "inconclusive")


def test_what_its_coordinator_runs_in_that_partition_is_in_flight(documents):
    assert (found(documents["running"]), verdicts(documents["running"])) == ([], [(18, "in_flight")])
    assert found(documents["running elsewhere"]) == [("TXN013", "likely")]


def test_a_leader_that_may_have_been_asked_before_its_coordinator_was_done_accuses_nobody(documents):
    (row,) = documents["asked before both"]["open_transactions"]
    assert (found(documents["asked before both"]), row["verdict"]) == ([], "undecided")
    assert "nothing tells which of these is older" in row["why"]
    assert found(documents["asked after both"]) == [("TXN013", "likely")]


def test_what_stands_below_in_a_paste_is_later_whatever_the_times_of_batches_say(documents):
    assert verdicts(documents["ended, a clock ahead"]) == []
    document = documents["begun after a marker, old times"]
    assert (found(document), verdicts(document)) == ([], [(500, "undecided")])


@pytest.mark.parametrize(
    ("name", "says", "fetch"), [("state cut off", "answered Ongo,", "whole"), ("state unknown", "Unknown", "release")]
)
def test_an_answer_of_its_coordinator_that_nobody_can_read_accuses_nobody(documents, name, says, fetch):
    document = documents[f"old, its {name}"]
    (row,) = document["open_transactions"]
    assert (found(document), row["verdict"]) == ([], "undecided")
    assert says in row["why"]
    assert fetch in row["fetch"]
    assert found(documents["old"]) == [("TXN013", "possible")]


@pytest.mark.parametrize(
    "name",
    [
        "late", "late, still open", "late, asked before it came", "late, not listed before it came",
        "late, another partition",
    ],
)  # fmt: skip
def test_a_late_write_hangs_while_no_later_answer_of_the_leader_ends_it(documents, name):
    assert found(documents[name]) == [("TXN002", "certain")]


@pytest.mark.parametrize("name", ["late, no longer open", "late, the next one open", "late, no longer listed"])
def test_what_the_leader_has_no_more_has_ended_since_the_copy(documents, name):
    row = documents[name]["open_transactions"][0]
    assert (found(documents[name]), row["first_offset"], row["verdict"]) == ([], 3, "undecided")
    assert "is not open any more" in row["why"]
    assert row["fetch"] == "a newer copy of orders-0, which has its marker"
    assert documents[name]["verdict"] == "inconclusive"


def test_what_its_coordinator_completed_since_is_not_overdue(documents):
    assert found(documents["overdue in the files"]) == [("TXN001", "certain")]
    assert found(documents["running, the one before complete"]) == [("TXN001", "certain")]
    document = documents["running, since complete"]
    assert (found(document), verdicts(document)) == ([], [(0, "undecided")])


def test_a_plan_does_not_end_a_transaction_where_no_file_tells_its_end(documents):
    """An answer has its first offset alone: one record would be saved, and an abort discard the others."""
    (finding,) = documents["asked after both"]["findings"]
    steps = finding["action"]["steps"]
    printed = [one["command"] for step in steps for one in step["commands"] if "console-consumer" in one["command"]]
    assert printed
    assert all("--offset 18 --timeout-ms" in command for command in printed)
    assert "all its records from 18 on" in next(step["text"] for step in steps if step["stage"] == "act")
    (late,) = documents["late"]["findings"]
    assert "its records at 3" in next(step["text"] for step in late["action"]["steps"] if step["stage"] == "act")
