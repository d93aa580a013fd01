"""The groups that wait: at an LSO, or for offsets of their own that are not decided (RULES C 5)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.groups.commits import POSITION
from analyzer.lifecycles.logs.last_stable_offset import held_from, last_stable_offset
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

COMMITS_SHOWN = 20
POSITIONS_SHOWN = 100
"""Pending positions of a producer id in a log that are listed."""
GROUPS_SHOWN = 100
"""Groups of a partition that are listed, the one with the most lag first; the others are counted."""


def undecided_commits(commits: DataFrame) -> DataFrame:
    """Return the transactional commits that a coordinator keeps as pending: not decided, and not deleted since.

    `commits` are those of the judged logs.
    It drops them with the position when somebody deletes that or the group (`GroupMetadata.removeOffsets`,
    `OffsetMetadataManager.replay`). The tombstone is written outside of transactions. Nobody asks for what is pending
    in a partition of `__consumer_offsets` that the group has left: the topic was expanded, and it commits elsewhere.
    """
    undecided = commits.where("is_transactional AND decided_at IS NULL AND NOT tombstone")
    gone = commits.where("tombstone AND NOT is_transactional").groupBy(*POSITION).agg(F.max("offset").alias("gone_at"))
    kept = undecided.join(gone, list(POSITION), "left").where("gone_at IS NULL OR gone_at < offset")
    return _not_left(kept, commits).select(*commits.columns)


def _not_left(kept: DataFrame, commits: DataFrame) -> DataFrame:
    """Return the commits without those of groups whose newest commit is a later one in another offsets partition."""
    group = ("capture", "group")
    newest = F.max(F.struct("timestamp", "offsets_partition")).alias("newest")
    homes = with_few(commits.where("NOT tombstone"), kept.select(*group).distinct(), group).groupBy(*group).agg(newest)
    left = "newest.offsets_partition <> offsets_partition AND newest.timestamp > timestamp"
    return kept.join(homes, list(group), "left").where(f"NOT coalesce({left}, false)")


def pending_commits(undecided: DataFrame) -> DataFrame:
    """Return rows of `pending_commits`: the `undecided_commits` of each (log, producer id, group)."""
    one = F.struct("offset", "topic", "partition", "committed_offset", "ref")
    return (
        undecided.groupBy("capture", "offsets_partition", "replica", "producer_id", "group")
        .agg(
            F.slice(F.sort_array(F.collect_list(one)), 1, COMMITS_SHOWN).alias("first_commits"),
            F.count("*").alias("positions"),
            F.min("timestamp").alias("since_ms"),
            F.max(F.struct("offset", "ref")).alias("last"),
        )
        .select(
            "capture", F.lit(OFFSETS_TOPIC).alias("topic"), F.col("offsets_partition").alias("partition"), "replica",
            "producer_id", "group", "first_commits", "positions", "since_ms", F.col("last.ref").alias("last_ref"),
        )
    )  # fmt: skip


def pending_positions(undecided: DataFrame, positions: DataFrame) -> DataFrame:
    """Return rows of `pending_positions`, bounded: what the `undecided_commits` of each producer id would set.

    `positions` are the committed ones.
    """
    place = (F.lit(OFFSETS_TOPIC).alias("topic"), F.col("offsets_partition").alias("partition"))
    pending = undecided.select(
        "capture", *place, "replica", "producer_id", "group", F.col("topic").alias("committed_topic"),
        F.col("partition").alias("committed_partition"), "committed_offset", "offset",
    )  # fmt: skip
    position = ("group", "committed_topic", "committed_partition")
    newest = pending.groupBy(*PRODUCER, *position).agg(F.max_by("committed_offset", "offset").alias("pending_position"))
    some = first_of_each(newest, PRODUCER, position, POSITIONS_SHOWN)
    known = positions.select(
        "capture", "group", F.col("topic").alias("committed_topic"), F.col("partition").alias("committed_partition"),
        F.col("position").alias("committed_position"),
    )  # fmt: skip
    return some.join(known, ["capture", *position], "left").select(
        *PRODUCER, *position, "pending_position", "committed_position"
    )


def _answered_lso(answered: DataFrame, judged: DataFrame) -> DataFrame:
    """Return LOG and the first offset that the leader's answer has open, of partitions of which no log is judged."""
    told = answered.where("first_offset IS NOT NULL AND follower IS NULL AND standing NOT IN ('unshown', 'terminated')")
    others = told.join(judged.select(*PARTITION).distinct(), list(PARTITION), "left_anti")
    return others.groupBy(*LOG).agg(F.min("first_offset").alias("lso"))


def group_impact(opens: DataFrame, answered: DataFrame, positions: DataFrame, pending: DataFrame) -> DataFrame:
    """Return rows of `group_impact`, bounded: the groups that an open transaction holds up.

    A group waits at a partition if its committed position is at or below the LSO: it has read all that read_committed
    consumers may see. A group also waits if commits of its own are undecided: a fetch of stable offsets
    (`require_stable`, KIP-447) is answered with UNSTABLE_OFFSET_COMMIT.
    """
    judged = opens.where("authority").withColumn("held_from", held_from())
    judged = judged.withColumn("lso", last_stable_offset("held_from"))
    pinned = judged.groupBy(*LOG).agg(F.min("lso").alias("lso"))
    stops = pinned.unionByName(_answered_lso(answered, judged))
    held_up = positions.join(F.broadcast(stops), ["capture", "topic", "partition"]).where("position <= lso")
    waiting = held_up.select(
        *LOG, "lso", "group", "position", F.lit(False).alias("pending"), F.col("position_ref").alias("ref")
    )
    blocked = pending.join(judged.select(*LOG, "producer_id").distinct(), [*LOG, "producer_id"]).join(pinned, list(LOG))
    unstable = (
        blocked.groupBy(*LOG, "lso", "group")
        .agg(F.min_by(F.col("first_commits")[0]["ref"], F.col("first_commits")[0]["offset"]).alias("ref"))
        .select(*LOG, "lso", "group", F.lit(None).cast("bigint").alias("position"), F.lit(True).alias("pending"), "ref")
    )
    order = Window.partitionBy(*LOG).orderBy(F.col("position").asc_nulls_first(), "group")
    in_raw_file = F.when(F.col("ref.line").isNull(), F.col("ref.byte_offset"))
    return (
        waiting.unionByName(unstable)
        .withColumn("turn", F.row_number().over(order))
        .withColumn("groups", F.count("*").over(Window.partitionBy(*LOG)))
        .where(F.col("turn") <= GROUPS_SHOWN)
        .select(
            *LOG, "lso", "group", "position", "pending", "ref.path", "ref.line",
            in_raw_file.alias("byte_position"),
            "turn", "groups",
        )
    )  # fmt: skip
