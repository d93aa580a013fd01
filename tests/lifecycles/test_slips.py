"""Which batches were appended before their transaction had the partition (RULES A 7)."""

import pytest
from given_tables import filled, run_with

from analyzer.lifecycles.matching.stages import SLIPS
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.storage.engines.differences import engine_of

PRODUCER = "capture string, topic string, partition int, replica string, producer_id bigint, log_no int"
STAMPED = "timestamp_type = 'LogAppendTime' AND NOT is_control AS stamped"
BATCHES = (
    f"{PRODUCER}, base_offset bigint, last_offset bigint, count bigint, is_control boolean, is_transactional boolean, "
    "timestamp_type string, max_timestamp bigint, producer_epoch int"
)
DECISIONS = "log_no int, producer_id bigint, marked_from bigint, decided_ms bigint, begun_ms bigint"
SPANS = (
    f"{PRODUCER}, txn_no bigint, first_offset bigint, last_offset bigint, registered_ms bigint, spread_ms bigint, "
    "behind_ms bigint, begin_epoch int"
)


def batch(producer, first, last, ms, kind="LogAppendTime", epoch=1):
    return ("c", "orders", 0, "1", producer, 1, first, last, last - first + 1, False, True, kind, ms, epoch)


def extent(spark, amount, batches, decisions):
    """What slipped of producer 1's transaction at 10..30, in which this partition was registered at 450 ms."""
    spans = spark.createDataFrame([("c", "orders", 0, "1", 1, 1, 4, 10, 30, 450, 0, 0, 1)], SPANS)
    hold = Holding(engine_of(spark), amount)
    run = run_with(
        hold,
        SLIPS,
        spans_with_marker=filled("spans_with_marker", spans),
        log_batches=filled("log_batches", spark.createDataFrame(batches, BATCHES).selectExpr("*", STAMPED)),
        decisions=filled("decisions", spark.createDataFrame(decisions, DECISIONS)),
        clocks=filled(
            "clocks", spark.createDataFrame([("c", 0, 0)], "capture string, behind_ms bigint, untold_ms bigint")
        ),
        measured_logs=spark.createDataFrame([], "log_no int, state_partition int"),
    )
    (row,) = run["slipped"].collect()
    return row.slipped_first, row.slipped_last, row.slipped_records, row.proven_last


@pytest.mark.parametrize("amount", [Amount.FEW, Amount.MANY], ids=["few", "many"])
def test_batches_of_other_producers_tell_when_a_batch_was_appended(spark, amount):
    mine = [batch(1, 10, 12, 100), batch(1, 20, 21, 300), batch(1, 30, 30, 600)]
    others = [batch(2, 15, 15, 200), batch(2, 25, 25, 400), batch(2, 40, 40, 900)]
    assert extent(spark, amount, mine + others, []) == (10, 21, 5, 21)


@pytest.mark.parametrize("clock_ms", [0, -500, -5000], ids=["right", "behind", "far behind"])
def test_what_was_made_before_the_decision_goes_with_what_is_proven(spark, clock_ms):
    made = [(10, 12, 90), (20, 21, 120), (22, 22, 149), (30, 30, 460)]
    mine = [batch(1, first, last, ms + clock_ms, "CreateTime") for first, last, ms in made]
    others = [batch(2, 15, 15, 200), batch(2, 40, 40, 900)]
    decisions = [(1, 1, None, 40, 10), (1, 1, None, 150, 90), (1, 1, None, 700, 440), (1, 2, None, 440, 430)]
    assert extent(spark, Amount.FEW, mine + others, decisions) == (10, 22, 6, 12)


def test_what_another_transaction_wrote_ends_what_slipped(spark):
    made = [(10, 12, 90), (20, 21, 460), (22, 22, 100)]
    mine = [batch(1, first, last, ms, "CreateTime") for first, last, ms in made]
    others = [batch(2, 15, 15, 200)]
    assert extent(spark, Amount.FEW, mine + others, [(1, 1, None, 150, 80)]) == (10, 12, 3, 12)


def test_without_a_decision_before_it_only_what_is_proven_slipped(spark):
    mine = [batch(1, 10, 12, 90, "CreateTime"), batch(1, 20, 21, 120, "CreateTime")]
    assert extent(spark, Amount.FEW, [*mine, batch(2, 15, 15, 200)], []) == (10, 12, 3, 12)


def test_a_lower_epoch_than_that_of_the_transaction_proves_it_whatever_the_times(spark):
    """And what has its epoch is its own, though it was made before the last decision by its producer's clock."""
    mine = [batch(1, 10, 12, 700, "CreateTime", epoch=0), batch(1, 20, 21, 120, "CreateTime")]
    assert extent(spark, Amount.FEW, mine, [(1, 1, None, 150, 80)]) == (10, 12, 3, 12)
