"""Where the records of each transactional id and group lie: one row per (capture, topic, id, partition)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.group_records import GENERATION
from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.lifecycles.once import once
from analyzer.lifecycles.placing import partition_name, placed, ref
from analyzer.lifecycles.routing.hashing import routing_hash
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_filled

HELD = ("capture", "topic", "id", "partition")
GROUP_HELD = ("capture", "id", "offsets_partition")
PRODUCERS = 10
"""Producer ids that a row names at most; an id rarely has more."""


def routing(records: DataFrame, extents: DataFrame, ends: DataFrame) -> DataFrame:
    """Return where each transactional id and each group lies: rows of `held_ids`.

    `records` are the coordinator's, merged over replicas; `extents` and `ends` are those of groups.
    """
    held = union_filled(_of_transactions(records), _of_groups(extents, ends))
    return held.withColumn("hash", routing_hash(F.col("id")))


def _of_transactions(records: DataFrame) -> DataFrame:
    """Return where transactional ids lie. Rows of console output have no partition and are left out."""
    known = records.where("transactional_id IS NOT NULL AND state_partition IS NOT NULL AND has_offset").select(
        "capture", F.col("transactional_id").alias("id"), F.col("state_partition").alias("partition"), "offset",
        "timestamp", "tombstone", "state", F.when(F.col("producer_id") >= 0, F.col("producer_id")).alias("producer_id"),
        "producer_epoch", "partitions", "ref",
    )  # fmt: skip
    extent = known.groupBy("capture", "id", "partition").agg(
        *_extent(), F.slice(F.array_sort(F.collect_set("producer_id")), 1, PRODUCERS).alias("producer_ids")
    )
    first = known.select(
        "capture", "id", "partition", F.col("offset").alias("first_offset"), F.col("ref").alias("first_ref")
    )
    last = known.select(
        "capture", "id", "partition", F.col("offset").alias("last_offset"), F.col("ref").alias("last_ref"),
        (~F.coalesce("tombstone", F.lit(False))).alias("alive"),
        F.struct("offset", "timestamp", "state", "producer_id", "producer_epoch", "partitions", "ref").alias(
            "last_record"
        ),
    )  # fmt: skip
    return (
        extent.join(first, ["capture", "id", "partition", "first_offset"])
        .join(last, ["capture", "id", "partition", "last_offset"])
        .withColumn("topic", F.lit(STATE_TOPIC))
    )


def group_rows(commits: DataFrame, groups: DataFrame, places: DataFrame) -> DataFrame:
    """Return the records of groups in all copies of __consumer_offsets, as often as they were dumped.

    Each committed partition of a group is a key of its own, and so is its metadata; newer protocols have several keys.
    `commits` and `groups` are facts.
    """
    offsets = places.where((F.col("topic") == OFFSETS_TOPIC) & F.col("partition").isNotNull())
    member = F.coalesce(F.when(F.size("members") > 0, F.col("members")[0]), F.lit(""))
    part = F.when(F.col("key_type") == GENERATION, F.lit("")).otherwise(F.concat_ws(":", "key_type", member))
    committed = _group_rows(placed(commits, offsets), partition_name(), "log_partition")
    return committed.unionByName(_group_rows(placed(groups, offsets), part, "partition"))


def _group_rows(rows: DataFrame, key: Column, partition: str) -> DataFrame:
    return rows.where("`group` IS NOT NULL AND offset IS NOT NULL").select(
        "capture", F.col("group").alias("id"), key.alias("key"), F.col(partition).alias("offsets_partition"),
        "file_id", "offset", "timestamp", F.coalesce("tombstone", F.lit(False)).alias("tombstone"),
        ref().alias("ref"),
    )  # fmt: skip


def group_extents(rows: DataFrame) -> DataFrame:
    """Return which records of each group each partition has, and whether the latest record of any key is no tombstone.

    `rows` are `group_rows`; what copies and dumps repeat counts once.
    """
    log = ("capture", "offsets_partition")
    records = once(rows.drop("ref"), log, "tombstone", F.asc_nulls_last("timestamp"))
    by_key = records.groupBy(*GROUP_HELD, "key").agg(
        *_extent(),
        F.max(F.when(F.col("tombstone"), F.col("offset"))).alias("deleted"),
    )
    return by_key.groupBy(*GROUP_HELD).agg(
        F.sum("records").alias("records"),
        *[F.min(name).alias(name) for name in ("first_offset", "first_ms")],
        *[F.max(name).alias(name) for name in ("last_offset", "last_ms")],
        F.max(~F.col("deleted").eqNullSafe(F.col("last_offset"))).alias("alive"),
    )


def group_ends(extents: DataFrame, rows: DataFrame) -> DataFrame:
    """Return ref and timestamp of the first and the last record of each group in each partition.

    `rows` are `group_rows`, and `extents` their `group_extents`.
    """
    ends = extents.select(*GROUP_HELD, F.explode(F.array("first_offset", "last_offset")).alias("offset")).distinct()
    told = with_few(rows, ends, (*GROUP_HELD, "offset")).groupBy(*GROUP_HELD, "offset")
    return told.agg(F.min("ref").alias("ref"), F.min("timestamp").alias("timestamp"))


def _of_groups(extents: DataFrame, ends: DataFrame) -> DataFrame:
    """Return the extents of groups with the places of their first and last records."""
    first = ends.select(*GROUP_HELD, F.col("offset").alias("first_offset"), F.col("ref").alias("first_ref"))
    last = ends.select(
        *GROUP_HELD, F.col("offset").alias("last_offset"), F.col("ref").alias("last_ref"), _without_state()
    )
    return (
        extents.join(first, [*GROUP_HELD, "first_offset"])
        .join(last, [*GROUP_HELD, "last_offset"])
        .withColumnRenamed("offsets_partition", "partition")
        .withColumn("topic", F.lit(OFFSETS_TOPIC))
    )


def _extent() -> list[Column]:
    """Return the columns that say which records of an id are there."""
    return [
        F.count("*").alias("records"),
        F.min("offset").alias("first_offset"),
        F.max("offset").alias("last_offset"),
        F.min("timestamp").alias("first_ms"),
        F.max("timestamp").alias("last_ms"),
    ]


def _without_state() -> Column:
    """Return `last_record`: the newest record of a group in the shape of a transaction's."""
    return F.struct(
        "offset",
        "timestamp",
        F.lit(None).cast("string").alias("state"),
        F.lit(None).cast("bigint").alias("producer_id"),
        F.lit(None).cast("int").alias("producer_epoch"),
        F.lit(None).cast("array<string>").alias("partitions"),
        "ref",
    ).alias("last_record")
