"""Data of judged logs that no marker of its own transaction closes: one row per transaction and log (RULES A 2, A 6).

Two kinds of rows. With a decision: the coordinator decided the transaction, names this partition, and no matched marker
carries it out between the neighbouring matched ones. Without (`decision` null): the log leaves the data open, and no
decision claims it.
"""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN, TXN_OF_ID
from analyzer.lifecycles.placing import PRODUCER, PRODUCER_NO
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

SPAN = (*PRODUCER, "txn_no")
CLAIM = (*SPAN, *TXN_OF_ID)
COPIED = ("base_offset", "base_sequence", "max_timestamp")
"""What a batch has in every copy of a log."""


def judged_spans(txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the transactions of judged logs with data that a consumer can still read."""
    of_logs = logs.where("authority").select("log_no", "log_start_offset")
    return with_few(txns, of_logs, ["log_no"]).where("first_offset IS NOT NULL AND last_offset >= log_start_offset")


def waiting_producers(decisions: DataFrame) -> DataFrame:
    """Return the producer ids that have a decision without a marker in this log."""
    return decisions.where("marker_offset IS NULL").select(*PRODUCER_NO).distinct()


def lost_decisions(waiting: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return each decision without a marker, of the producer ids that have one, between its neighbours' markers.

    lowest_epoch: the lowest of its data is that of its Ongoing record. Prepare may have raised it by one.
    """
    raised = F.when(F.col("registered_ms") < F.col("decided_ms"), 0).otherwise(1)
    lowest = F.coalesce(F.col("begin_epoch") - raised, F.lit(-1))
    before = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(Window.unboundedPreceding, -1)
    after = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(1, Window.unboundedFollowing)
    return (
        waiting.join(decisions, list(PRODUCER_NO))
        .withColumn("after_txn", F.last("txn_no", ignorenulls=True).over(before))
        .withColumn("by_txn", F.first("txn_no", ignorenulls=True).over(after))
        .where("marker_offset IS NULL")
        .select(
            *PRODUCER_NO, *TXN_OF_ID, "rank", "after_txn", "by_txn", "decision", "decided_ms", "completed_ms",
            "begun_ms", "state", "begin_epoch", "decision_epoch", "history_whole", lowest.alias("lowest_epoch"),
        )
    )  # fmt: skip


def claims(
    lost: DataFrame, judged: DataFrame, moments: DataFrame, shifted: DataFrame, shifted_markers: DataFrame
) -> DataFrame:
    """Return each of `lost_decisions` with the spans that can hold its data.

    What a marker ended before the decision was made is another transaction's, and so is data of an epoch below the one
    with which the decided transaction began. Decisions go by the clock of the leader
    that wrote the marker, or the last data: as `shifted` and `shifted_markers` tell where brokers' are apart; by the
    most that any clocks are, where one of them does not.
    """
    spans = judged.select(
        "log_no", *SPAN, F.col("first_offset").alias("span_first"), F.col("last_offset").alias("span_last"),
        F.col("producer_epoch").alias("span_epoch"), F.col("highest_data_epoch").alias("span_highest"),
        F.col("first_ms").alias("span_ms"), "marker", "marker_offset", "marker_ms", "marker_epoch",
        F.coalesce("marker_leader_epoch", "last_leader_epoch").alias("led_under"),
    )  # fmt: skip
    inside = (F.col("after_txn").isNull() | (F.col("txn_no") > F.col("after_txn"))) & (
        F.col("by_txn").isNull() | (F.col("txn_no") <= F.col("by_txn"))
    )
    of_epoch = (F.col("span_epoch") <= F.col("decision_epoch")) & (F.col("span_highest") >= F.col("lowest_epoch"))
    ended_before = F.coalesce(F.col("marker_ms") + SKEW_MS < _decided(), F.lit(False))
    several = Window.partitionBy(*SPAN)
    common = F.broadcast(moments.select("capture", F.col("shift_ms").alias("common_ms")))
    joined = lost.join(spans, list(PRODUCER_NO)).join(shifted.select(*TXN, "by_ms"), list(TXN), "left")
    clocks = shifted_markers.withColumnRenamed("marker_leader_epoch", "led_under")
    own_ms = F.col("by_ms") - F.col("marker_by_ms")
    return (
        joined.join(F.broadcast(clocks), ["log_no", "led_under"], "left")
        .join(common, "capture", "left")
        .withColumn("shift_ms", F.coalesce(own_ms, "common_ms"))
        .where(inside & of_epoch & ~ended_before)
        .drop("by_ms", "marker_by_ms", "common_ms", "led_under", "span_highest")
        .withColumn("alone", (F.count("*").over(several) == 1) & F.col("marker_offset").isNull())
    )


def claimed_data(claims: DataFrame, batches: DataFrame) -> DataFrame:
    """Return each decision with the part of a span that was written before it was decided, and `closer`.

    closer: open, later (a matched later transaction's marker ended it) or unmatched (a marker that belongs to no known
    decision). parted: other data of the same span is clearly the next transaction's.

    A span may hold the data of several transactions; a batch is the first one's that was decided after the batch's
    timestamp. The producer's clock may be behind the coordinator's: by as much at least as the span's first batch lies
    before the begin of the first of these transactions. Data that stays open and has one decision only is that one's,
    whatever the producer's clock said.
    """
    in_span = Window.partitionBy(*SPAN)
    wanted = claims.select(
        *CLAIM, "rank", "alone", "span_first", "span_last", "span_ms", "lowest_epoch", _decided().alias("by_ms"),
        F.min_by("begun_ms", "rank").over(in_span).alias("begun_ms"),
    )  # fmt: skip
    data = with_few(batches.where("is_transactional AND NOT is_control"), wanted, PRODUCER)
    data = data.where("base_offset BETWEEN span_first AND span_last AND producer_epoch >= lowest_epoch")
    behind_ms = F.greatest(F.col("begun_ms") - F.col("span_ms"), F.lit(0))
    created = F.when(F.col("stamped"), F.col("max_timestamp")).otherwise(
        F.col("max_timestamp") + F.coalesce(behind_ms, F.lit(0))
    )
    early = data.where(F.col("alone") | (created <= F.col("by_ms")))
    first = first_of_each(early, (*SPAN, "base_offset"), ("rank",), 1)
    line = F.struct("base_offset", "batch_ref")
    parts = first.groupBy(*CLAIM).agg(
        F.min("base_offset").alias("first_offset"),
        F.max("last_offset").alias("last_offset"),
        F.sum("count").alias("records"),
        F.min("producer_epoch").alias("producer_epoch"),
        F.max("producer_epoch").alias("highest_data_epoch"),
        F.max("partition_leader_epoch").alias("last_leader_epoch"),
        F.min(line)["batch_ref"].alias("first_ref"),
        F.max(line)["batch_ref"].alias("last_ref"),
        F.min(F.struct(*COPIED)).alias("first_copy_batch"),
    )
    joined = claims.drop("after_txn", "alone", "shift_ms", "lowest_epoch").join(parts, list(CLAIM))
    closer = (
        F.when(F.col("marker_offset").isNull(), "open")
        .when(F.col("by_txn") == F.col("txn_no"), "later")
        .otherwise("unmatched")
    )
    return (
        first_of_each(joined, (*PRODUCER, *TXN_OF_ID), ("txn_no",), 1)
        .withColumn("parted", F.col("last_offset") < F.col("span_last"))
        .withColumn("closer", closer)
        .drop("turn", "span_first", "span_last", "span_epoch", "span_ms")
    )


def _decided() -> Column:
    """Return when it was decided, by the clock of the log; a later coordinator's clock may be behind."""
    return F.least("decided_ms", "completed_ms") + F.coalesce("shift_ms", F.lit(0))


def unclaimed_spans(judged: DataFrame, claims: DataFrame, opens: DataFrame, ids: DataFrame) -> DataFrame:
    """Return the spans that the log leaves open, that no decision claims, and that no verdict is about.

    Those of producers that the coordinator knows (`ids`) and that have something open for the broker too (`opens`).
    """
    explained = opens.join(ids, ["capture", "producer_id"], "left_semi")
    rest = judged.where("marker_offset IS NULL").join(claims.select(*SPAN).distinct(), list(SPAN), "left_anti")
    spans = rest.select(
        "log_no", *SPAN, "first_offset", "last_offset", "last_batch_offset", "records", "producer_epoch",
        "highest_data_epoch", "last_leader_epoch",
    )  # fmt: skip
    return spans.join(explained.select(*PRODUCER), list(PRODUCER), "left_anti")


def unclaimed_data(told: DataFrame) -> DataFrame:
    """Return `unclaimed_spans` with what is known of their batches first_batch and last_batch, as `claimed_data`."""
    first = F.struct(*[F.col("first_batch")[name].alias(name) for name in COPIED])
    return told.select(
        *told.drop("first_batch", "last_batch", "last_batch_offset").columns,
        F.col("first_batch.batch_ref").alias("first_ref"), F.col("last_batch.batch_ref").alias("last_ref"),
        first.alias("first_copy_batch"), F.lit("open").alias("closer"),
    )  # fmt: skip
