"""Transactions of the coordinator where a state partition has a record twice, or two records at one offset."""

import pytest
from state_records import RECORDS, begun, record

from analyzer.lifecycles.coordinator.transactions import coordinator_txns, numbered_records, registrations

STATES = ("Ongoing", "PrepareCommit", "CompleteCommit")


def transactions(spark, *records):
    numbered = numbered_records(spark.createDataFrame(records, RECORDS)).localCheckpoint()
    listed = registrations(numbered).groupBy("transactional_id", "coordinator_txn").count().collect()
    return coordinator_txns(numbered).orderBy("transactional_id", "coordinator_txn").collect(), listed


@pytest.fixture(scope="module")
def once(spark):
    return transactions(spark, *[record(offset, state) for offset, state in enumerate(STATES)])


@pytest.mark.parametrize(
    ("first", "second", "start_ms", "txns"),
    [(["1"], ["2"], -1, 2), (["1", "2"], ["2"], -1, 1), (["1"], ["2"], 1000, 1), (None, None, -1, 1)],
)
def test_what_no_copy_has_beside_the_record_before_is_of_another_transaction(spark, first, second, start_ms, txns):
    rows = [
        record(2, "Ongoing", copies=first, start_ms=start_ms),
        record(8, "CompleteCommit", copies=second, start_ms=start_ms),
    ]
    found, _ = transactions(spark, *rows)
    assert len(found) == txns


def test_records_of_segments_that_overlap_count_once(spark, once):
    first = [record(offset, state) for offset, state in enumerate(STATES)]
    again = [record(offset, state, path="overlapping.log") for offset, state in enumerate(STATES)]
    assert transactions(spark, *first, *again) == once
    assert [row.decision for row in once[0]] == ["COMMIT"]


@pytest.mark.parametrize("state", ["Ongoing", "PrepareCommit", "CompleteCommit"])
def test_a_record_of_another_begin_is_of_another_transaction(spark, state):
    """What ended the first one is missing, as in copies of two moments of which one is compacted."""
    later = begun(20, state, 9000, hole=18, names=[] if state.startswith("Complete") else ["orders-1"])
    found, listed = transactions(spark, begun(1, "Ongoing", 1000), later)
    assert [(row.decision, row.begun_ms) for row in found] == [
        (None, 1000),
        (None if state == "Ongoing" else "COMMIT", 9000),
    ]
    assert [row["count"] for row in listed] == [1] * len(listed)


@pytest.mark.parametrize("starts", [(1000, 1000), (1000, None), (None, 1000), (1000, -1)])
def test_a_begin_that_is_the_same_or_untold_parts_nothing(spark, starts):
    first, second = starts
    found, _ = transactions(spark, begun(1, "Ongoing", first), begun(20, "CompleteCommit", second, hole=18))
    assert [row.decision for row in found] == ["COMMIT"]


def test_ids_with_a_record_at_the_same_offset_keep_their_own(spark):
    theirs = [record(offset, state, "payments-1", 8) for offset, state in enumerate(STATES)]
    ours = [record(offset, state) for offset, state in enumerate(STATES)]
    found, listed = transactions(spark, *ours, *theirs)
    assert [(row.transactional_id, row.producer_id, row.decision) for row in found] == [
        ("orders-1", 7, "COMMIT"),
        ("payments-1", 8, "COMMIT"),
    ]
    assert sorted((row.transactional_id, row["count"]) for row in listed) == [("orders-1", 1), ("payments-1", 1)]


def test_a_partition_is_named_after_the_last_dash(spark):
    names = {
        "orders-0": ("orders", 0), "a-b-12": ("a-b", 12), "x--7": ("x-", 7), "1-2-3": ("1-2", 3),
        "orders-x": ("orders", None), "orders": ("", None), "a-99999999999": ("a", None),
    }  # fmt: skip
    rows = [(*record(0, "Ongoing")[:11], list(names), *record(0, "Ongoing")[12:])]
    found = registrations(numbered_records(spark.createDataFrame(rows, RECORDS))).collect()
    assert sorted((row.topic, row.partition or 0) for row in found) == sorted((t, p or 0) for t, p in names.values())
