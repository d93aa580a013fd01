"""Records that their coordinator took back because they were not replicated in time (RULES A 3)."""

import pytest
from state_records import RECORDS, begun, record

from analyzer.lifecycles.coordinator.faults import forbidden_orders, odd_ids
from analyzer.lifecycles.coordinator.taken_back import renumbered, taken_back
from analyzer.lifecycles.coordinator.transactions import coordinator_txns, numbered_records

LOGS = "capture string, topic string, partition int, replica string, authority boolean"
EPOCHS = (
    "capture string, topic string, partition int, replica string, epoch bigint, start_offset bigint, epoch_ref string"
)


def judged(spark, *records, starts=(0,)):
    """Return the offsets taken back, the transactions and what is forbidden; a leader epoch begins at each start."""
    states = spark.createDataFrame(records, RECORDS).localCheckpoint()
    log = ("c", "__transaction_state", 3, "broker-1")
    logs = spark.createDataFrame([(*log, True)], LOGS)
    epochs = spark.createDataFrame([(*log, no, start, "") for no, start in enumerate(starts)], EPOCHS)
    numbered = numbered_records(states).localCheckpoint()
    odd = odd_ids(numbered).localCheckpoint()
    taken = taken_back(odd, numbered, logs, epochs).localCheckpoint()
    left = renumbered(taken, states).localCheckpoint()
    forbidden = [row.offset for row in forbidden_orders(odd, left).collect()]
    return sorted(row.offset for row in taken.collect()), coordinator_txns(left).collect(), forbidden


TIMED_OUT = ("Ongoing", "PrepareCommit", "PrepareCommit", "PrepareAbort", "CompleteAbort")


def test_a_decision_that_was_not_replicated_in_time_was_none(spark):
    taken, (txn,), forbidden = judged(spark, *[record(at, state) for at, state in enumerate(TIMED_OUT)])
    assert (taken, forbidden) == ([1, 2], [])
    assert (txn.decision, txn.prepared_at, txn.decided_ms, txn.whole) == ("ABORT", 3, 1003, True)


@pytest.mark.parametrize("start", [2, 3])
def test_another_coordinator_takes_nothing_back(spark, start):
    """It has read what is in the log."""
    rows = [record(at, state) for at, state in enumerate(TIMED_OUT)]
    taken, (txn,), forbidden = judged(spark, *rows, starts=(0, start))
    assert (taken, forbidden, txn.decision) == ([], [3], "COMMIT")


def test_neither_does_one_whose_next_record_is_of_another_producer_id(spark):
    rows = [record(0, "Ongoing"), record(1, "PrepareCommit"), record(2, "PrepareAbort", producer_id=9)]
    assert judged(spark, *rows)[0::2] == ([], [2])


def test_nothing_is_known_where_a_record_between_may_be_missing(spark):
    rows = [begun(1, "PrepareCommit", 1000), begun(9, "PrepareAbort", 1000, hole=7)]
    assert judged(spark, *rows)[0::2] == ([], [])


def test_a_registration_that_was_taken_back_is_no_transaction(spark):
    states = ("Empty", "Ongoing", "Empty", "Ongoing", "PrepareCommit", "CompleteCommit")
    taken, txns, forbidden = judged(spark, *[record(at, state) for at, state in enumerate(states)])
    assert (taken, forbidden, [txn.decision for txn in txns]) == ([1], [], ["COMMIT"])


def test_a_registration_written_again_begins_later_and_is_the_same_transaction(spark):
    rows = [begun(0, "Ongoing", 1000), begun(1, "Ongoing", 9000), begun(2, "PrepareCommit", 9000)]
    _, txns, forbidden = judged(spark, *rows)
    assert (forbidden, [(txn.decision, txn.begun_ms) for txn in txns]) == ([], [("COMMIT", 9000)])
