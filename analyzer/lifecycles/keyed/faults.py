"""What went wrong with an expanded keyed topic: stale producers, groups that read ahead, keys out of order."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.combining import first_of_each
from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.keyed.records import TOPIC
from analyzer.lifecycles.keyed.tables import BROKEN_ORDERS
from analyzer.lifecycles.keyed.thresholds import PRIOR
from analyzer.lifecycles.placing import LOG

SHOWN = 5
"""Keys, partitions or groups that a finding names."""
STRAY_SHARE = 4
"""A producer chooses partitions itself if its records by neither count are more than a quarter of its stale ones."""
STALE = (*LOG, "producer_id")
BROKEN = (*PRIOR, "home_partition")
READERS = (*PRIOR, "group")
KEY = (*BROKEN, "group", "key_digest")
FIRST_STALE = (STALE, ("first_offset", "key_digest"), SHOWN)
FIRST_BROKEN = (BROKEN, ("unread_offset", "group", "key_digest"), SHOWN)
"""Which keys a finding names: of each of these, in this order, so many."""
LIMIT = (
    "replica", "time_offset", "stale_end", "boundary_ms", "boundary_from", "old_leader_epoch", "epoch_offset",
    "epoch_ref", "spanning", "spanning_first",
)  # fmt: skip


def stale_producers(
    stale: DataFrame, shown: DataFrame, counts: DataFrame, moved: DataFrame, known: DataFrame
) -> DataFrame:
    """Return one row per partition and producer id that went on by the old count (RULES C 7).

    `shown` are the first of its `stale_keys`, `counts` says how many there are, `known` has the transactional ids of
    producer ids. Columns: those of `stale_producers`, but for the two lines.
    """
    rows = _per_producer(stale, shown, counts)
    strays = (
        _with_producer(moved.where("lies = 'neither'")).groupBy(*TOPIC, "producer_id").agg(F.count("*").alias("strays"))
    )
    all_stale = F.sum("records").over(Window.partitionBy(*TOPIC, "producer_id"))
    ids = known.select("capture", "producer_id", "transactional_id")
    return (
        rows.withColumn("all_stale", all_stale)
        .join(strays, [*TOPIC, "producer_id"], "left")
        .where(F.coalesce("strays", F.lit(0)) * STRAY_SHARE <= F.col("all_stale"))
        .join(ids, ["capture", "producer_id"], "left")
        .withColumn("first_offset", F.col("first.offset"))
        .withColumn("first_ms", F.col("first.timestamp"))
        .drop("first", "names", "all_stale", "strays")
    )


def _with_producer(rows: DataFrame) -> DataFrame:
    """Return the rows with producer id -1 where there is none."""
    return rows.withColumn("producer_id", F.coalesce("producer_id", F.lit(-1).cast("bigint")))


def _per_producer(stale: DataFrame, shown: DataFrame, counts: DataFrame) -> DataFrame:
    """Return what each producer id wrote by the old count in each partition, with the names of its first keys."""
    shared = ("boundary_ms", "boundary_from", "old_count", "new_count")
    rows = (
        _with_producer(stale)
        .groupBy(*STALE)
        .agg(
            F.count("*").alias("records"),
            F.count_if("by_offset").alias("by_offset"),
            F.count_if("is_transactional").alias("transactional_records"),
            F.min(F.struct("offset", "timestamp")).alias("first"),
            F.max("offset").alias("last_offset"),
            F.max("timestamp").alias("last_ms"),
            *[F.max(name).alias(name) for name in ("producer_epoch", *shared)],
        )
    )
    names = shown.groupBy(*STALE).agg(F.sort_array(F.collect_list(_key_name())).alias("names"))
    return rows.join(counts, list(STALE)).join(names, list(STALE)).withColumn("key_samples", F.concat_ws(", ", "names"))


def stale_keys(stale: DataFrame) -> DataFrame:
    """Return the keys that each producer id wrote by the old count in each partition, with the first offset."""
    firsts = F.min("key_sample").alias("key_sample"), F.min("offset").alias("first_offset")
    return _with_producer(stale).groupBy(*STALE, "key_digest").agg(*firsts)


def stale_key_counts(stale: DataFrame) -> DataFrame:
    """Return how many keys that are."""
    return _with_producer(stale).groupBy(*STALE).agg(F.countDistinct("key_digest").alias("keys"))


def _key_name() -> Column:
    """Return the name that findings give a key: its sample and digest."""
    return F.concat("key_sample", F.lit(" ("), "key_digest", F.lit(")"))


def moved_in(moved: DataFrame) -> DataFrame:
    """Return, for each prior partition and new home, the first record that the new count put there."""
    return moved.where("lies = 'new'").groupBy(*PRIOR, "home_partition").agg(F.min("offset").alias("first_new_offset"))


def ahead(positions: DataFrame, arrivals: DataFrame) -> DataFrame:
    """Return the groups that have read moved keys in a new home, with their positions there and in the prior one."""
    prior = positions.select(*TOPIC, "group", F.col("partition").alias("prior_partition"), "position", "position_ref")
    home = positions.select(
        *TOPIC, "group", F.col("partition").alias("home_partition"), F.col("position").alias("home_position"),
        F.col("position_ref").alias("home_ref"),
    )  # fmt: skip
    return (
        arrivals.join(home, [*TOPIC, "home_partition"])
        .where("home_position > first_new_offset")
        .join(prior, [*PRIOR, "group"])
    )


def readers_below(reading: DataFrame, limits: DataFrame) -> DataFrame:
    """Return rows of `below_thresholds`, but for the counts: groups below the prior partition's threshold (RULES C 9).

    They read on in a new home.
    """
    early = reading.join(limits, list(PRIOR)).where("position < time_offset")
    home = F.struct("home_partition", "home_position", "home_ref")
    some = F.slice(F.array_sort(F.collect_set("home_partition")), 1, SHOWN).cast("array<string>")
    return early.groupBy("capture", "topic", "prior_partition", "group").agg(
        *[F.min(name).alias(name) for name in ("position", "position_ref", *LIMIT)],
        F.count("*").alias("homes"),
        F.concat_ws(", ", some).alias("home_names"),
        F.min(home).alias("home"),
    )


def unread_below(moved: DataFrame, waiting: DataFrame) -> DataFrame:
    """Return how many records and keys of the old count `readers_below` have not read."""
    asked = F.broadcast(waiting.select(*PRIOR, "group", "position", "time_offset"))
    old = moved.where("lies = 'old'").select(*PRIOR, "offset", "key_digest")
    unread = old.join(asked, list(PRIOR)).where("offset >= position AND offset < time_offset")
    return unread.groupBy(*READERS).agg(
        F.count("*").alias("unread_records"), F.countDistinct("key_digest").alias("unread_keys")
    )


def below_threshold(waiting: DataFrame, counts: DataFrame) -> DataFrame:
    """Return `readers_below` with what they have not read."""
    return waiting.join(counts, list(READERS)).select("*", "home.*").drop("home")


def out_of_order(moved: DataFrame, reading: DataFrame) -> DataFrame:
    """Return the keys of which a group has read a later record than one that is unread (RULES C 10).

    A key counts if the group has consumed (committed) a record in the new home, and has not consumed one with an
    earlier timestamp in the prior home: KEY and both records. `moved` may be a share of the keys.
    """
    who = F.broadcast(reading.select(*BROKEN, "group", "position", "home_position"))
    rows = moved.select(*BROKEN, "replica", "offset", "timestamp", "lies", "key_digest", "key_sample").join(
        who, list(BROKEN)
    )
    unread = _first_record(rows.where("lies = 'old' AND offset >= position"), "timestamp", "offset")
    read = _first_record(rows.where("lies = 'new' AND offset < home_position"), F.desc("timestamp"), F.desc("offset"))
    records = F.col("records").alias("unread_records")
    both = unread.select(*KEY, "key_sample", records, *_record("unread")).join(
        read.select(*KEY, *_record("read")), list(KEY)
    )
    return both.where("read_ms > unread_ms")


def _first_record(rows: DataFrame, *order: Column | str) -> DataFrame:
    """Return the first record of each group and key, and how many `records` there are."""
    key = Window.partitionBy(*KEY)
    counted = rows.withColumn("records", F.count("*").over(key)).withColumn("key_sample", F.min("key_sample").over(key))
    return first_of_each(counted, KEY, order, 1)


def _record(side: str) -> list[Column]:
    names = {"offset": "offset", "timestamp": "ms", "replica": "replica"}
    return [F.col(name).alias(f"{side}_{short}") for name, short in names.items()]


def broken_keys(broken: DataFrame) -> DataFrame:
    """Return how many keys and records each prior partition and new home has out of order; `broken`: `out_of_order`."""
    counts = {"keys": F.countDistinct("key_digest"), "unread_records": F.sum("unread_records")}
    return broken.groupBy(*BROKEN).agg(*[count.alias(name) for name, count in counts.items()])


def broken_order(
    broken: DataFrame, shown: DataFrame, counts: DataFrame, reading: DataFrame, bounds: DataFrame
) -> DataFrame:
    """Return one row per prior partition and new home with keys that a group has read out of order (RULES C 10).

    `shown` are the first of `broken`, `counts` are `broken_keys`. The first key is the example, with both records and
    the positions of its group.
    """
    names = shown.groupBy(*BROKEN).agg(
        F.concat_ws(", ", F.array_sort(F.collect_set(_key_name()))).alias("key_samples"),
        F.concat_ws(", ", F.array_sort(F.collect_set("group"))).alias("group_names"),
    )
    groups = broken.groupBy(*BROKEN).agg(F.countDistinct("group").alias("groups"))
    at = reading.select(*BROKEN, "group", "position", "position_ref", "home_position", "home_ref")
    example = shown.where("turn = 1").drop("turn", "key_digest", "key_sample", "unread_records")
    return (
        example.join(at, [*BROKEN, "group"])
        .withColumnRenamed("group", "group_name")
        .join(names, list(BROKEN))
        .join(counts, list(BROKEN))
        .join(groups, list(BROKEN))
        .join(F.broadcast(bounds.select(*TOPIC, "boundary_from", "boundary_ms")), list(TOPIC))
    )


def with_batch(rows: DataFrame, batches: DataFrame, partition: str, offset: str, name: str) -> DataFrame:
    """Add `name`: the line of the batch, in the row's replica, that holds the offset in the column `offset`."""
    wanted = rows.select(
        *TOPIC, F.col(partition).alias("partition"), "replica", F.col(offset).alias("wanted")
    ).distinct()
    held = (
        with_few(batches, wanted, LOG)
        .where("wanted BETWEEN base_offset AND last_offset")
        .groupBy(*LOG, "wanted")
        .agg(F.min("batch_ref").alias(name))
        .withColumnsRenamed({"partition": partition, "wanted": offset})
    )
    return rows.join(held, [*TOPIC, partition, "replica", offset], "left")


def with_stale_batches(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the first and the last batch that a stale producer wrote."""
    first = with_batch(rows, batches, "partition", "first_offset", "first_ref")
    return with_batch(first, batches, "partition", "last_offset", "last_ref")


def with_broken_batches(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the two batches of a broken order's example."""
    unread = with_batch(
        rows.withColumn("replica", F.col("unread_replica")), batches, "prior_partition", "unread_offset", "unread_ref"
    )
    both = with_batch(
        unread.withColumn("replica", F.col("read_replica")), batches, "home_partition", "read_offset", "read_ref"
    )
    return both.select(*BROKEN_ORDERS.names)


def partition_reads(positions: DataFrame, limits: DataFrame) -> DataFrame:
    """Return rows of `partition_reads`: the position of each group in each prior partition, against its threshold."""
    rows = positions.withColumnRenamed("partition", "prior_partition").join(limits, list(PRIOR))
    return rows.select(
        *PRIOR, "group", "position", F.greatest("time_offset", "stale_end").alias("wait_for"), "time_offset",
        (F.col("position") >= F.col("time_offset")).alias("may_read"),
    )  # fmt: skip
