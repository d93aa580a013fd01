"""Data that was appended before its transaction had this partition: the marker before it came too late (RULES A 7)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.logs.transactions import with_marker_before
from analyzer.lifecycles.matching.timing import appended_by
from analyzer.lifecycles.pairing.by_time import with_margin
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, PRODUCER_NO
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_filled

REGISTERED = (
    "state_partition", "transactional_id", "registered_at", "registered_ms", "registered_whole", "begin_epoch",
)  # fmt: skip
"""What is known of the record that registered a partition, and of the transaction that it belongs to."""


def early_decisions(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the decisions of judged logs with data that may be from before the registration, the first for sure.

    By the timestamp of its first batch, or by its epoch.
    """
    early = F.col("registered_whole") & (
        (F.col("marked_from_ms") < F.col("registered_ms")) | (F.col("marked_from_epoch") < F.col("begin_epoch"))
    )
    judged = logs.where("authority").select("log_no")
    return with_few(decisions.where(early), judged, ["log_no"]).select(
        *PRODUCER_NO, "txn_no", *PARTITION, *TXN_OF_ID, "decision", "registered_ms", "registered_whole", "begin_epoch"
    )


def closed_spans(early: DataFrame, txns: DataFrame, registered: DataFrame) -> DataFrame:
    """Return the transactions with data that the markers of `early_decisions` close, with the registration."""
    key, named = [*PRODUCER_NO, "txn_no"], [*PARTITION, *TXN_OF_ID]
    spans = txns.select(
        *key, "replica", "first_offset", "last_offset", "producer_epoch", "highest_data_epoch", "first_ms",
        "marker_offset",
    )  # fmt: skip
    return with_marker_before(early.join(registered.select(*named, "registered_at"), named).join(spans, key), txns)


def of_two_epochs(judged: DataFrame) -> DataFrame:
    """Return the `judged_spans` that a marker closes over data of several epochs (RULES A 7 b)."""
    return judged.where("producer_epoch < highest_data_epoch AND marker_offset IS NOT NULL")


def told_by_epochs(mixed: DataFrame, txns: DataFrame, ids: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the spans `of_two_epochs` as `early_spans`: begin_epoch is the highest, no record tells of it."""
    spans = with_marker_before(mixed, txns)
    return spans.join(moments, "capture").join(ids, ["capture", "producer_id"], "left").select(
        "log_no", *PRODUCER, "txn_no", "first_offset", "last_offset", "producer_epoch", "first_ms", "spread_ms",
        "captured_at", "behind_ms", "previous_marker_offset", "previous_marker", F.col("marker").alias("decision"),
        "marker_offset", F.col("known_id").alias("transactional_id"), F.col("highest_data_epoch").alias("begin_epoch"),
        F.col("last_offset").alias("until"),
    )  # fmt: skip


def early_spans(
    closed: DataFrame, opens: DataFrame, mixed: DataFrame, moments: DataFrame, clocks: DataFrame, measured: DataFrame
) -> DataFrame:
    """Return the spans whose first batch was appended before their transaction had this partition (RULES A 7).

    `closed` and `opens` carry appended_by_ms of their first offset. The registration must be known for certain (the
    record before it is here), and the proof must outlast the clocks' uncertainty, which is that of nothing known where
    no pair of this log and state partition is `measured` (`measured_logs`); data of a lower epoch than the one
    with which the transaction began needs no other, nor does that of `told_by_epochs` (`mixed`). Open data with a
    decision whose marker is missing is no slip, nor is data after which bytes are missing, nor that of a copy that may
    end before the registration. decision is null while the
    span is open; `until` is where a marker of the older epoch may have been.
    """
    sound = opens.where("running IS NOT NULL AND lost IS NULL AND authority AND unread_offset IS NULL")
    mine = sound.where(
        "reach_ms >= running.registered_ms OR highest_data_epoch >= running.begin_epoch "
        "OR array_contains(stopped_states, running.state_partition)"
    )
    running = mine.select(
        "log_no", *PRODUCER, "txn_no", "first_offset", "last_offset", "producer_epoch",
        F.col("first_batch.max_timestamp").alias("first_ms"), "appended_by_ms", "spread_ms", "captured_at",
        "behind_ms", "previous_marker_offset", "previous_marker",
        *[F.col("running")[name].alias(name) for name in REGISTERED],
    )  # fmt: skip
    judged = closed.join(moments, "capture").select(*running.columns, "decision", "marker_offset", "highest_data_epoch")
    until = F.when(F.col("highest_data_epoch") >= F.col("begin_epoch"), F.col("last_offset"))
    spans = with_margin(union_filled(running, judged).drop("spread_ms"), clocks, measured)
    registered = (
        spans.withColumnRenamed("margin_ms", "spread_ms")
        .drop("shift_ms", "marker_bound_ms")
        .where((_by_time() | _of_older_epoch()) & F.col("registered_whole"))
        .withColumn("until", F.coalesce(until, "marker_offset", "last_offset"))
        .drop("highest_data_epoch")
    )
    span = [*PRODUCER, "txn_no"]
    return union_filled(registered, mixed.join(registered.select(*span), span, "left_anti"))


def shown_in_full(spans: DataFrame, found: DataFrame) -> DataFrame:
    """Return these spans (`early_spans`) without what only an epoch says where one of `gaps` is inside them.

    A marker may have been there, or in a control batch that the cleaner emptied. begin_epoch is null for the others.
    """
    key = [*PRODUCER, "txn_no"]
    own = F.col("gap_producer").isNull() | (F.col("gap_producer") == F.col("producer_id"))
    inside = spans.select(*key, "first_offset", "until").join(found, list(LOG)).where(
        own & F.col("gap_offset").between(F.col("first_offset"), F.col("until"))
    )  # fmt: skip
    holey = inside.select(*key).distinct().withColumn("holey", F.lit(True))
    told = spans.join(holey, key, "left").withColumn(
        "begin_epoch", F.when(F.col("holey").isNull(), F.col("begin_epoch"))
    )
    return told.where(_by_time() | _of_older_epoch()).drop("holey", "until")


def _by_time() -> Column:
    return F.coalesce(_late() & (F.col("first_ms") <= F.col("appended_by_ms")), F.lit(False))


def _of_older_epoch() -> Column:
    return F.coalesce(F.col("producer_epoch") < F.col("begin_epoch"), F.lit(False))


def _late() -> Column:
    return F.col("appended_by_ms") + F.col("spread_ms") < F.col("registered_ms")


def batches_inside(spans: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches of these spans (`early_spans`), each with the registration of its own."""
    bounds = spans.select(
        *PRODUCER, "txn_no", "registered_ms", "spread_ms", "begin_epoch", F.col("first_offset").alias("from"),
        F.col("last_offset").alias("to"),
    )  # fmt: skip
    inside = with_few(batches.where("is_transactional AND NOT is_control"), bounds, PRODUCER)
    return inside.where("base_offset BETWEEN from AND to").select(
        *PRODUCER, "log_no", "txn_no", "registered_ms", "spread_ms", "begin_epoch", "producer_epoch",
        F.col("base_offset").alias("first_offset"), F.col("last_offset").alias("batch_last"), "count", "timestamp_type",
        "max_timestamp",
    )  # fmt: skip


def with_decision_before(inside: DataFrame, decisions: DataFrame) -> DataFrame:
    """Add the last decision about the producer in this log before the registration: before_ms, and its begin."""
    key = ["log_no", "producer_id", "txn_no", "registered_ms"]
    asked = inside.select(*key).distinct()
    earlier = asked.join(decisions.select("log_no", "producer_id", "decided_ms", "begun_ms"), key[:2]).where(
        "decided_ms < registered_ms"
    )
    last = F.max(F.struct("decided_ms", "begun_ms"))
    before = earlier.groupBy(*key).agg(last["decided_ms"].alias("before_ms"), last["begun_ms"].alias("before_begun_ms"))
    return inside.join(before, key, "left")


def with_extent(
    spans: DataFrame,
    inside: DataFrame,
    batches: DataFrame,
    decisions: DataFrame,
    clocks: DataFrame,
    measured: DataFrame,
) -> DataFrame:
    """Return these spans (`early_spans`) with the early batches: slipped_first, slipped_last and slipped_records.

    `inside` are the `batches_inside`, with the decision before; the batches of all producers of a log tell when one was
    appended. Up to proven_last later offsets prove it. What follows goes with them as long as it was made, by the
    producer's own clock, before the decision of the transaction that it came too late for; that clock is behind as far
    as the span shows it. newer_offset: the first batch of the transaction around them, null where it has none.
    """
    timed = appended_by(inside, decisions, batches, clocks, measured).withColumnRenamed("first_offset", "batch_first")
    span = Window.partitionBy(*PRODUCER, "txn_no")
    told = timed.withColumns(
        {"proven": F.coalesce(_late(), F.lit(False)) | _of_older_epoch(), "mixed": F.max(_of_older_epoch()).over(span)}
    )
    first_ms = F.min_by("max_timestamp", "batch_first").over(span)
    slow_ms = F.coalesce(F.greatest(F.col("before_begun_ms") - first_ms, F.lit(0)), F.lit(0))
    made = (F.col("timestamp_type") == "CreateTime") & (F.col("max_timestamp") + slow_ms <= F.col("before_ms"))
    extent = (
        told.withColumn("early", F.col("proven") | (F.coalesce(made, F.lit(False)) & ~F.col("mixed")))
        .withColumn("from_others", F.min(F.when(~F.col("early"), F.col("batch_first"))).over(span))
        .where("from_others IS NULL OR batch_first < from_others")
        .groupBy(*PRODUCER, "txn_no", F.col("from_others").alias("newer_offset"))
        .agg(
            F.min("batch_first").alias("slipped_first"),
            F.max("batch_last").alias("slipped_last"),
            F.sum("count").alias("slipped_records"),
            F.max(F.when(F.col("proven"), F.col("batch_last"))).alias("proven_last"),
        )
    )
    return spans.join(extent.where("proven_last IS NOT NULL"), [*PRODUCER, "txn_no"])
