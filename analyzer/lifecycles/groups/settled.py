"""Groups whose client is told that offsets are pending, although their log has every commit decided (RULES C 5)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS, MOST_QUARTERS, QUARTER_MS, SKEW_MS
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.groups.commits import OFFSETS_LOG, POSITION
from analyzer.lifecycles.placing import ref

GROUP_OF_CLIENT = r"groupId=([^\],\s]{1,249})"
"""The group in the prefix that Java consumers put before each line."""
_TIME, _ZONE = r"\d:\d\d:\d\d", r"\d:\d\d:\d\d([.,]\d+)?\s?(Z|[+-]\d\d:?\d\d)"
_ASKED = ("capture", "group", "topic", "partition")


def settled_waits(lines: DataFrame, commits: DataFrame, markers: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `settled_waits`: waits that no open transaction of the group's log explains.

    A line counts where it was written at least COPYING_MS after the marker of the position's last transactional commit,
    and no commit of the group for that partition is undecided. `commits` are those of the judged logs, `markers` are
    `offsets_markers`. zone_ms: by how much its writer's clock may be from UTC where the line tells no zone, if a commit
    was pending then; null for none.
    """
    waits = _waits(lines)
    ended = _last_commits(commits).join(F.broadcast(waits), list(_ASKED))
    times = markers.select(*OFFSETS_LOG, "producer_id", "marker_offset", "marker_ms")
    dated = ended.join(times, [*OFFSETS_LOG, "producer_id", "marker_offset"])
    dated = dated.where(F.col("waited_ms") > F.col("marker_ms") + COPYING_MS)
    zones = _zones(commits, times, waits)
    told = dated.join(zones, [*OFFSETS_LOG, *_ASKED[1:]], "left").drop("zoneless")
    reaches = F.coalesce(F.col("newest_ms") >= F.col("waited_ms"), F.lit(False))
    return told.join(_newest(commits, logs), list(OFFSETS_LOG)).withColumn("log_reaches", reaches)


def _zones(commits: DataFrame, markers: DataFrame, waits: DataFrame) -> DataFrame:
    """Return the zones in which waits whose lines tell none were written while a commit of them was pending."""
    pending = (
        commits.where("is_transactional AND NOT tombstone")
        .join(F.broadcast(waits.where("zoneless")), list(_ASKED))
        .join(markers, [*OFFSETS_LOG, "producer_id", "marker_offset"])
    )
    quarters = F.floor((F.col("waited_ms") - F.col("timestamp") + SKEW_MS) / QUARTER_MS)
    zone_ms = (quarters * QUARTER_MS).cast("bigint")
    inside = zone_ms >= F.col("waited_ms") - F.col("marker_ms") - SKEW_MS
    other = (quarters != 0) & F.abs(quarters).between(1, MOST_QUARTERS)
    return pending.where(inside & other).groupBy(*OFFSETS_LOG, *_ASKED[1:]).agg(F.max(zone_ms).alias("zone_ms"))


def _newest(commits: DataFrame, logs: DataFrame) -> DataFrame:
    """Return how far each log reaches in time: its markers, and its commits, which the coordinator stamps."""
    last = commits.groupBy(*OFFSETS_LOG).agg(F.max("timestamp").alias("committed_ms"))
    here = logs.where(F.col("topic") == OFFSETS_TOPIC).select(
        "capture", F.col("partition").alias("offsets_partition"), "replica", F.col("newest_ms").alias("stamped_ms")
    )
    newest = F.greatest("stamped_ms", "committed_ms").alias("newest_ms")
    return here.join(last, list(OFFSETS_LOG)).select(*OFFSETS_LOG, newest)


def _waits(lines: DataFrame) -> DataFrame:
    """Return the last line of each group and partition, and how many there are."""
    told = lines.where("says = 'unstable_offsets' AND logged_ms IS NOT NULL")
    told = told.withColumn("group", F.regexp_extract("text", GROUP_OF_CLIENT, 1))
    return (
        told.where("group <> ''")
        .groupBy(*_ASKED)
        .agg(
            F.count("*").alias("waits"),
            F.max("logged_ms").alias("waited_ms"),
            F.max_by(ref(), F.col("logged_ms")).alias("wait_ref"),
            F.max_by(F.col("text").rlike(_TIME) & ~F.col("text").rlike(_ZONE), F.col("logged_ms")).alias("zoneless"),
        )
    )


def _last_commits(commits: DataFrame) -> DataFrame:
    """Return the last transactional commit of each position of which none is undecided."""
    last = F.struct("offset", "producer_id", "marker_offset", "decision", "committed_offset", "ref")
    transactional = commits.where("is_transactional AND NOT tombstone")
    newest = transactional.groupBy(*POSITION).agg(
        F.max(last).alias("last"), F.count(F.when(F.col("decided_at").isNull(), 1)).alias("undecided")
    )
    return newest.where("undecided = 0").select(
        *POSITION, "last.producer_id", "last.marker_offset", "last.decision", "last.committed_offset",
        F.col("last.ref").alias("commit_ref"),
    )  # fmt: skip
