"""From keyed records and the counts of an expanded topic to its boundary: which records moved, and each threshold.

KIP-253: a consumer may read a new partition once it has read each prior partition up to where the old count ended.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.keyed.records import PARTITION, TOPIC, key_hash
from analyzer.lifecycles.placing import LOG

PRIOR = (*TOPIC, "prior_partition")
COUNTS = ("how", "partitioner", "old_count", "new_count", "unexplained", "expanded_at")


def moved_records(records: DataFrame, expansions: DataFrame) -> DataFrame:
    """Return the records of keys that the expansion moves, and those that no count explains.

    Added: prior_partition and home_partition (where the old and the new count put the key) and `lies`: old, new or
    neither.
    """
    counts = expansions.where("how IN ('two', 'unused')").select(*TOPIC, *COUNTS)
    rows = (
        records.join(F.broadcast(counts), list(TOPIC))
        .withColumn("prior_partition", (key_hash() % F.col("old_count")).cast("int"))
        .withColumn("home_partition", (key_hash() % F.col("new_count")).cast("int"))
        .drop("key_murmur2", "key_crc32", "how", "partitioner")
    )
    by_old, by_new = (F.col("partition") == F.col(name) for name in ("prior_partition", "home_partition"))
    lies = F.when(by_old & by_new, "both").when(by_old, "old").when(by_new, "new").otherwise("neither")
    return rows.withColumn("lies", lies).where("lies <> 'both'")


def boundaries(moved: DataFrame, lags: DataFrame, expansions: DataFrame) -> DataFrame:
    """Return per expanded topic the moment of its expansion: boundary_ms, boundary_from, slack_ms and the counts.

    Told by capture.toml (expanded_at), else the first record that only the new count explains; then what was written
    within slack_ms after it may still be older (`lags` is `disorder`). Null where keys that follow neither count leave
    it open: one of them may be that first record by chance.
    """
    first = moved.where("lies = 'new' AND timestamp >= 0").groupBy(*TOPIC).agg(F.min("timestamp").alias("first_new_ms"))
    told = F.col("expanded_at").isNotNull()
    shown = F.when(F.col("unexplained") == 0, F.col("first_new_ms"))
    return (
        expansions.where("how IN ('two', 'unused')")
        .join(first, list(TOPIC), "left")
        .join(lags, list(TOPIC), "left")
        .withColumn("boundary_ms", F.coalesce("expanded_at", shown))
        .withColumn(
            "boundary_from", F.when(told, "expanded_at").when(shown.isNotNull(), "first record by the new count")
        )
        .withColumn("slack_ms", F.when(told, F.lit(0).cast("bigint")).otherwise(F.coalesce("disorder_ms", F.lit(0))))
    )


def stale_records(moved: DataFrame, bounds: DataFrame) -> DataFrame:
    """Return the records that were routed by the old count after the expansion, with `by_offset`: beyond any clock.

    In an old partition that keys of another one move to, a record by the new count proves by its offset alone that what
    lies behind it was written after the expansion; this is not asked where keys follow neither count.
    """
    exact = moved.where("lies = 'new' AND unexplained = 0").groupBy(*PARTITION).agg(F.min("offset").alias("first_new"))
    rows = (
        moved.where("lies = 'old'")
        .join(F.broadcast(bounds.select(*TOPIC, "boundary_ms", "boundary_from", "slack_ms")), list(TOPIC))
        .join(F.broadcast(exact), list(PARTITION), "left")
    )
    by_offset = F.coalesce(F.col("offset") > F.col("first_new"), F.lit(False))
    late = F.when(F.col("boundary_from") == "expanded_at", F.col("timestamp") >= F.col("boundary_ms")).otherwise(
        F.col("timestamp") > F.col("boundary_ms") + F.col("slack_ms")
    )
    return rows.withColumn("by_offset", by_offset).where(by_offset | F.coalesce(late, F.lit(False)))


def links(bounds: DataFrame) -> DataFrame:
    """Return which prior partitions each partition gets keys from: PRIOR and home_partition, for every expanded topic.

    A key moves from p to q where p = hash % old, q = hash % new: that is where p and q agree modulo their greatest
    common divisor. So a home may be an old partition too, where new is no multiple of old.
    """

    def each(count: str) -> Column:
        return F.explode(F.sequence(F.lit(0), F.col(count) - 1))

    every = bounds.select(*TOPIC, "old_count", "new_count", each("old_count").alias("prior_partition"))
    pairs = every.select("*", each("new_count").alias("home_partition")).where("prior_partition <> home_partition")
    return pairs.where((F.col("prior_partition") - F.col("home_partition")) % _divisor() == 0).select(
        *PRIOR, "home_partition"
    )


def _divisor() -> Column:
    """Return the greatest common divisor of old_count and new_count (Euclid, at most 24 steps below 100,000)."""
    pair = F.struct(F.col("new_count").alias("a"), F.col("old_count").alias("b"))
    steps = F.sequence(F.lit(1), F.lit(24))
    last = F.aggregate(
        steps, pair, lambda two, _: F.when(two["b"] == 0, two).otherwise(
            F.struct(two["b"].alias("a"), (two["a"] % F.greatest(two["b"], F.lit(1))).alias("b"))
        ),
    )  # fmt: skip
    return last["a"]


def thresholds(
    records: DataFrame, bounds: DataFrame, stale: DataFrame, logs: DataFrame, epochs: DataFrame, txns: DataFrame
) -> DataFrame:
    """Return one row per prior partition: PRIOR, replica and three boundaries side by side, each an offset or null.

    time_offset: the first record at or after the moment, else the log end (as ListOffsets by timestamp answers).
    epoch_offset: where the first leader epoch behind it begins, old_leader_epoch being the one before; a stock broker
    bumps no epoch at an expansion, so this is an upper bound. stale_end: the last stale record plus 1. Transactions
    that were open across time_offset: spanning, spanning_first (a struct).
    """
    judged = logs.where("authority").join(F.broadcast(bounds.select(*TOPIC, "old_count", "boundary_ms")), list(TOPIC))
    own = judged.where("partition < old_count").select(*LOG, "log_end_offset", "boundary_ms")
    late = (
        records.join(F.broadcast(bounds.select(*TOPIC, "boundary_ms")), list(TOPIC))
        .where("timestamp >= boundary_ms")
        .groupBy(*PARTITION)
        .agg(F.min("offset").alias("late_offset"))
    )
    ends = stale.groupBy(*PARTITION).agg((F.max("offset") + 1).alias("stale_end"))
    end = F.when(F.col("boundary_ms").isNotNull(), F.coalesce("late_offset", "log_end_offset"))
    rows = own.join(late, list(PARTITION), "left").join(ends, list(PARTITION), "left").withColumn("time_offset", end)
    return (
        rows.join(_epochs(rows, epochs), list(LOG), "left")
        .join(_spanning(rows, txns), list(LOG), "left")
        .withColumnRenamed("partition", "prior_partition")
    )


def _epochs(rows: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the leader epochs around time_offset."""
    entries = epochs.join(F.broadcast(rows.select(*LOG, "time_offset")), list(LOG))
    behind = F.col("start_offset") >= F.col("time_offset")
    first = F.min(F.when(behind & (F.col("epoch") > 0), F.struct("start_offset", "epoch", "epoch_ref")))
    return entries.groupBy(*LOG).agg(
        F.max(F.when(~behind, F.col("epoch"))).alias("old_leader_epoch"), first.alias("bump")
    ).select(
        *LOG, "old_leader_epoch", F.col("bump.start_offset").alias("epoch_offset"),
        F.col("bump.epoch_ref").alias("epoch_ref"),
    )  # fmt: skip


def _spanning(rows: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the transactions that were open when the old count ended."""
    open_then = F.col("marker_offset").isNull() | (F.col("marker_offset") >= F.col("time_offset"))
    across = (
        txns.join(F.broadcast(rows.select(*LOG, "time_offset")), list(LOG))
        .where(F.col("first_offset") < F.col("time_offset"))
        .where(open_then)
    )
    return across.groupBy(*LOG).agg(
        F.count("*").alias("spanning"),
        F.min(F.struct("first_offset", "producer_id", "marker", "marker_offset")).alias("spanning_first"),
    )
