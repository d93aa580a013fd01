"""Data that was appended before its transaction had this partition: the marker before it came too late (RULES A 7)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.matching.timing import appended_by
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables.unions import union_filled

REGISTERED = ("state_partition", "transactional_id", "registered_at", "registered_ms", "registered_whole")
"""What is known of the record that registered a partition."""


def early_spans(closed: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the spans whose first batch was appended before their transaction had this partition (RULES A 7).

    `closed` and `opens` carry appended_by_ms of their first offset. The registration must be known for certain (the
    record before it is here), and the proof must outlast the clocks' uncertainty. Open data with a decision whose
    marker is missing is no slip, nor is data behind which bytes are missing. decision is null while the span is open.
    """
    plausible = F.col("first_ms") <= F.col("appended_by_ms")
    mine = opens.where("running IS NOT NULL AND lost IS NULL AND authority AND unread_offset IS NULL")
    running = mine.select(
        "log_no", *PRODUCER, "txn_no", "first_offset", "last_offset", "producer_epoch",
        F.col("first_batch.max_timestamp").alias("first_ms"), "appended_by_ms", "spread_ms", "captured_at",
        "behind_ms", "previous_marker_offset", "previous_marker",
        *[F.col("running")[name].alias(name) for name in REGISTERED],
    )  # fmt: skip
    return union_filled(running, closed.select(*running.columns, "decision", "marker_offset")).where(
        _late() & plausible & F.col("registered_whole")
    )


def _late() -> Column:
    return F.col("appended_by_ms") + F.col("spread_ms") < F.col("registered_ms")


def with_extent(spans: DataFrame, batches: DataFrame, decisions: DataFrame, hold: Hold) -> DataFrame:
    """Return these spans (`early_spans`) with slipped_first, slipped_last and slipped_records: the early batches."""
    theirs = hold.narrowing(spans, "producer_id")(batches)
    bounds = spans.select(*PRODUCER, "txn_no", F.col("first_offset").alias("from"), F.col("last_offset").alias("to"))
    inside = with_few(theirs.where("is_transactional AND NOT is_control"), bounds, PRODUCER)
    inside = inside.where("base_offset BETWEEN from AND to").select(
        *PRODUCER, "log_no", "txn_no", F.col("base_offset").alias("first_offset"),
        F.col("last_offset").alias("batch_last"), "count",
    )  # fmt: skip
    clocks = spans.select("capture", "behind_ms").distinct()
    timed = appended_by(hold.settle(inside), decisions, batches, clocks).withColumnRenamed(
        "first_offset", "batch_first"
    )
    known = spans.select(*PRODUCER, "txn_no", "registered_ms", "spread_ms")
    early = timed.join(known, [*PRODUCER, "txn_no"]).where(_late())
    extent = early.groupBy(*PRODUCER, "txn_no").agg(
        F.min("batch_first").alias("slipped_first"),
        F.max("batch_last").alias("slipped_last"),
        F.sum("count").alias("slipped_records"),
    )
    return spans.join(extent, [*PRODUCER, "txn_no"])
