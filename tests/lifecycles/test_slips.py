"""Which batches were appended before their transaction had the partition (RULES A 7)."""

import dataclasses

import pytest
from given_tables import run_with

from analyzer.lifecycles.matching.stages import SLIPS
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.storage.engines.differences import engine_of

PRODUCER = "capture string, topic string, partition int, replica string, producer_id bigint, log_no int"
BATCHES = (
    f"{PRODUCER}, base_offset bigint, last_offset bigint, count bigint, is_control boolean, is_transactional boolean, "
    "timestamp_type string, max_timestamp bigint"
)
SPANS = (
    f"{PRODUCER}, txn_no bigint, first_offset bigint, last_offset bigint, registered_ms bigint, spread_ms bigint, "
    "behind_ms bigint"
)


def batch(producer, first, last, ms):
    return ("c", "orders", 0, "1", producer, 1, first, last, last - first + 1, False, True, "LogAppendTime", ms)


@pytest.mark.parametrize("amount", [Amount.FEW, Amount.MANY], ids=["few", "many"])
def test_batches_of_other_producers_tell_when_a_batch_was_appended(spark, amount):
    mine = [batch(1, 10, 12, 100), batch(1, 20, 21, 300), batch(1, 30, 30, 600)]
    others = [batch(2, 15, 15, 200), batch(2, 25, 25, 400), batch(2, 40, 40, 900)]
    batches = spark.createDataFrame(mine + others, BATCHES)
    decisions = spark.createDataFrame([], "log_no int, marked_from bigint, decided_ms bigint")
    spans = spark.createDataFrame([("c", "orders", 0, "1", 1, 1, 4, 10, 30, 450, 0, 0)], SPANS)
    hold = Holding(engine_of(spark), amount).hold()
    # These tables have few of the declared columns.
    stages = [dataclasses.replace(stage, makes=stage.name) for stage in SLIPS]
    run = run_with(hold, stages, spans_with_marker=spans.drop("log_no"), log_batches=batches, decisions=decisions)
    (row,) = run["slips"].collect()
    assert (row.slipped_first, row.slipped_last, row.slipped_records) == (10, 21, 5)
