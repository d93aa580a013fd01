"""The records that are the moments of a transaction: told by number where there are many, looked up for the few."""

import pytest
from pyspark.sql import functions as F
from state_records import RECORDS

from analyzer.lifecycles.coordinator.record_refs import REFS, refs_of, refs_told, with_refs
from analyzer.lifecycles.coordinator.transactions import coordinator_txns, numbered_records, registrations

HISTORIES = {
    "whole": ("Ongoing", "Ongoing", "PrepareCommit", "CompleteCommit", "Ongoing"),
    "complete only": ("CompleteAbort",),
    # The CompleteCommit between the two and what came before the second are gone.
    "prepared twice": ("Ongoing", "PrepareCommit", "PrepareAbort", "CompleteAbort"),
    "begun before": ("Empty", "Ongoing", "PrepareAbort"),
    "dead before": ("CompleteCommit", "Dead", "Ongoing"),
}
"""The states of each id, one record after the other; the time goes back by a second with each record.

Offsets are missing after the first id.
"""
START_MS = 1_700_000_000_000


def records():
    offset = 0
    for name, states in HISTORIES.items():
        for epoch, state in enumerate(states):
            names = [f"orders-{epoch}", "orders-9"] if state in {"Ongoing", "PrepareCommit", "PrepareAbort"} else []
            ms = START_MS - 1_000 * offset
            yield ("c", 3, offset, True, ms, name, False, 7, 5, 60_000 + epoch, state, names, ms - 1, -1, -1, -1, 0,
                   ("0.log", None, offset, 0), 0 if name == "whole" else 2, None)  # fmt: skip
            offset += 1


@pytest.fixture(scope="module")
def numbered(spark):
    return numbered_records(spark.createDataFrame(list(records()), RECORDS)).localCheckpoint()


@pytest.fixture(scope="module")
def txns(numbered):
    rows = coordinator_txns(numbered).orderBy("latest_at").collect()
    return {(row.transactional_id, number): row for number, row in enumerate(rows)}


def test_each_transaction_tells_of_its_own_records(txns):
    told = {
        key: (row.decision, row.state, row.prepared_at, row.completed_epoch, row.latest_at) for key, row in txns.items()
    }
    assert told == {
        ("whole", 0): ("COMMIT", "CompleteCommit", 2, 5, 3),
        ("whole", 1): (None, "Ongoing", None, None, 4),
        ("complete only", 2): ("ABORT", "CompleteAbort", None, 5, 5),
        ("prepared twice", 3): ("COMMIT", "CompleteAbort", 7, 5, 9),
        ("begun before", 4): ("ABORT", "PrepareAbort", 12, None, 12),
        ("dead before", 5): ("COMMIT", "CompleteCommit", None, 5, 13),
        ("dead before", 6): (None, "Ongoing", None, None, 15),
    }


def test_the_first_record_counts_whatever_the_clock_says(txns):
    whole, twice, before = (txns[key] for key in (("whole", 0), ("prepared twice", 3), ("begun before", 4)))
    assert (whole.begun_ms, whole.timeout_ms, whole.decided_ms) == (START_MS, 60_000, START_MS - 2_000)
    assert (twice.begun_ms, twice.decided_ms, twice.completed_ms) == tuple(START_MS - 1_000 * at for at in (6, 7, 9))
    assert (before.begun_ms, before.latest_ms) == (START_MS - 11_000, START_MS - 12_000)
    assert (txns["dead before", 6].begun_ms, txns["dead before", 6].timeout_ms) == (START_MS - 15_000, 60_002)


def test_a_complete_record_alone_tells_when_it_was_decided(txns):
    alone = txns["complete only", 2]
    assert (alone.begun_ms, alone.decided_ms, alone.completed_ms) == (None, START_MS - 5_001, START_MS - 5_000)
    assert (alone.whole, txns["whole", 0].whole) == (False, True)
    assert alone.list_known is False


def test_moments_are_looked_up_where_they_stand(numbered, txns):
    asked = coordinator_txns(numbered).where("transactional_id NOT LIKE '% before'")
    rows = refs_of(asked, numbered, *REFS).collect()
    found = {
        (row.transactional_id, row.coordinator_txn): tuple(row[name] and row[name].byte_offset for name in REFS)
        for row in rows
    }
    assert found == {
        ("whole", 1): (0, 2, 3, 3),
        ("whole", 2): (4, None, None, 4),
        ("complete only", 1): (None, None, 5, 5),
        ("prepared twice", 1): (6, 7, 9, 9),
    }


def test_a_row_may_tell_of_several_transactions_or_of_none(spark, numbered):
    key = "struct<state_partition:int,transactional_id:string,coordinator_txn:bigint>"
    rows = spark.createDataFrame(
        [("c", 1, (3, "whole", 1), (3, "whole", 2)), ("c", 2, None, (3, "prepared twice", 1)), ("c", 3, None, None)],
        f"capture string, row int, lost {key}, running {key}",
    )
    names = ("lost", "running")
    got = with_refs(rows, refs_told(rows, numbered, names), names).select(
        "row",
        F.col("lost_refs.prepared_ref.byte_offset").alias("lost"),
        F.col("running_refs.latest_ref.byte_offset").alias("running"),
    )
    assert [tuple(row) for row in got.orderBy("row").collect()] == [(1, 2, 4), (2, None, 9), (3, None, None)]


def test_the_first_record_that_names_a_partition_registers_it(numbered):
    rows = registrations(numbered).where("coordinator_txn = 1").collect()
    found = {(row.transactional_id, row.partition): (row.registered_at, START_MS - row.registered_ms) for row in rows}
    assert found["whole", 9] == (0, 0)
    assert found["whole", 1] == (1, 1_000)
    assert found["prepared twice", 9] == (6, 6_000)
    assert found["prepared twice", 2] == (8, 8_000)


def test_records_that_name_no_partition_make_no_transaction(spark):
    rows = [(one[0], None, *one[2:]) for one in records()]
    unnamed = numbered_records(spark.createDataFrame(rows, RECORDS)).localCheckpoint()
    assert coordinator_txns(unnamed).collect() == registrations(unnamed).collect() == []
