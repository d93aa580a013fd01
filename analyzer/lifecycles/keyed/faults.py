"""What went wrong with an expanded keyed topic: stale producers, groups that read ahead, keys out of order."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.keyed.records import TOPIC
from analyzer.lifecycles.keyed.thresholds import PRIOR
from analyzer.lifecycles.placing import LOG

SHOWN = 5
"""Keys, partitions or groups that a finding names."""
STRAY_SHARE = 4
"""A producer chooses partitions itself if its records by neither count are more than a quarter of its stale ones."""
STALE = (*LOG, "producer_id")
BROKEN = (*PRIOR, "home_partition")
LIMIT = (
    "replica", "time_offset", "stale_end", "boundary_ms", "boundary_from", "old_leader_epoch", "epoch_offset",
    "epoch_ref", "spanning", "spanning_first",
)  # fmt: skip


def stale_producers(stale: DataFrame, moved: DataFrame, known: DataFrame) -> DataFrame:
    """Return one row per partition and producer id that went on by the old count (RULES C 7).

    `known` has the transactional ids of producer ids. Columns: those of `stale_producers`, but for the two lines.
    """
    rows = _per_producer(_with_producer(stale))
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
        .withColumn("last_offset", F.col("last.offset"))
        .withColumn("first_ms", F.col("first.timestamp"))
        .drop("first", "last", "all_stale", "strays")
    )


def _with_producer(rows: DataFrame) -> DataFrame:
    """Return the rows with producer id -1 where there is none."""
    return rows.withColumn("producer_id", F.coalesce("producer_id", F.lit(-1).cast("bigint")))


def _per_producer(stale: DataFrame) -> DataFrame:
    """Return what each producer id wrote by the old count in each partition, with the names of its first keys."""
    shared = ("boundary_ms", "boundary_from", "old_count", "new_count")
    per_key = stale.groupBy(*STALE, "key_digest").agg(
        F.min("key_sample").alias("key_sample"),
        F.count("*").alias("records"),
        F.count_if("by_offset").alias("by_offset"),
        F.count_if("is_transactional").alias("transactional_records"),
        F.min(F.struct("offset", "timestamp")).alias("first"),
        F.max(F.struct("offset", "timestamp")).alias("last"),
        F.max("timestamp").alias("last_ms"),
        *[F.max(name).alias(name) for name in ("producer_epoch", *shared)],
    )
    ranked = per_key.withColumn("turn", F.row_number().over(Window.partitionBy(*STALE).orderBy("first.offset")))
    named = F.sort_array(F.collect_list(F.when(F.col("turn") <= SHOWN, _key_name())))
    return ranked.groupBy(*STALE).agg(
        F.count("*").alias("keys"),
        F.concat_ws(", ", named).alias("key_samples"),
        *[F.sum(name).alias(name) for name in ("records", "by_offset", "transactional_records")],
        F.min("first").alias("first"),
        F.max("last").alias("last"),
        *[F.max(name).alias(name) for name in ("last_ms", "producer_epoch", *shared)],
    )


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


def below_threshold(reading: DataFrame, limits: DataFrame, moved: DataFrame) -> DataFrame:
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
    waiting = moved.where("lies = 'old'").select(*PRIOR, "offset", "key_digest")
    unread = (
        waiting.join(each.select(*PRIOR, "group", "position", "time_offset"), list(PRIOR))
        .where("offset >= position AND offset < time_offset")
        .groupBy(*PRIOR, "group")
        .agg(F.count("*").alias("unread_records"), F.countDistinct("key_digest").alias("unread_keys"))
    )
    return each.join(unread, [*PRIOR, "group"]).select("*", "home.*").drop("home")


def broken_order(reading: DataFrame, moved: DataFrame, bounds: DataFrame) -> DataFrame:
    """Return one row per prior partition and new home with keys that a group has read out of order (RULES C 10).

    A key counts if the group has consumed (committed) a record in the new home, and has not consumed one with an
    earlier timestamp in the prior home. `example` is the first such key, with both records and the positions of its
    group.
    """
    who = reading.select(*BROKEN, "group", "position", "position_ref", "home_position", "home_ref")
    left = moved.where("lies = 'old'").select(*BROKEN, "replica", "offset", "timestamp", "key_digest", "key_sample")
    unread = (
        left.join(who, list(BROKEN))
        .where("offset >= position")
        .groupBy(*BROKEN, "group", "key_digest")
        .agg(
            F.min("key_sample").alias("key_sample"),
            F.min(F.struct("timestamp", "offset", "replica")).alias("unread"),
            F.count("*").alias("unread_records"),
            F.first(F.struct("position", "position_ref", "home_position", "home_ref")).alias("at"),
        )
    )
    read = (
        moved.where("lies = 'new'")
        .select(*BROKEN, "replica", "offset", "timestamp", "key_digest")
        .join(who.select(*BROKEN, "group", "home_position"), list(BROKEN))
        .where("offset < home_position")
        .groupBy(*BROKEN, "group", "key_digest")
        .agg(F.max(F.struct("timestamp", "offset", "replica")).alias("read"))
    )
    broken = unread.join(read, [*BROKEN, "group", "key_digest"]).where("read.timestamp > unread.timestamp")
    order = Window.partitionBy(*BROKEN).orderBy("unread.offset", "group", "key_digest")
    ranked = broken.withColumn("turn", F.row_number().over(order))
    return ranked.groupBy(*BROKEN).agg(
        F.countDistinct("key_digest").alias("keys"),
        F.concat_ws(
            ", ", F.array_sort(F.collect_set(F.when(F.col("turn") <= SHOWN, _key_name())))
        ).alias("key_samples"),
        F.countDistinct("group").alias("groups"),
        F.concat_ws(", ", F.array_sort(F.collect_set(F.when(F.col("turn") <= SHOWN, F.col("group"))))).alias(
            "group_names"
        ),
        F.sum("unread_records").alias("unread_records"),
        F.min(F.struct("turn", "unread", "read", "at", "group")).alias("example"),
    ).join(F.broadcast(bounds.select(*TOPIC, "boundary_from", "boundary_ms")), list(TOPIC))  # fmt: skip


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
