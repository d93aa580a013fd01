"""Markers and decisions put together: by order where a producer id's agree, by time for all others (RULES A 4)."""

import pytest
from analyzer.lifecycles.matching.pairs import agreeing, markers, matched_by_order, matched_by_time, with_original

from analyzer.lifecycles.logs.transactions import repeated_markers, with_marker_before

TXNS = (
    "capture string, log_no int, producer_id bigint, txn_no bigint, first_offset bigint, "
    "first_ms bigint, producer_epoch int, marker_offset bigint, marker string, marker_ms bigint, marker_epoch int"
)
DECIDED = (
    "capture string, log_no int, producer_id bigint, rank int, transactional_id string, decision string, "
    "decided_ms bigint, completed_ms bigint, next_begun_ms bigint, decision_epoch int, history_whole boolean, "
    "own_marker struct<marker_offset:bigint,txn_no:bigint>"
)
WHOLE, EPOCH, TYPE, SPARE, REPEATED_IN_TIME, REPEATED_LATE, COMPACTED, OWN, OPEN = range(1, 10)
"""Producer ids, by what is special about each."""


def txn(producer, number, marker="COMMIT", *, data=True, ms=None, epoch=0):
    """A transaction whose data begins at 10 times its number plus 1, and whose marker stands at that plus 8."""
    begins = 10 * number + 1
    at = None if marker is None else begins + 8
    stamp = None if marker is None else 100 * (number + 1) + 5 if ms is None else ms
    return ("c", 1, producer, number, begins if data else None, 100 * (number + 1) if data else None,
            epoch if data else None, at, marker, stamp, None if marker is None else epoch)  # fmt: skip


def decided(producer, rank, decision="COMMIT", *, whole=True, own=None, next_begun=None):
    """A decision made 2 ms before its marker is usually stamped, and completed 5 ms after it."""
    return ("c", 1, producer, rank, f"id-{producer}", decision, 100 * rank + 3, 100 * rank + 10, next_begun, 0, whole,
            own)  # fmt: skip


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
    assert {(row.producer_id, row.txn_no) for row in repeated.collect()} == {(REPEATED_IN_TIME, 1), (REPEATED_LATE, 1)}


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


def test_all_others_are_matched_by_time_or_by_the_marker_that_makes_them_known(spark, txns, choices, agreed):
    clocks = spark.createDataFrame([("c", 0, 2_000)], "capture string, shift_ms bigint, spread_ms bigint")
    assert told(matched_by_time(txns, choices, agreed, clocks)) == {
        (EPOCH, 1): (9, 0, 105, 1, 100),
        (TYPE, 1): (None, None, None, None, None),
        (SPARE, 1): (9, 0, 105, 1, 100),
        (REPEATED_LATE, 1): (9, 0, 105, 1, 100),
        (REPEATED_LATE, 2): (19, 1, 999, None, None),
        (OWN, 1): (9, 0, 5_000, 1, 100),
    }


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
