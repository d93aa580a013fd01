"""Records of the coordinator that it took back, because they were not replicated in time: they stay in the log."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.transaction_states import TAKEN_BACK
from analyzer.lifecycles.coordinator.merging import RECORD
from analyzer.lifecycles.coordinator.transactions import ID, numbered_records
from analyzer.lifecycles.logs.leader_epochs import epochs_of_judged
from analyzer.stages.few import with_few

RUN = ("state", "producer_id", "hole")
"""What successive records of a run have in common: an append that timed out is retried, and none is missing between."""


def taken_back(odd: DataFrame, numbered: DataFrame, logs: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return RECORD of what the ids' next record shows to be taken back (RULES A 3); `odd`: see `odd_ids`.

    The next record, with none missing between, goes on from the state before, and is of the same leader epoch: another
    coordinator would have read what it found in the log.
    """
    by_offset = Window.partitionBy(*ID).orderBy("offset")
    told = with_few(numbered, odd, ID).select(*ID, "offset", *RUN)
    turns = F.lit(False)
    for name in RUN:
        turns = turns | ~F.col(name).eqNullSafe(F.lag(name).over(by_offset))
    runs = told.withColumn("turns", turns.cast("int")).withColumn("run", F.sum("turns").over(by_offset))
    of_run = runs.groupBy(*ID, "run", *RUN).agg(F.min("offset").alias("from_offset"))
    in_order = Window.partitionBy(*ID).orderBy("run")
    following = of_run.withColumns({f"next_{one}": F.lead(one).over(in_order) for one in (*RUN, "from_offset")})
    same = (F.col("next_hole") == F.col("hole")) & (F.col("next_producer_id") == F.col("producer_id"))
    goes_back = F.lit(False)
    for state, after in TAKEN_BACK.items():
        goes_back = goes_back | ((F.col("state") == state) & F.col("next_state").isin(*sorted(after)))
    steps = following.where(same & goes_back)
    kept = _within_one_epoch(steps, logs, epochs)
    return runs.join(kept.select(*ID, "run"), [*ID, "run"], "left_semi").select(*RECORD)


def _within_one_epoch(steps: DataFrame, logs: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the steps during which no leader epoch of the judged copy begins."""
    judged = logs.where((F.col("topic") == STATE_TOPIC) & F.col("authority"))
    starts = epochs_of_judged(judged, epochs).select(
        F.col("capture").alias("of_capture"), F.col("partition").alias("led_partition"), "start_offset"
    )
    crossed = (
        (F.col("of_capture") == F.col("capture"))
        & (F.col("led_partition") == F.col("state_partition"))
        & (F.col("start_offset") > F.col("from_offset"))
        & (F.col("start_offset") <= F.col("next_from_offset"))
    )
    return steps.join(starts, crossed, "left_anti")


def renumbered(taken: DataFrame, states: DataFrame) -> DataFrame:
    """Return rows of `coordinator_records` without those that were taken back."""
    return numbered_records(states.join(taken, list(RECORD), "left_anti"))
