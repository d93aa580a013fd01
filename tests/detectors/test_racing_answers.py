"""Leader and coordinator are asked one after the other: what ran, ended or began in between hangs nowhere."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from judged_together import judged_together
from test_several_answers import MINUTE, coordinator, leader, listed

HANGING = "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"


def named(at, minutes, first=18):
    """What find-hanging says of orders-0, `minutes` after the last batch."""
    row = f"orders\t0\t7\t0\t3\t{first}\t{START_MS + at}\t{minutes}\n"
    return f"$ kafka-transactions.sh find-hanging --broker-id 1 --max-transaction-timeout 0\n{HANGING}{row}"


def waiting(state, since, places, begun=0):
    """What describe answers of pay-1, with the partitions that it still waits for."""
    return coordinator(state, since, begun=begun).replace("orders-0", places)


PASTES = {
    "written to after its coordinator was asked": coordinator("CompleteCommit", 700) + leader(5_000, 18),
    "completed a moment after": leader(10, 18) + coordinator("CompleteCommit", 6_000),
    "the next one runs": leader(0, 18) + coordinator("Ongoing", 300, epoch=1, begun=290),
    "idle for long": leader(0, 18) + coordinator("CompleteCommit", 15 * MINUTE),
    "no moment": leader(0, 18) + listed("CompleteCommit"),
    "named as it ended": named(0, 0),
    "named, idle for a minute": named(0, 1),
    "named, then runs": named(0, 20) + coordinator("Ongoing", 21 * MINUTE).replace("\t60000\t", "\t3600000\t"),
    "named, then decided": named(0, 20) + coordinator("PrepareCommit", 22 * MINUTE),
    "runs, then named": coordinator("Ongoing", MINUTE) + named(0, 20),
    "named, then another begins": named(0, 20) + coordinator("Ongoing", 500, begun=25 * MINUTE),
    "named, aborted, the next one runs": named(0, 20)
    + leader(30 * MINUTE, 200)
    + coordinator("Ongoing", 700, begun=30 * MINUTE),
    "decided, waits elsewhere": leader(0, 18) + waiting("PrepareCommit", 15 * MINUTE, "orders-1"),
}
HEALTHY = (
    "written to after its coordinator was asked",
    "completed a moment after",
    "the next one runs",
    "named as it ended",
)


@judged_together
def documents():
    return {name: {"paste.txt": text} for name, text in PASTES.items()}


def found(document):
    return [(one["code"], one["confidence"], one["partition"]) for one in document["findings"]]


def verdicts(document):
    return [(one["first_offset"], one["verdict"]) for one in document["open_transactions"]]


@pytest.mark.parametrize("name", HEALTHY)
def test_what_may_have_ended_or_begun_between_two_answers_is_undecided(documents, name):
    document = documents[name]
    assert (found(document), verdicts(document)) == ([], [(18, "undecided")])
    assert "within seconds" in document["open_transactions"][0]["why"]
    assert document["verdict"] == "inconclusive"


@pytest.mark.parametrize(
    ("name", "confidence"),
    [("idle for long", "likely"), ("no moment", "possible"), ("named, idle for a minute", "likely")],
)
def test_what_was_idle_before_its_coordinator_was_asked_hangs(documents, name, confidence):
    assert found(documents[name]) == [("TXN013", confidence, 0)]


def test_a_later_answer_that_it_runs_or_ends_wins_over_find_hanging(documents):
    assert (found(documents["named, then runs"]), verdicts(documents["named, then runs"])) == ([], [(18, "in_flight")])
    assert found(documents["named, then decided"]) == [("TXN006", "likely", 0)]


@pytest.mark.parametrize(
    ("name", "confidence"), [("runs, then named", "likely"), ("named, then another begins", "certain")]
)
def test_an_earlier_answer_and_another_transaction_do_not(documents, name, confidence):
    """Of the first, the coordinator may have gone down since: then find-hanging names what it still runs (F 10)."""
    assert found(documents[name]) == [("TXN013", confidence, 0)]


def test_what_find_hanging_named_is_not_what_the_producer_opened_later(documents):
    document = documents["named, aborted, the next one runs"]
    assert (found(document), verdicts(document)) == ([], [(200, "in_flight")])


def test_a_decision_waits_where_its_coordinator_says(documents):
    """What is open in a partition that it does not wait for is no part of it, and leading there brings no marker."""
    places = {one["partition"]: one for one in documents["decided, waits elsewhere"]["findings"]}
    assert {number: one["code"] for number, one in places.items()} == {0: "TXN013", 1: "TXN006"}
    assert "(orders-1)" in places[1]["action"]["summary"]
