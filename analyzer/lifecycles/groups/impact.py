"""From commits, positions and open transactions to the groups that wait, behind an LSO or for their own offsets."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.logs.health import last_stable_offset
from analyzer.lifecycles.placing import LOG

COMMITS_SHOWN = 20
GROUPS_SHOWN = 100
"""So many groups of a partition are written out, the farthest behind first; the rest is counted."""


def pending_commits(commits: DataFrame) -> DataFrame:
    """Return the undecided transactional commits of each (log of __consumer_offsets, producer id, group).

    `commits` are those of the judged logs. Columns: the log's key, producer_id, group, positions (how many), since_ms
    (the oldest record's time), last_ref, and `commits`: the first of them as offset, topic, partition,
    committed_offset, ref.
    """
    one = F.struct("offset", F.col("topic").alias("topic"), F.col("partition").alias("partition"),
                   "committed_offset", "ref")  # fmt: skip
    undecided = commits.where("is_transactional AND decided_at IS NULL AND NOT tombstone")
    return (
        undecided.groupBy("capture", "offsets_partition", "replica", "producer_id", "group")
        .agg(
            F.slice(F.sort_array(F.collect_list(one)), 1, COMMITS_SHOWN).alias("commits"),
            F.count("*").alias("positions"),
            F.min("timestamp").alias("since_ms"),
            F.max(F.struct("offset", "ref")).alias("last"),
        )
        .select(
            "capture",
            F.lit(OFFSETS_TOPIC).alias("topic"),
            F.col("offsets_partition").alias("partition"),
            "replica",
            "producer_id",
            "group",
            "commits",
            "positions",
            "since_ms",
            F.col("last.ref").alias("last_ref"),
        )
    )


def group_impact(opens: DataFrame, positions: DataFrame, pending: DataFrame) -> DataFrame:
    """Return the groups that an open transaction holds up: rows of the report's list `group_impact`, bounded.

    A group waits behind the LSO of a partition where its committed position is at or below it: it has read all that
    read_committed readers may see. In __consumer_offsets the groups with undecided commits wait: a fetch of their
    offsets that asks for stable ones (`require_stable`, KIP-447) is answered UNSTABLE_OFFSET_COMMIT.
    Columns: the log's key, lso, group, position (null for a pending commit), pending, path, line, turn, groups (all).
    """
    judged = opens.where("authority").withColumn("lso", last_stable_offset("first_offset"))
    pinned = judged.groupBy(*LOG).agg(F.min("lso").alias("lso"))
    behind = positions.join(F.broadcast(pinned), ["capture", "topic", "partition"]).where("position <= lso")
    waiting = behind.select(
        *LOG, "lso", "group", "position", F.lit(False).alias("pending"), F.col("position_ref").alias("ref")
    )
    blocked = pending.join(judged.select(*LOG, "producer_id").distinct(), [*LOG, "producer_id"]).join(pinned, list(LOG))
    unstable = (
        blocked.groupBy(*LOG, "lso", "group")
        .agg(F.min_by(F.col("commits")[0]["ref"], F.col("commits")[0]["offset"]).alias("ref"))
        .select(*LOG, "lso", "group", F.lit(None).cast("bigint").alias("position"), F.lit(True).alias("pending"), "ref")
    )
    order = Window.partitionBy(*LOG).orderBy(F.col("position").asc_nulls_first(), "group")
    return (
        waiting.unionByName(unstable)
        .withColumn("turn", F.row_number().over(order))
        .withColumn("groups", F.count("*").over(Window.partitionBy(*LOG)))
        .where(F.col("turn") <= GROUPS_SHOWN)
        .select(*LOG, "lso", "group", "position", "pending", "ref.path", "ref.line", _byte_position(), "turn", "groups")
    )


def groups_told(commits: DataFrame, seen: DataFrame) -> DataFrame:
    """Return per capture how many positions of groups it tells: 0 or no row where it says nothing of any group."""
    told = commits.select("capture").unionByName(seen.where("observed = 'group_position'").select("capture"))
    return told.groupBy("capture").agg(F.count("*").alias("group_positions"))


def _byte_position() -> Column:
    """Return where in a raw file it stands, null for a line of a text."""
    return F.when(F.col("ref.line").isNull(), F.col("ref.byte_offset")).alias("byte_position")
