"""Offset commits: who committed, how and when each was decided, and the positions that follow."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.once import once
from analyzer.lifecycles.placing import LOG, placed, ref
from analyzer.stages.combining import first_of_each
from analyzer.tables.unions import among, union_filled

OFFSETS_LOG = ("capture", "offsets_partition", "replica")
"""What names one copy of a partition of __consumer_offsets."""
POSITION = (*OFFSETS_LOG, "group", "topic", "partition")
"""What a commit is about: a group's position in a partition."""


MERGED = ("timestamp", "committed_offset", "tombstone", "producer_id", "producer_epoch", "is_transactional")


def judged_places(places: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the places of the judged copies (RULES A 1) of __consumer_offsets with `dumps`, those of its segment."""
    judged = logs.where((F.col("topic") == OFFSETS_TOPIC) & F.col("authority")).select(*LOG)
    own = places.join(F.broadcast(judged), list(LOG))
    return own.withColumn("dumps", F.count("*").over(Window.partitionBy(*LOG, "segment")))


def commit_rows(commits: DataFrame, places: DataFrame) -> DataFrame:
    """Return the commits at these `judged_places`, as often as they were dumped."""
    return placed(commits, places, "dumps").where("offset IS NOT NULL").select(
        "capture", F.col("log_partition").alias("offsets_partition"), "replica", "file_id", "dumps", "offset",
        "timestamp", "group", "topic", "partition", "committed_offset",
        F.coalesce("tombstone", F.lit(False)).alias("tombstone"),
        *[F.when(F.col("is_transactional"), F.col(name)).alias(name) for name in ("producer_id", "producer_epoch")],
        F.coalesce("is_transactional", F.lit(False)).alias("is_transactional"),
        ref(record="record").alias("ref"),
    )  # fmt: skip


def rebalances(metadata: DataFrame, places: DataFrame) -> DataFrame:
    """Return the records of groups at these `judged_places`: one with a generation is a rebalance (KIP-447)."""
    own = placed(metadata, places).where("offset IS NOT NULL")
    return own.select(
        "capture", F.col("partition").alias("offsets_partition"), "replica", "file_id", "group", "offset", "generation"
    )


def offsets_markers(txns: DataFrame) -> DataFrame:
    """Return the markers in logs of __consumer_offsets, with their offsets and epochs."""
    own = txns.where((F.col("topic") == OFFSETS_TOPIC) & F.col("marker_offset").isNotNull())
    return own.select(
        "capture", F.col("partition").alias("offsets_partition"), "replica", "producer_id", "marker_offset", "marker",
        "marker_epoch", "marker_ms",
    )  # fmt: skip


def group_commits(rows: DataFrame, markers: DataFrame, generations: DataFrame) -> DataFrame:
    """Return rows of `group_commits`: each of the `commit_rows` once.

    A transactional commit counts from its marker on, not from its own offset: the group coordinator takes it up when
    the marker is written. `markers` are `offsets_markers`, `generations` are `rebalances`.
    """
    return _told(_decided(_once(rows), markers), markers, generations)


def _once(rows: DataFrame) -> DataFrame:
    """Return each commit once, with all that any dump of its segment says of it.

    Segments that overlap, as while the cleaner swaps them, have a record twice; the first of the two counts.
    """
    first = once(rows, OFFSETS_LOG, "ref.path", "ref.line", "ref.byte_offset", "ref.record").drop("file_id")
    several = rows.where("dumps > 1").groupBy(*OFFSETS_LOG, "offset")
    merged = several.agg(*[F.max(name).alias(name) for name in MERGED])
    return (
        first.where("dumps = 1")
        .unionByName(first.where("dumps > 1").drop(*MERGED).join(merged, [*OFFSETS_LOG, "offset"]))
        .drop("dumps")
    )


def _decided(commits: DataFrame, markers: DataFrame) -> DataFrame:
    """Add the marker that ends the commit's transaction: the next marker of its producer id in the log."""
    ends = markers.select(
        *OFFSETS_LOG, "producer_id", F.col("marker_offset").alias("offset"),
        F.struct("marker_offset", "marker", "marker_epoch").alias("ends"),
    )  # fmt: skip
    producer = Window.partitionBy(*OFFSETS_LOG, "producer_id").orderBy(F.col("offset").desc())
    following = producer.rowsBetween(Window.unboundedPreceding, 0)
    ended = among(commits.where("is_transactional"), ends, ends=F.last("ends", ignorenulls=True).over(following))
    decision = F.col("ends.marker").alias("decision")
    ended = ended.select(*commits.columns, "ends.marker_offset", "ends.marker_epoch", decision)
    plain = commits.where("NOT is_transactional").withColumn("decision", F.lit("COMMIT"))
    decided_at = F.coalesce("marker_offset", F.when(~F.col("is_transactional"), F.col("offset")))
    return union_filled(ended, plain).withColumn("decided_at", decided_at)


def _told(commits: DataFrame, markers: DataFrame, generations: DataFrame) -> DataFrame:
    """Add `told`: how many offsets up to this one the dump explains, as commits, group metadata or markers.

    Two commits with the same `offset - told` have nothing else between them: no record that the cleaner removed, and
    none of a kind that the tool did not print (members of KIP-848 groups, before 4.0). All rebalances between them are
    here.
    """
    ends = markers.select(*OFFSETS_LOG, F.col("marker_offset").alias("offset"))
    others = generations.select(*OFFSETS_LOG, "offset").unionByName(ends).distinct()
    in_log = Window.partitionBy(*OFFSETS_LOG).orderBy("offset")
    return among(commits, others, told=F.row_number().over(in_log))


def newest_commits(commits: DataFrame) -> DataFrame:
    """Return the decided commit that is each group's position in each log: its columns of `group_commits`.

    It is the one that was appended last, whenever the others were decided: at its marker a transactional commit does
    not replace a position from a later offset (`GroupMetadata.completePendingTxnOffsetCommit`, `olderThan`;
    `OffsetMetadataManager.replayEndTransactionMarker`).
    """
    counted = commits.where("decision = 'COMMIT' AND decided_at IS NOT NULL")
    counted = counted.select(*POSITION, "committed_offset", "tombstone", "ref", "decided_at", "offset", "timestamp")
    return _newest(counted, POSITION)


def _newest(commits: DataFrame, position: Sequence[str], *before: Column) -> DataFrame:
    order: tuple[Column | str, ...] = (*before, F.desc("offset"), F.desc("decided_at"), "offsets_partition")
    return first_of_each(commits, position, order, 1).drop("turn")


def committed_positions(newest: DataFrame, seen: DataFrame) -> DataFrame:
    """Return rows of `group_positions`: the newest decided commit, otherwise pasted kafka-consumer-groups.sh output.

    `newest` are the `newest_commits`, `seen` the placed observations. Of two pasted rows the lower counts, so that
    no waiting group is missed. A deleted position (tombstone) is no position. Of a group with commits in several
    partitions of __consumer_offsets, which was expanded, the one that a coordinator appended last counts: their
    offsets have nothing to do with each other.
    """
    place = ("capture", "group", "topic", "partition")
    stored = _newest(newest, place, F.desc_nulls_last("timestamp")).select(
        *place, F.when(~F.col("tombstone"), F.col("committed_offset")).alias("position"),
        F.col("ref").alias("position_ref"),
    )  # fmt: skip
    told = seen.where("observed = 'group_position' AND number IS NOT NULL").select(
        "capture", F.col("name").alias("group"), "topic", "partition",
        F.struct(F.col("number").alias("position"), ref().alias("position_ref")).alias("told"),
    )  # fmt: skip
    pasted = told.groupBy(*place).agg(F.min("told").alias("told")).select(*place, "told.*")
    return stored.unionByName(pasted.join(stored, list(place), "left_anti")).where("position IS NOT NULL")
