"""What each producer id wrote in each epoch, and where its sequences have gaps (RULES C 3, KIP-98)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.settings import PRODUCER_ID_EXPIRES_MS
from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.lifecycles.placing import LOG, PRODUCER, PRODUCER_NO, with_log
from analyzer.stages.few import with_few

EPOCH = (*PRODUCER, "producer_epoch")
SEQUENCES = 1 << 31
"""Sequences run from 0 to 2147483647 and then start at 0 again (`DefaultRecordBatch.incrementSequence`)."""


def producer_epochs(batches: DataFrame, logs: DataFrame) -> DataFrame:
    """Return one row per (judged log, producer id, epoch, kind of batch), in one pass without sorting.

    Batches are data or control, transactional or not; damaged ones and those below the log start are left out. Columns:

    - first_offset, last_offset, filled_offset (of the first batch with records), batches, records;
    - oldest_ms: the oldest max_timestamp; appended_ms: the same by the broker's clock, null where a producer set it;
    - offsets and counted: the sums of offset ranges and of record counts, unequal where the cleaner was;
    - first_sequence, last_sequence, and sequences: the sum of sequence ranges.
    """
    judged = logs.where("authority").select("log_no", "log_start_offset")
    live = with_few(batches, judged, ["log_no"])
    live = live.where("last_offset >= log_start_offset AND coalesce(crc_valid, true)")
    width = F.col("last_offset") - F.col("base_offset") + 1
    stamped = F.when(F.col("stamped"), F.col("max_timestamp"))
    filled = F.coalesce("count", width) > 0
    transactional = F.coalesce("is_transactional", F.lit(False)).alias("transactional")
    epochs = live.groupBy(*PRODUCER_NO, "producer_epoch", "is_control", transactional).agg(
        F.min("base_offset").alias("first_offset"),
        F.max("last_offset").alias("last_offset"),
        F.count("*").alias("batches"),
        F.sum(F.coalesce("count", width)).alias("records"),
        F.min(F.when(filled & (F.col("max_timestamp") >= 0), F.col("max_timestamp"))).alias("oldest_ms"),
        F.min(F.when(filled, stamped)).alias("appended_ms"),
        F.sum(width).alias("offsets"),
        F.sum(F.coalesce("count", width)).alias("counted"),
        F.min("base_sequence").alias("first_sequence"),
        F.max("last_sequence").alias("last_sequence"),
        F.sum(F.col("last_sequence") - F.col("base_sequence") + 1).alias("sequences"),
        F.min(F.when(filled, F.col("base_offset"))).alias("filled_offset"),
    )
    return with_log(epochs, logs).drop("log_no")


def suspects(epochs: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the producer epochs in whole logs whose sequences do not add up.

    Internal topics are left out: their batches are the broker's own, and each starts at sequence 0 or has none.
    """
    odd = epochs.where(
        "NOT is_control AND producer_id >= 0 AND first_sequence >= 0 "
        "AND (sequences < batches OR sequences != cast(last_sequence as bigint) - first_sequence + 1)"
    ).where(~F.col("topic").isin(*INTERNAL_TOPICS))
    return odd.select(*EPOCH).distinct().join(_whole_logs(epochs, logs), list(LOG))


def sequence_gaps(suspected: DataFrame, batches: DataFrame, expirations: DataFrame) -> DataFrame:
    """Return rows of `sequence_gaps`: neighbouring batches of a suspect whose sequences do not continue.

    A sequence that starts at 0 again is no gap: the broker had forgotten the producer id. After a pause of a day the
    sequence may be anything (`producer.id.expiration.ms`, `ProducerAppendInfo.checkSequence`), or after a shorter one
    where `expirations` tell that it was ever set so.
    """
    told = suspected.join(expirations.select("capture", "shortest_ms"), "capture", "left")
    rows = with_few(batches.where("NOT is_control AND base_sequence >= 0"), told, EPOCH)
    order = Window.partitionBy(*EPOCH).orderBy("base_offset")
    before = F.lag(F.struct("base_offset", "last_offset", "last_sequence", "max_timestamp", "batch_ref")).over(order)
    expected = (F.col("before.last_sequence").cast("bigint") + 1) % SEQUENCES
    gap = (F.col("base_sequence") != expected) & (F.col("base_sequence") != 0)
    pause_ms = F.abs(F.col("max_timestamp") - F.col("before.max_timestamp"))
    paused = pause_ms >= F.least(F.lit(PRODUCER_ID_EXPIRES_MS), "shortest_ms")
    return (
        rows.withColumn("before", before)
        .withColumn("expected_sequence", expected)
        .where(gap & ~F.coalesce(paused, F.lit(False)))
        .select(*EPOCH, "base_offset", "last_offset", "base_sequence", "expected_sequence", "is_transactional",
                "max_timestamp", "count", "batch_ref", "before")
    )  # fmt: skip


def _whole_logs(epochs: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the logs from which no record is missing, and that the cleaner has no checkpoint for.

    No offset is missing between the first and the last, and every batch has a record for each of its offsets.
    """
    bounds = epochs.groupBy(*LOG).agg(
        F.min("first_offset").alias("from"),
        F.max("last_offset").alias("to"),
        F.sum("offsets").alias("offsets"),
        F.sum("counted").alias("counted"),
    )
    uncleaned = logs.where("cleaner_checkpoint IS NULL").select(*LOG)
    return bounds.where("offsets = to - from + 1 AND counted = offsets").join(uncleaned, list(LOG)).select(*LOG)
