"""Where the records of each transactional id and group lie: one row per (capture, topic, id, partition)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.lifecycles.placing import partition_name, placed, ref
from analyzer.lifecycles.routing.hashing import routing_hash
from analyzer.tables.unions import union_filled

HELD = ("capture", "topic", "id", "partition")
PRODUCERS = 10
"""Producer ids that a row names at most; an id rarely has more."""


def routing(records: DataFrame, commits: DataFrame, groups: DataFrame, places: DataFrame) -> DataFrame:
    """Return where each transactional id and each group lies: rows of `held_ids`.

    `records` are the coordinator's, merged over replicas; `commits` and `groups` are facts.
    """
    held = union_filled(_of_transactions(records), _of_groups(commits, groups, places))
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


def _of_groups(commits: DataFrame, groups: DataFrame, places: DataFrame) -> DataFrame:
    """Return where groups lie. Each committed partition of a group is a key of its own, and so is its metadata."""
    offsets = places.where((F.col("topic") == OFFSETS_TOPIC) & F.col("partition").isNotNull())
    key = partition_name()
    committed = _group_rows(placed(commits, offsets), key, "log_partition")
    members = _group_rows(placed(groups, offsets), F.lit("").alias("key"), "partition")
    latest = (
        committed.unionByName(members)
        .groupBy("capture", "id", "partition", "key", "offset")
        .agg(*[F.min(name).alias(name) for name in ("tombstone", "timestamp", "ref")])
        .groupBy("capture", "id", "partition", "key")
        .agg(
            *_extent(),
            F.min_by("ref", "offset").alias("first_ref"),
            F.max_by("ref", "offset").alias("last_ref"),
            (~F.coalesce(F.max_by("tombstone", "offset"), F.lit(False))).alias("alive"),
            F.max(F.struct("offset", "timestamp", "ref")).alias("newest"),
        )
    )
    return (
        latest.groupBy("capture", "id", "partition")
        .agg(
            F.sum("records").alias("records"),
            *[F.min(name).alias(name) for name in ("first_offset", "first_ms")],
            *[F.max(name).alias(name) for name in ("last_offset", "last_ms")],
            F.min_by("first_ref", "first_offset").alias("first_ref"),
            F.max_by("last_ref", "last_offset").alias("last_ref"),
            F.max("alive").alias("alive"),
            F.max("newest").alias("newest"),
        )
        .select("*", _without_state().alias("last_record"), F.lit(OFFSETS_TOPIC).alias("topic"))
        .drop("newest")
    )


def _group_rows(rows: DataFrame, key: Column, partition: str) -> DataFrame:
    return rows.where("`group` IS NOT NULL AND offset IS NOT NULL").select(
        "capture",
        F.col("group").alias("id"),
        key.alias("key"),
        F.col(partition).alias("partition"),
        "offset",
        "timestamp",
        "tombstone",
        ref().alias("ref"),
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
    """Return the newest record of a group in the shape of a transaction's."""
    return F.struct(
        F.col("newest.offset").alias("offset"),
        F.col("newest.timestamp").alias("timestamp"),
        F.lit(None).cast("string").alias("state"),
        F.lit(None).cast("bigint").alias("producer_id"),
        F.lit(None).cast("int").alias("producer_epoch"),
        F.lit(None).cast("array<string>").alias("partitions"),
        F.col("newest.ref").alias("ref"),
    )
