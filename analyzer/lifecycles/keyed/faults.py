"""What went wrong with an expanded keyed topic: stale producers, and groups that read ahead."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.keyed.records import EXPANSION, TOPIC
from analyzer.lifecycles.keyed.thresholds import KNOWN, PRIOR
from analyzer.lifecycles.placing import LOG
from analyzer.stages.few import with_few

SHOWN = 5
"""Keys, partitions or groups that a finding names."""
STRAY_SHARE = 4
"""A producer chooses partitions itself if its records by neither count are more than a quarter of its stale ones."""
STALE = (*LOG, "new_count", "producer_id")
MOVED = (*PRIOR, "home_partition")
READERS = (*PRIOR, "group")
FIRST_STALE = (STALE, ("first_offset", "key_digest"), SHOWN)
"""Which keys a finding names: of each of these, in this order, so many."""
LIMIT = (
    "replica", "old_count", "expansion", "time_offset", "stale_end", "boundary_ms", "boundary_from",
    "old_leader_epoch", "epoch_offset", "epoch_ref", "spanning", "spanning_first",
)  # fmt: skip


def stale_producers(
    stale: DataFrame, shown: DataFrame, counts: DataFrame, moved: DataFrame, known: DataFrame
) -> DataFrame:
    """Return one row per expansion, partition and producer id that went on by the old count (RULES C 7).

    `shown` are the first of its `stale_keys`, `counts` says how many there are, `known` has the transactional ids of
    producer ids. Columns: those of `stale_producers`, but for the two lines.
    """
    rows = _per_producer(stale, shown, counts)
    astray = _with_producer(moved.where("lies = 'neither'"))
    strays = astray.groupBy(*EXPANSION, "producer_id").agg(F.count("*").alias("strays"))
    all_stale = F.sum("records").over(Window.partitionBy(*EXPANSION, "producer_id"))
    ids = known.select("capture", "producer_id", "transactional_id")
    return (
        rows.withColumn("all_stale", all_stale)
        .join(strays, [*EXPANSION, "producer_id"], "left")
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
            *[F.max(name).alias(name) for name in ("producer_epoch", *KNOWN)],
        )
    )
    names = shown.groupBy(*STALE).agg(F.sort_array(F.collect_list(key_name())).alias("names"))
    return rows.join(counts, list(STALE)).join(names, list(STALE)).withColumn("key_samples", F.concat_ws(", ", "names"))


def stale_keys(stale: DataFrame) -> DataFrame:
    """Return the keys that each producer id wrote by the old count in each partition, with the first offset."""
    firsts = F.min("key_sample").alias("key_sample"), F.min("offset").alias("first_offset")
    return _with_producer(stale).groupBy(*STALE, "key_digest").agg(*firsts)


def stale_key_counts(stale: DataFrame) -> DataFrame:
    """Return how many keys that are."""
    return _with_producer(stale).groupBy(*STALE).agg(F.countDistinct("key_digest").alias("keys"))


def key_name() -> Column:
    """Return the name that findings give a key: its sample and digest."""
    return F.concat("key_sample", F.lit(" ("), "key_digest", F.lit(")"))


def ahead(positions: DataFrame, moved: DataFrame) -> DataFrame:
    """Return the groups that have read moved keys in a new home, with their positions there and in the prior one."""
    arrivals = moved.where("lies = 'new'").groupBy(*MOVED).agg(F.min("offset").alias("first_new_offset"))
    prior = positions.select(*TOPIC, "group", F.col("partition").alias("prior_partition"), "position", "position_ref")
    home = positions.select(
        *TOPIC, "group", F.col("partition").alias("home_partition"), F.col("position").alias("home_position"),
        F.col("position_ref").alias("home_ref"),
    )  # fmt: skip
    return (
        arrivals.join(home, [*TOPIC, "home_partition"])
        .where("home_position > first_new_offset")
        .join(prior, [*TOPIC, "prior_partition", "group"])
    )


def readers_below(reading: DataFrame, bounds: DataFrame, thresholds: DataFrame) -> DataFrame:
    """Return rows of `below_thresholds`, but for the counts: groups below the prior partition's threshold (RULES C 9).

    They read on in a new home.
    """
    limits = thresholds.join(F.broadcast(bounds.select(*EXPANSION, "boundary_from")), list(EXPANSION))
    early = reading.join(limits, list(PRIOR)).where("position < time_offset")
    home = F.struct("home_partition", "home_position", "home_ref")
    some = F.slice(F.array_sort(F.collect_set("home_partition")), 1, SHOWN).cast("array<string>")
    return early.groupBy(*READERS).agg(
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


def with_batch(rows: DataFrame, batches: DataFrame, partition: str, offset: str, name: str) -> DataFrame:
    """Add `name`: the line of the batch, in the row's replica, that holds the offset in the column `offset`."""
    place = F.col(partition).alias("partition")
    wanted = rows.select(*TOPIC, place, "replica", F.col(offset).alias("wanted")).distinct()
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


def partition_reads(positions: DataFrame, limits: DataFrame) -> DataFrame:
    """Return rows of `partition_reads`: the position of each group in each prior partition, against its threshold.

    may_read is null where nothing tells the moment of the expansion, and the group has neither read all that is here
    nor has stale records to read (RULES C 8).
    """
    position, wait_for = F.col("position"), F.greatest("time_offset", "stale_end")
    untold = F.when(position < F.col("stale_end"), F.lit(False))
    may_read = (
        F.when(position >= F.col("log_end_offset"), F.lit(True))
        .when(F.col("time_offset").isNull(), untold)
        .otherwise(position >= wait_for)
    )
    rows = positions.withColumnRenamed("partition", "prior_partition").join(limits, [*TOPIC, "prior_partition"])
    return rows.select(
        *PRIOR, "old_count", "expansion", "group", "position",
        wait_for.alias("wait_for"), "time_offset", may_read.alias("may_read"),
    )  # fmt: skip
