"""Where each partition stands: its LSO, what pins it, and what waits there (RULES A 2)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.stages.few import with_few


def held_from() -> Column:
    """Return where an open transaction holds its log's LSO: max(log start, where the broker finds its first offset).

    From 4.0 on that is before a log's start within a batch. An offset that nothing proves to have left the log is where
    it was, though no file here has it (RULES A 2).
    """
    elsewhere = F.col("gone").isNull() & ~F.col("first_offset").eqNullSafe(F.col("pin_offset"))
    here = F.greatest("log_start_offset", F.coalesce("pin_offset", "first_offset"))
    return F.coalesce("held_offset", F.when(elsewhere, F.col("first_offset")).otherwise(here))


def last_stable_offset(pin: str) -> Column:
    """Return min(log end, the first of `held_from`, which `pin` names), or the log end if nothing is open.

    The high watermark does not limit the LSO: its checkpoint is stale (RULES A 2).
    """
    pinned = F.least("log_end_offset", pin)
    return F.when(F.col(pin).isNull(), F.col("log_end_offset")).otherwise(pinned)


def partition_health(
    logs: DataFrame, opens: DataFrame, disputes: DataFrame, txns: DataFrame, batches: DataFrame
) -> DataFrame:
    """Return rows of the stored table `partition_health`, one per copy of a log; counts are 0 if nothing is open.

    Where no log of the partition is here, nobody can count: null. A high watermark below the LSO or the log's start is
    that of an older checkpoint: null (RULES A 2 a).
    In addition: cleaner_checkpoint, null where the log cleaner does not know the log; contested, whether replicas that
    may lead differ in what is open, and this is one of them (`disputes`, RULES A 16).
    """
    first = F.struct(held_from().alias("offset"), F.col("first_batch.max_timestamp").alias("since"))
    pinned = opens.groupBy(*LOG).agg(F.min(first).alias("pin"))
    bounded = logs.join(pinned, list(LOG), "left").withColumn("lso", last_stable_offset("pin.offset"))
    differ = disputes.select(*PARTITION).distinct().withColumn("differ", F.lit(True))
    bounded = bounded.join(differ, list(PARTITION), "left").withColumn("contested", F.col("differ") & F.col("tied"))
    blocked = bounded.where("pin IS NOT NULL").select("log_no", "lso")
    may_be_now = F.col("high_watermark") >= F.greatest("lso", "log_start_offset")
    return (
        bounded.join(_waiting(blocked, batches), "log_no", "left")
        .join(_ended_above(blocked, txns), "log_no", "left")
        .select(
            *LOG, "authority", "tied", "led_by",
            F.coalesce("contested", F.lit(False)).alias("contested"),
            "has_log", "log_start_offset", "lso",
            F.when(may_be_now, F.col("high_watermark")).alias("high_watermark"),
            "log_end_offset", "cleaner_checkpoint",
            _counted("blocked_records"),
            (F.col("log_end_offset") - F.col("lso")).alias("blocked_offsets"),
            _counted("blocked_bytes"),
            _counted("blocked_transactions"),
            F.col("pin.since").alias("blocked_since"),
            "batches",
        )
    )  # fmt: skip


def _counted(name: str) -> Column:
    """Return a count of batches under its own name: 0 for none, null where no log is here to count in."""
    return F.when(F.col("has_log"), F.coalesce(name, F.lit(0))).alias(name)


def _waiting(blocked: DataFrame, batches: DataFrame) -> DataFrame:
    above = with_few(batches, blocked, ["log_no"]).where("last_offset >= lso")
    records = F.when(~F.col("is_control"), F.coalesce("count", F.col("last_offset") - F.col("base_offset") + 1))
    return above.groupBy("log_no").agg(
        F.coalesce(F.sum(records), F.lit(0)).alias("blocked_records"), F.sum("size").alias("blocked_bytes")
    )


def _ended_above(blocked: DataFrame, txns: DataFrame) -> DataFrame:
    ended = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select("log_no", "first_offset")
    above = with_few(ended, blocked, ["log_no"]).where("first_offset >= lso")
    return above.groupBy("log_no").agg(F.count("*").alias("blocked_transactions"))
