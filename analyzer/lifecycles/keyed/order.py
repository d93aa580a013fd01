"""Keys of which a group has read a later record than one that it has not read (RULES C 10)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.keyed.faults import MOVED, READERS, SHOWN, key_name, with_batch
from analyzer.lifecycles.keyed.records import EXPANSION
from analyzer.lifecycles.keyed.tables import BROKEN_ORDERS
from analyzer.lifecycles.keyed.thresholds import KNOWN, PRIOR
from analyzer.stages.combining import first_of_each

KEY = (*MOVED, "group", "key_digest")
FIRST_BROKEN = (MOVED, ("unread_offset", "group", "key_digest"), SHOWN)
"""Which keys a finding names: of each of these, in this order, so many."""


def out_of_order(moved: DataFrame, reading: DataFrame) -> DataFrame:
    """Return the keys of which a group has read a later record than one that is unread (RULES C 10).

    A key counts if the group has consumed (committed) a record in the new home, and has not consumed one with an
    earlier timestamp in the prior home: KEY and both records. `moved` may be a share of the keys.
    """
    rows = moved.select(*MOVED, "replica", "offset", "timestamp", "lies", "key_digest", "key_sample")
    behind = F.broadcast(reading.select(*READERS, "position").distinct())
    left = rows.where("lies = 'old'").drop("home_partition").join(behind, list(PRIOR)).where("offset >= position")
    unread = _first_record(left, (*READERS, "key_digest"), "timestamp", "offset")
    there = F.broadcast(reading.select(*MOVED, "group", "home_position"))
    seen = rows.where("lies = 'new'").join(there, list(MOVED)).where("offset < home_position")
    read = _first_record(seen, KEY, F.desc("timestamp"), F.desc("offset"))
    records = F.col("records").alias("unread_records")
    both = unread.select(*READERS, "key_digest", "key_sample", records, *_record("unread"))
    both = both.join(read.select(*KEY, *_record("read")), [*READERS, "key_digest"])
    return both.where("read_ms > unread_ms")


def _first_record(rows: DataFrame, group: tuple[str, ...], *order: Column | str) -> DataFrame:
    """Return the first record of each of these groups, and how many `records` there are."""
    key = Window.partitionBy(*group)
    counted = rows.withColumn("records", F.count("*").over(key)).withColumn("key_sample", F.min("key_sample").over(key))
    return first_of_each(counted, group, order, 1)


def _record(side: str) -> list[Column]:
    names = {"offset": "offset", "timestamp": "ms", "replica": "replica"}
    return [F.col(name).alias(f"{side}_{short}") for name, short in names.items()]


def broken_keys(broken: DataFrame) -> DataFrame:
    """Return how many keys and records each prior partition and new home has out of order; `broken`: `out_of_order`."""
    counts = {"keys": F.countDistinct("key_digest"), "unread_records": F.sum("unread_records")}
    return broken.groupBy(*MOVED).agg(*[count.alias(name) for name, count in counts.items()])


def broken_order(
    broken: DataFrame, shown: DataFrame, counts: DataFrame, reading: DataFrame, bounds: DataFrame
) -> DataFrame:
    """Return one row per prior partition and new home of an expansion with keys read out of order (RULES C 10).

    `shown` are the first of `broken`, `counts` are `broken_keys`. The first key is the example, with both records and
    the positions of its group.
    """
    names = shown.groupBy(*MOVED).agg(
        F.concat_ws(", ", F.array_sort(F.collect_set(key_name()))).alias("key_samples"),
        F.concat_ws(", ", F.array_sort(F.collect_set("group"))).alias("group_names"),
    )
    groups = broken.groupBy(*MOVED).agg(F.countDistinct("group").alias("groups"))
    at = reading.select(*MOVED, "group", "position", "position_ref", "home_position", "home_ref")
    example = shown.where("turn = 1").drop("turn", "key_digest", "key_sample", "unread_records")
    return (
        example.join(at, [*MOVED, "group"])
        .withColumnRenamed("group", "group_name")
        .join(names, list(MOVED))
        .join(counts, list(MOVED))
        .join(groups, list(MOVED))
        .join(F.broadcast(bounds.select(*EXPANSION, *KNOWN)), list(EXPANSION))
    )


def with_broken_batches(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the two batches of a broken order's example."""
    unread = with_batch(
        rows.withColumn("replica", F.col("unread_replica")), batches, "prior_partition", "unread_offset", "unread_ref"
    )
    both = with_batch(
        unread.withColumn("replica", F.col("read_replica")), batches, "home_partition", "read_offset", "read_ref"
    )
    return both.select(*BROKEN_ORDERS.names)
