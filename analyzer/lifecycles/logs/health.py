"""From the bounds of logs and their open transactions to where each partition stands: LSO and what waits behind it."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG, PRODUCER


def last_stable_offset(first_open: str) -> Column:
    """Return min(log end, max(log start, first open offset of the broker view)), the log end where none is open.

    It is not clamped by the high watermark, whose checkpoint is stale (RULES A 2). `first_open` names the column.
    """
    pinned = F.least("log_end_offset", F.greatest("log_start_offset", first_open))
    return F.when(F.col(first_open).isNull(), F.col("log_end_offset")).otherwise(pinned)


def partition_health(logs: DataFrame, opens: DataFrame, txns: DataFrame, batches: DataFrame) -> DataFrame:
    """Return one row per copy of a log: rows of the table `partition_health`; counts are 0 where nothing is open."""
    first = F.struct("first_offset", F.col("first_batch.max_timestamp").alias("since"))
    pinned = opens.groupBy(*LOG).agg(F.min(first).alias("pin"))
    bounded = logs.join(pinned, list(LOG), "left").withColumn("lso", last_stable_offset("pin.first_offset"))
    blocked = bounded.where("pin IS NOT NULL").select(*LOG, "lso")
    return (
        bounded.join(_waiting(blocked, batches), list(LOG), "left")
        .join(_ended_behind(blocked, txns), list(LOG), "left")
        .select(
            *LOG,
            "authority",
            "tied",
            "log_start_offset",
            "lso",
            "high_watermark",
            "log_end_offset",
            F.coalesce("blocked_records", F.lit(0)).alias("blocked_records"),
            (F.col("log_end_offset") - F.col("lso")).alias("blocked_offsets"),
            F.coalesce("blocked_bytes", F.lit(0)).alias("blocked_bytes"),
            F.coalesce("blocked_transactions", F.lit(0)).alias("blocked_transactions"),
            F.col("pin.since").alias("blocked_since"),
            "batches",
        )
    )


def _waiting(blocked: DataFrame, batches: DataFrame) -> DataFrame:
    behind = batches.join(F.broadcast(blocked), list(LOG)).where("last_offset >= lso")
    records = F.when(~F.col("is_control"), F.coalesce("count", F.col("last_offset") - F.col("base_offset") + 1))
    return behind.groupBy(*LOG).agg(
        F.coalesce(F.sum(records), F.lit(0)).alias("blocked_records"), F.sum("size").alias("blocked_bytes")
    )


def _ended_behind(blocked: DataFrame, txns: DataFrame) -> DataFrame:
    ended = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(*PRODUCER, "first_offset")
    behind = ended.join(F.broadcast(blocked), list(LOG)).where("first_offset >= lso")
    return behind.groupBy(*LOG).agg(F.count("*").alias("blocked_transactions"))
