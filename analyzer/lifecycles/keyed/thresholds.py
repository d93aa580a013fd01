"""The boundary of an expansion: which records moved, which are stale, and the threshold of each prior partition.

By KIP-253 a consumer may read a new partition once it has read each prior partition up to the end of the old count.
"""

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.keyed.records import EXPANSION, PARTITION, TOPIC, disorder, key_hash
from analyzer.lifecycles.placing import LOG

PRIOR = (*EXPANSION, "prior_partition")
COPY = (*PARTITION, "new_count")
"""A partition, as one expansion found it."""
COUNTS = ("partitioner", "old_count", "new_count", "counts", "unexplained", "expanded_at")
KNOWN = ("old_count", "expansion", "boundary_ms", "boundary_from")


def moved_records(records: DataFrame, expansions: DataFrame) -> DataFrame:
    """Return the records of keys that each expansion moves, and those that no count explains.

    Added: prior_partition, where the count before it puts the key, and `lies`: old (there, where no later count puts
    it), new (where a later count puts it, and neither this nor an earlier one) or neither (no count at all explains
    its partition). home_partition is that of a new record: a key that moved once more has several.
    """
    counts = expansions.where("how IN ('two', 'unused')").select(*TOPIC, *COUNTS)

    def by_any(wanted: Callable[[Column], Column]) -> Column:
        return F.exists("counts", lambda count: wanted(count) & (key_hash() % count == F.col("partition")))

    old_count, new_count = F.col("old_count"), F.col("new_count")
    by_old, prior = F.col("prior_partition") == F.col("partition"), key_hash() % old_count
    earlier, later = by_any(lambda count: count < old_count), by_any(lambda count: count >= new_count)
    moves = prior != key_hash() % new_count
    lies = (
        F.when(by_old & ~later, "old").when(moves & later & ~by_old & ~earlier, "new")
        .when(~by_old & ~later & ~earlier, "neither")
    )  # fmt: skip
    return (
        records.join(F.broadcast(counts), list(TOPIC))
        .withColumn("prior_partition", prior.cast("int"))
        .withColumn("lies", lies)
        .where("lies IS NOT NULL")
        .withColumn("home_partition", F.when(F.col("lies") == "new", F.col("partition")))
        .drop("key_murmur2", "key_crc32", "counts", "partitioner")
    )


def boundaries(grown: DataFrame, moved: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the moment of each expansion: boundary_ms, boundary_from, slack_ms, and the topic's counts.

    The moment is `expanded_at` of capture.toml, otherwise that of the first record that only the new count explains.
    In the second case, what is stamped within slack_ms after it may still be older (`disorder`). If some keys follow no
    count, such a first record may be there by chance, and the moment is null. Of several expansions, expanded_at is
    that of the first one whose records by the new count are all as new or newer, else that of the last.
    """
    new = moved.where("lies = 'new' AND timestamp >= 0")
    first = new.groupBy(*EXPANSION).agg(F.min("timestamp").alias("first_new_ms"))
    every = Window.partitionBy(*TOPIC)
    after = F.col("first_new_ms").isNull() | (F.col("first_new_ms") >= F.col("expanded_at"))
    whose = F.coalesce(F.min(F.when(after, F.col("new_count"))).over(every), F.max("new_count").over(every))
    told = F.col("expanded_at").isNotNull() & (F.col("new_count") == F.col("whose"))
    shown = F.when(F.col("unexplained") == 0, F.col("first_new_ms"))
    return (
        grown.join(first, list(EXPANSION), "left")
        .join(disorder(batches, grown), list(TOPIC), "left")
        .withColumn("whose", whose)
        .withColumn("boundary_ms", F.when(told, F.col("expanded_at")).otherwise(shown))
        .withColumn(
            "boundary_from", F.when(told, "expanded_at").when(shown.isNotNull(), "first record by the new count")
        )
        .withColumn("slack_ms", F.when(told, F.lit(0).cast("bigint")).otherwise(F.coalesce("disorder_ms", F.lit(0))))
    )


def first_moved(moved: DataFrame) -> DataFrame:
    """Return `first_new`, the offset of the first record by the new count of each expansion in each partition.

    Left out are topics in which some keys follow neither count: such a record may be there by chance.
    """
    return moved.where("lies = 'new' AND unexplained = 0").groupBy(*COPY).agg(F.min("offset").alias("first_new"))


def stale_records(moved: DataFrame, exact: DataFrame, bounds: DataFrame) -> DataFrame:
    """Return the records that were written by the old count after the expansion (RULES C 7).

    `by_offset`: a record by the new count (`exact`, the `first_moved`) comes before it in the same partition, which
    proves it without any clock.
    """
    rows = (
        moved.where("lies = 'old'")
        .drop("old_count")
        .join(F.broadcast(bounds.select(*EXPANSION, *KNOWN, "slack_ms")), list(EXPANSION))
        .join(F.broadcast(exact), list(COPY), "left")
    )
    by_offset = F.coalesce(F.col("offset") > F.col("first_new"), F.lit(False))
    late = F.when(F.col("boundary_from") == "expanded_at", F.col("timestamp") >= F.col("boundary_ms")).otherwise(
        F.col("timestamp") > F.col("boundary_ms") + F.col("slack_ms")
    )
    return rows.withColumn("by_offset", by_offset).where(by_offset | F.coalesce(late, F.lit(False)))


def links(bounds: DataFrame, each: DataFrame) -> DataFrame:
    """Return rows of `thresholds`: which partitions get keys from which prior partitions, with the thresholds of each.

    A key moves from p = hash % old to q = hash % new. Such keys exist if p and q agree modulo the greatest common
    divisor of old and new. If new is no multiple of old, a home may therefore be an old partition as well.
    """

    def partitions(count: str) -> Column:
        return F.explode(F.sequence(F.lit(0), F.col(count) - 1))

    rows = bounds.select(*EXPANSION, "old_count", partitions("old_count").alias("prior_partition"))
    pairs = rows.select("*", partitions("new_count").alias("home_partition")).where("prior_partition <> home_partition")
    linked = pairs.where((F.col("prior_partition") - F.col("home_partition")) % _divisor() == 0)
    return linked.select(*PRIOR, "home_partition").join(each, list(PRIOR))


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
    bounds: DataFrame, records: DataFrame, stale: DataFrame, logs: DataFrame, epochs: DataFrame, txns: DataFrame
) -> DataFrame:
    """Return one row per expansion and prior partition with three boundaries, each an offset or null (RULES C 8).

    time_offset is the first record at or after the moment, otherwise the log end, as ListOffsets by timestamp answers.
    epoch_offset is the start of the first leader epoch at or after time_offset; it is an upper bound, because an
    expansion does not raise the leader epoch. stale_end is the last stale record plus 1. `spanning` counts the
    transactions that were open across time_offset.
    """
    judged = logs.where("authority").join(F.broadcast(bounds.select(*EXPANSION, *KNOWN)), list(TOPIC))
    own = judged.where("partition < old_count")
    own = own.select(*LOG, "new_count", "log_end_offset", "old_count", "expansion", "boundary_ms")
    late = (
        records.join(F.broadcast(bounds.select(*EXPANSION, "boundary_ms")), list(TOPIC))
        .where("timestamp >= boundary_ms")
        .groupBy(*COPY)
        .agg(F.min("offset").alias("late_offset"))
    )
    ends = stale.groupBy(*COPY).agg((F.max("offset") + 1).alias("stale_end"))
    end = F.when(F.col("boundary_ms").isNotNull(), F.coalesce("late_offset", "log_end_offset"))
    rows = own.join(late, list(COPY), "left").join(ends, list(COPY), "left").withColumn("time_offset", end)
    return (
        rows.join(_epochs(rows, epochs), [*LOG, "new_count"], "left")
        .join(_spanning(rows, txns), [*LOG, "new_count"], "left")
        .withColumnRenamed("partition", "prior_partition")
    )


def _epochs(rows: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the leader epochs around time_offset."""
    entries = epochs.join(F.broadcast(rows.select(*LOG, "new_count", "time_offset")), list(LOG))
    later = F.col("start_offset") >= F.col("time_offset")
    first = F.min(F.when(later & (F.col("epoch") > 0), F.struct("start_offset", "epoch", "epoch_ref")))
    return entries.groupBy(*LOG, "new_count").agg(
        F.max(F.when(~later, F.col("epoch"))).alias("old_leader_epoch"), first.alias("bump")
    ).select(
        *LOG, "new_count", "old_leader_epoch", F.col("bump.start_offset").alias("epoch_offset"),
        F.col("bump.epoch_ref").alias("epoch_ref"),
    )  # fmt: skip


def _spanning(rows: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the transactions that were open when the old count ended."""
    open_then = F.col("marker_offset").isNull() | (F.col("marker_offset") >= F.col("time_offset"))
    across = (
        txns.join(F.broadcast(rows.select(*LOG, "new_count", "time_offset")), list(LOG))
        .where(F.col("first_offset") < F.col("time_offset"))
        .where(open_then)
    )
    return across.groupBy(*LOG, "new_count").agg(
        F.count("*").alias("spanning"),
        F.min(F.struct("first_offset", "producer_id", "marker", "marker_offset")).alias("spanning_first"),
    )
