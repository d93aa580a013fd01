"""Markers and decisions put together: by order where a producer id's agree, by time for all others (RULES A 4)."""

import pytest

from analyzer.lifecycles.logs.transactions import repeated_markers, with_marker_before
from analyzer.lifecycles.pairing.by_order import (
    agreeing,
    agreeing_epochs,
    matched_by_epoch,
    matched_by_order,
    unsettled_decisions,
    unsettled_markers,
)
from analyzer.lifecycles.pairing.by_time import doubtful_decisions, matched_by_time, timed_pairs
from analyzer.lifecycles.pairing.decided import markers, with_original

TXNS = (
    "capture string, log_no int, producer_id bigint, txn_no bigint, first_offset bigint, "
    "first_ms bigint, producer_epoch int, marker_offset bigint, marker string, marker_ms bigint, marker_epoch int, "
    "marker_leader_epoch int"
)
DECIDED = (
    "capture string, log_no int, producer_id bigint, rank int, state_partition int, transactional_id string, "
    "coordinator_txn bigint, decision string, "
    "decided_ms bigint, completed_ms bigint, next_begun_ms bigint, decision_epoch int, history_whole boolean, "
    "own_marker struct<marker_offset:bigint,txn_no:bigint>"
)
WHOLE, EPOCH, TYPE, SPARE, REPEATED_IN_TIME, REPEATED_LATE, COMPACTED, OWN, OPEN, RAISED = range(1, 11)
"""Producer ids, by what is special about each."""


def txn(producer, number, marker="COMMIT", *, data=True, ms=None, epoch=0):
    """A transaction whose data begins at 10 times its number plus 1, and whose marker stands at that plus 8."""
    begins = 10 * number + 1
    at = None if marker is None else begins + 8
    stamp = None if marker is None else 100 * (number + 1) + 5 if ms is None else ms
    return ("c", 1, producer, number, begins if data else None, 100 * (number + 1) if data else None,
            epoch if data else None, at, marker, stamp, None if marker is None else epoch,
            None if marker is None else 3)  # fmt: skip


def decided(producer, rank, decision="COMMIT", *, whole=True, own=None, next_begun=None, epoch=0):
    """A decision made 2 ms before its marker is usually stamped, and completed 5 ms after it."""
    return ("c", 1, producer, rank, 0, f"id-{producer}", rank, decision, 100 * rank + 3, 100 * rank + 10, next_begun,
            epoch, whole, own)  # fmt: skip


@pytest.fixture(scope="module")
def txns(spark):
    rows = [
        txn(WHOLE, 0), txn(WHOLE, 1, "ABORT"), txn(WHOLE, 2, None),
        txn(EPOCH, 0, epoch=1),
        txn(TYPE, 0, "ABORT"),
        txn(SPARE, 0), txn(SPARE, 1, "ABORT", ms=150, data=False),
        txn(REPEATED_IN_TIME, 0), txn(REPEATED_IN_TIME, 1, data=False),
        txn(REPEATED_LATE, 0), txn(REPEATED_LATE, 1, data=False, ms=999),
        txn(COMPACTED, 0),
        txn(OWN, 0, ms=5_000),
        txn(OPEN, 0, None),
        txn(RAISED, 0, ms=9_000, epoch=1), txn(RAISED, 1, data=False, ms=9_001, epoch=1),
        txn(RAISED, 2, "ABORT", ms=1, epoch=3),
    ]  # fmt: skip
    return spark.createDataFrame(rows, TXNS).localCheckpoint()


@pytest.fixture(scope="module")
def choices(spark):
    rows = [
        decided(WHOLE, 1), decided(WHOLE, 2, "ABORT"),
        decided(EPOCH, 1), decided(TYPE, 1),
        decided(SPARE, 1, next_begun=140),
        decided(REPEATED_IN_TIME, 1), decided(REPEATED_IN_TIME, 2),
        decided(REPEATED_LATE, 1), decided(REPEATED_LATE, 2),
        decided(COMPACTED, 1, whole=False),
        decided(OWN, 1, whole=False, own=(9, 0)),
        decided(RAISED, 1, epoch=1), decided(RAISED, 2, epoch=2), decided(RAISED, 3, "ABORT", epoch=3),
    ]  # fmt: skip
    return spark.createDataFrame(rows, DECIDED).localCheckpoint()


@pytest.fixture(scope="module")
def repeated(txns):
    return repeated_markers(txns).localCheckpoint()


@pytest.fixture(scope="module")
def agreed(txns, repeated, choices):
    return agreeing(txns, repeated, choices).localCheckpoint()


def told(rows):
    return {
        (row.producer_id, row["rank"]): (row.marker_offset, row.txn_no, row.marked_ms, row.marked_from,
                                         row.marked_from_ms)
        for row in rows.collect()
    }  # fmt: skip


def test_a_marker_repeats_the_one_before_if_nothing_was_open_and_both_are_alike(repeated):
    assert {(row.producer_id, row.txn_no) for row in repeated.collect()} == {
        (REPEATED_IN_TIME, 1), (REPEATED_LATE, 1), (RAISED, 1),
    }  # fmt: skip


def test_producers_agree_in_count_types_and_epochs_and_in_time_where_one_may_be_missing(agreed):
    assert {row.producer_id for row in agreed.collect()} == {WHOLE, REPEATED_IN_TIME, COMPACTED}


def test_decisions_of_producers_that_agree_have_the_marker_of_their_rank(txns, choices, agreed):
    assert told(matched_by_order(txns, choices, agreed)) == {
        (WHOLE, 1): (9, 0, 105, 1, 100),
        (WHOLE, 2): (19, 1, 205, 11, 200),
        (REPEATED_IN_TIME, 1): (9, 0, 105, 1, 100),
        (REPEATED_IN_TIME, 2): (19, 1, 205, None, None),
        (COMPACTED, 1): (9, 0, 105, 1, 100),
    }


@pytest.fixture(scope="module")
def rest(txns, choices, agreed):
    left = unsettled_decisions(choices, agreed).localCheckpoint()
    return left, unsettled_markers(left, txns).localCheckpoint()


@pytest.fixture(scope="module")
def agreed_epochs(rest, repeated):
    return agreeing_epochs(*rest, repeated).localCheckpoint()


def test_epochs_agree_by_themselves_whatever_the_times_are_and_whatever_lacks_a_marker_under_another(
    rest, agreed_epochs
):
    assert told(matched_by_epoch(agreed_epochs, *rest)) == {
        (RAISED, 1): (9, 0, 9_000, 1, 100),
        (RAISED, 3): (29, 2, 1, 21, 300),
    }


SHIFTED_DECISIONS = (
    "capture string, state_partition int, transactional_id string, coordinator_txn bigint, by_ms bigint, "
    "unsure_ms bigint, done_by_ms bigint"
)
SHIFTED_MARKERS = "log_no int, marker_leader_epoch bigint, marker_by_ms bigint"
CLOCKS = "capture string, shift_ms bigint, spread_ms bigint, marker_bound_ms bigint, apart boolean"


def by_time(spark, rest, agreed_epochs, *, apart=False, decisions=(), markers=()):
    clocks = spark.createDataFrame([("c", 0, 2_000, 1_000, apart)], CLOCKS)
    moved = spark.createDataFrame(list(decisions), SHIFTED_DECISIONS), spark.createDataFrame(markers, SHIFTED_MARKERS)
    timed = agreed_epochs.unionByName(timed_pairs(*rest, agreed_epochs, clocks, *moved))
    return told(matched_by_time(*rest, timed))


def test_all_others_are_matched_by_time_or_by_the_marker_that_makes_them_known(spark, rest, agreed_epochs):
    assert by_time(spark, rest, agreed_epochs) == {
        (EPOCH, 1): (9, 0, 105, 1, 100),
        (TYPE, 1): (None, None, None, None, None),
        (SPARE, 1): (9, 0, 105, 1, 100),
        (REPEATED_LATE, 1): (9, 0, 105, 1, 100),
        (REPEATED_LATE, 2): (19, 1, 999, None, None),
        (OWN, 1): (9, 0, 5_000, 1, 100),
        (RAISED, 1): (9, 0, 9_000, 1, 100),
        (RAISED, 2): (None, None, None, None, None),
        (RAISED, 3): (29, 2, 1, 21, 300),
    }


def test_where_clocks_are_apart_times_count_as_each_clock_tells_them(spark, rest, agreed_epochs):
    late = [("c", 0, f"id-{REPEATED_LATE}", 1, 850, 10, 900), ("c", 0, f"id-{REPEATED_LATE}", 2, 850, 10, 900)]
    found = by_time(spark, rest, agreed_epochs, apart=True, decisions=late, markers=[(1, 3, 0)])
    assert found[REPEATED_LATE, 1] == (19, 1, 999, None, None)
    assert found[REPEATED_LATE, 2] == (None, None, None, None, None)


MEASURED = "log_no int, state_partition int"


@pytest.mark.parametrize(
    ("spread", "untold", "measured", "doubtful"),
    [
        (0, 0, [], set()),
        (40, 0, [], {(COMPACTED, 1)}),
        (0, 2_000, [], {(COMPACTED, 1)}),
        (0, 2_000, [(1, 0)], set()),
        (40, 2_000, [(1, 1)], {(COMPACTED, 1)}),
    ],
)
def test_a_decision_may_have_a_marker_that_is_alike_as_near_as_clocks_may_be_apart(
    spark, txns, choices, spread, untold, measured, doubtful
):
    stand = "capture string, shift_ms bigint, spread_ms bigint, untold_ms bigint, marker_bound_ms bigint"
    clocks = spark.createDataFrame([("c", 0, spread, untold, 1_000)], stand)
    early = choices.where(f"producer_id IN ({COMPACTED}, {TYPE}, {OWN})").selectExpr(
        *[name for name in choices.columns if name != "decided_ms"], "decided_ms + 5 AS decided_ms"
    )
    pairs = spark.createDataFrame(measured, MEASURED)
    found = markers(txns).where(f"producer_id IN ({COMPACTED}, {TYPE}, {OWN})")
    none = spark.createDataFrame([], "log_no int, producer_id bigint, rank int, txn_no bigint")
    rows = doubtful_decisions(early, found, none, none, clocks, pairs).collect()
    assert {(row.producer_id, row["rank"]) for row in rows} == doubtful


def test_a_repeated_marker_leads_to_the_one_that_it_repeats(txns, repeated):
    found = with_original(markers(txns), repeated).where(f"producer_id IN ({REPEATED_LATE}, {WHOLE})")
    originals = {(row.producer_id, row.txn_no): row.original_no for row in found.collect()}
    assert originals == {(WHOLE, 0): 0, (WHOLE, 1): 1, (REPEATED_LATE, 0): 0, (REPEATED_LATE, 1): 0}


def test_the_marker_before_a_transaction_is_that_of_the_one_before_it(txns):
    rows = with_marker_before(txns.where(f"producer_id IN ({WHOLE}, {OPEN})"), txns).collect()
    before = {(row.producer_id, row.txn_no): (row.previous_marker, row.previous_marker_offset) for row in rows}
    assert before == {
        (WHOLE, 0): (None, None), (WHOLE, 1): ("COMMIT", 9), (WHOLE, 2): ("ABORT", 19), (OPEN, 0): (None, None),
    }  # fmt: skip
