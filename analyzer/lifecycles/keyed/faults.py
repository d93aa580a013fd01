"""What went wrong with an expanded keyed topic: stale producers, groups that read ahead, keys out of order."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.combining import counted_in_shares, first_in_shares, first_of_each
from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import ByShares, Step
from analyzer.lifecycles.keyed.records import TOPIC
from analyzer.lifecycles.keyed.thresholds import PRIOR
from analyzer.lifecycles.placing import LOG

SHOWN = 5
"""Keys, partitions or groups that a finding names."""
STRAY_SHARE = 4
"""A producer chooses partitions itself if its records by neither count are more than a quarter of its stale ones."""
STALE = (*LOG, "producer_id")
BROKEN = (*PRIOR, "home_partition")
KEY = (*BROKEN, "group", "key_digest")
LIMIT = (
    "replica", "time_offset", "stale_end", "boundary_ms", "boundary_from", "old_leader_epoch", "epoch_offset",
    "epoch_ref", "spanning", "spanning_first",
)  # fmt: skip


def stale_producers(stale: DataFrame, moved: DataFrame, known: DataFrame, in_shares: ByShares) -> DataFrame:
    """Return one row per partition and producer id that went on by the old count (RULES C 7).

    `known` has the transactional ids of producer ids. Columns: those of `stale_producers`, but for the two lines.
    """
    rows = _per_producer(stale, in_shares)
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


def _per_producer(stale: DataFrame, in_shares: ByShares) -> DataFrame:
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

    def stale_keys(stale: DataFrame) -> DataFrame:
        firsts = F.min("key_sample").alias("key_sample"), F.min("offset").alias("first_offset")
        return stale.groupBy(*STALE, "key_digest").agg(*firsts)

    def in_share(only: Step) -> DataFrame:
        return _with_producer(only(stale))

    first = (STALE, ("first_offset", "key_digest"), SHOWN)
    shown = first_in_shares(in_shares, lambda only: stale_keys(in_share(only)), *first)
    names = shown.groupBy(*STALE).agg(F.sort_array(F.collect_list(_key_name())).alias("names"))
    counts = counted_in_shares(in_shares, in_share, STALE, keys=F.countDistinct("key_digest"))
    return rows.join(counts, list(STALE)).join(names, list(STALE)).withColumn("key_samples", F.concat_ws(", ", "names"))


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


def below_threshold(reading: DataFrame, limits: DataFrame, moved: DataFrame, in_shares: ByShares) -> DataFrame:
    """Return rows of `below_thresholds`: groups that read on in a new home, below the prior partition's threshold.

    `reading` is `ahead`. A row needs unread records of moved keys in the prior partition (RULES C 9).
    """
    early = reading.join(limits, list(PRIOR)).where("position < time_offset")
    home = F.struct("home_partition", "home_position", "home_ref")
    some = F.slice(F.array_sort(F.collect_set("home_partition")), 1, SHOWN).cast("array<string>")
    each = early.groupBy("capture", "topic", "prior_partition", "group").agg(
        *[F.min(name).alias(name) for name in ("position", "position_ref", *LIMIT)],
        F.count("*").alias("homes"),
        F.concat_ws(", ", some).alias("home_names"),
        F.min(home).alias("home"),
    )
    waiting = F.broadcast(each.select(*PRIOR, "group", "position", "time_offset"))

    def unread(moved: DataFrame) -> DataFrame:
        old = moved.where("lies = 'old'").select(*PRIOR, "offset", "key_digest")
        return old.join(waiting, list(PRIOR)).where("offset >= position AND offset < time_offset")

    unread_counts = {"unread_records": F.count("*"), "unread_keys": F.countDistinct("key_digest")}
    counts = counted_in_shares(in_shares, lambda only: unread(only(moved)), (*PRIOR, "group"), **unread_counts)
    return each.join(counts, [*PRIOR, "group"]).select("*", "home.*").drop("home")


def out_of_order(reading: DataFrame, moved: DataFrame) -> DataFrame:
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


def broken_order(broken: DataFrame, reading: DataFrame, bounds: DataFrame, in_shares: ByShares) -> DataFrame:
    """Return one row per prior partition and new home with keys that a group has read out of order (RULES C 10).

    `broken` is `out_of_order`. The first key is the example, with both records and the positions of its group.
    """
    first = (BROKEN, ("unread_offset", "group", "key_digest"), SHOWN)
    shown = first_in_shares(in_shares, lambda only: only(broken), *first)
    names = shown.groupBy(*BROKEN).agg(
        F.concat_ws(", ", F.array_sort(F.collect_set(_key_name()))).alias("key_samples"),
        F.concat_ws(", ", F.array_sort(F.collect_set("group"))).alias("group_names"),
    )
    of_keys = {"keys": F.countDistinct("key_digest"), "unread_records": F.sum("unread_records")}
    counts = counted_in_shares(in_shares, lambda only: only(broken), BROKEN, **of_keys)
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


def partition_reads(positions: DataFrame, limits: DataFrame) -> DataFrame:
    """Return rows of `partition_reads`: the position of each group in each prior partition, against its threshold."""
    rows = positions.withColumnRenamed("partition", "prior_partition").join(limits, list(PRIOR))
    return rows.select(
        *PRIOR, "group", "position", F.greatest("time_offset", "stale_end").alias("wait_for"), "time_offset",
        (F.col("position") >= F.col("time_offset")).alias("may_read"),
    )  # fmt: skip
