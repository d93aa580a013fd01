"""Offset commits: who committed, how and when each was decided, and the positions that follow."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.placing import placed, ref
from analyzer.tables.unions import union_filled

OFFSETS_LOG = ("capture", "offsets_partition", "replica")
"""What names one copy of a partition of __consumer_offsets."""
POSITION = (*OFFSETS_LOG, "group", "topic", "partition")
"""What a commit is about: a group's position in a partition."""


def group_commits(commits: DataFrame, metadata: DataFrame, places: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the columns of `group_commits` for every copy of a log of __consumer_offsets.

    A transactional commit counts from its marker on, not from its own offset: the group coordinator makes it the
    group's position when the marker is written (`GroupMetadata.completePendingTxnOffsetCommit`).
    """
    own = placed(commits, places.where(F.col("topic") == OFFSETS_TOPIC))
    rows = own.where("offset IS NOT NULL").select(
        "capture", F.col("log_partition").alias("offsets_partition"), "replica", "offset", "timestamp", "group",
        "topic", "partition", "committed_offset", F.coalesce("tombstone", F.lit(False)).alias("tombstone"),
        *[F.when(F.col("is_transactional"), F.col(name)).alias(name) for name in ("producer_id", "producer_epoch")],
        F.coalesce("is_transactional", F.lit(False)).alias("is_transactional"),
        ref(record="record").alias("ref"),
    )  # fmt: skip
    merged = rows.groupBy(*POSITION, "offset").agg(
        *[F.max(name).alias(name) for name in MERGED], F.min("ref").alias("ref")
    )
    return _told(_decided(merged, txns), metadata, places, txns)


MERGED = ("timestamp", "committed_offset", "tombstone", "producer_id", "producer_epoch", "is_transactional")


def _decided(commits: DataFrame, txns: DataFrame) -> DataFrame:
    """Add the marker that ends the commit's transaction: the next marker of its producer id in the log."""
    markers = txns.where((F.col("topic") == OFFSETS_TOPIC) & F.col("marker_offset").isNotNull()).select(
        "capture", F.col("partition").alias("offsets_partition"), "replica", "producer_id",
        F.col("marker_offset").alias("offset"), F.struct("marker_offset", "marker").alias("ends"),
    )  # fmt: skip
    producer = Window.partitionBy(*OFFSETS_LOG, "producer_id").orderBy(F.col("offset").desc())
    following = producer.rowsBetween(Window.unboundedPreceding, 0)
    transactional = commits.where("is_transactional").withColumn("own", F.lit(True))
    ended = (
        union_filled(transactional, markers)
        .withColumn("ends", F.last("ends", ignorenulls=True).over(following))
        .where("own")
        .select(*commits.columns, F.col("ends.marker_offset").alias("marker_offset"), _decision("ends.marker"))
    )
    plain = commits.where("NOT is_transactional").withColumn("decision", F.lit("COMMIT"))
    return union_filled(ended, plain).withColumn(
        "decided_at", F.coalesce("marker_offset", F.when(~F.col("is_transactional"), F.col("offset")))
    )


def _decision(name: str) -> Column:
    return F.col(name).alias("decision")


def _told(commits: DataFrame, metadata: DataFrame, places: DataFrame, txns: DataFrame) -> DataFrame:
    """Add `told`: how many offsets up to this one the dump explains, as commits, group metadata or markers.

    Two commits with the same `offset - told` have nothing else between them: no record that the cleaner removed, and
    none of a kind that the tool does not print (members of KIP-848 groups). All rebalances between them are printed.
    """
    groups = placed(metadata, places.where(F.col("topic") == OFFSETS_TOPIC)).where("offset IS NOT NULL")
    markers = txns.where((F.col("topic") == OFFSETS_TOPIC) & F.col("marker_offset").isNotNull())
    others = (
        groups.select("capture", F.col("partition").alias("offsets_partition"), "replica", "offset")
        .unionByName(
            markers.select("capture", F.col("partition").alias("offsets_partition"), "replica",
                           F.col("marker_offset").alias("offset"))
        )
        .distinct()
    )  # fmt: skip
    in_log = Window.partitionBy(*OFFSETS_LOG).orderBy("offset")
    numbered = union_filled(commits.withColumn("own", F.lit(True)), others)
    return numbered.withColumn("told", F.row_number().over(in_log)).where("own").drop("own")


def generations(metadata: DataFrame, places: DataFrame) -> DataFrame:
    """Return one row per group metadata record. Each is a generation of a group, which means a rebalance (KIP-447)."""
    own = placed(metadata, places.where(F.col("topic") == OFFSETS_TOPIC)).where("offset IS NOT NULL")
    return own.groupBy("capture", F.col("partition").alias("offsets_partition"), "replica", "group", "offset").agg(
        F.max("generation").alias("generation")
    )


def committed_positions(commits: DataFrame, seen: DataFrame) -> DataFrame:
    """Return rows of `group_positions`: the newest decided commit, otherwise pasted kafka-consumer-groups.sh output.

    `commits` are those of the judged logs, `seen` the placed observations. Of two pasted rows the lower counts, so that
    no waiting group is missed. A deleted position (tombstone) is no position.
    """
    counted = commits.where("decision = 'COMMIT' AND decided_at IS NOT NULL")
    newest = counted.groupBy("capture", "group", "topic", "partition").agg(
        F.max_by(F.struct("committed_offset", "tombstone", "ref"), F.struct("decided_at", "offset")).alias("newest")
    )
    stored = newest.select(
        "capture", "group", "topic", "partition",
        F.when(~F.col("newest.tombstone"), F.col("newest.committed_offset")).alias("position"),
        F.col("newest.ref").alias("position_ref"),
        F.lit(0).alias("rank"),
    )  # fmt: skip
    pasted = seen.where("observed = 'group_position' AND number IS NOT NULL").select(
        "capture", F.col("name").alias("group"), "topic", "partition", F.col("number").alias("position"),
        ref().alias("position_ref"), F.lit(1).alias("rank"),
    )  # fmt: skip
    best = F.min(F.struct("rank", "position", "position_ref")).alias("best")
    chosen = stored.unionByName(pasted).groupBy("capture", "group", "topic", "partition").agg(best)
    return chosen.where("best.position IS NOT NULL").select(
        "capture", "group", "topic", "partition", "best.position", "best.position_ref"
    )


def _offsets_logs(authority: DataFrame) -> DataFrame:
    """Return the judged copy of each partition of __consumer_offsets, under the names that commits use."""
    return authority.where((F.col("topic") == OFFSETS_TOPIC) & F.col("authority")).select(
        "capture", F.col("partition").alias("offsets_partition"), "replica"
    )


def judged_commits(commits: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `group_commits`: the commits in the copies that are judged (RULES A 1)."""
    return commits.join(_offsets_logs(logs), list(OFFSETS_LOG))
