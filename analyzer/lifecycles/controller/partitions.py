"""The state of topics and partitions at every offset of the controllers' log."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.controller.records import integer, integers, of_type, text, until
from analyzer.tables.unions import union_filled

KEY = ("capture", "topic_id", "partition")
NO_CHANGE = -2
"""`leader` of a PARTITION_CHANGE_RECORD that names none (PartitionChangeRecord.json)."""
_CARRIED = ("leader_id", "replica_ids", "isr", "elr", "last_known_elr", "recovery", "adding", "removing")
"""What stays as it was in a record that does not name it."""


def quorum_topics(records: DataFrame) -> DataFrame:
    """Return rows of `quorum_topics`. Deletion is one record; partitions and settings go with it (KIP-631)."""
    created = of_type(records, "TOPIC_RECORD").select(
        "capture", text("topicId").alias("topic_id"), text("name").alias("topic"), "offset", "changed_ms", "ref"
    )
    removed = of_type(records, "REMOVE_TOPIC_RECORD").select(
        "capture", text("topicId").alias("topic_id"), F.col("offset").alias("removed_offset"),
        F.col("changed_ms").alias("removed_ms"),
    )  # fmt: skip
    return (
        created.where("topic_id IS NOT NULL")
        .join(removed, ["capture", "topic_id"], "left")
        .select("capture", "topic_id", "topic", "offset", "changed_ms", "removed_offset", "removed_ms", "ref")
    )


def partition_changes(records: DataFrame, topics: DataFrame) -> DataFrame:
    """Return rows of `partition_changes`.

    A PARTITION_RECORD is a whole state; a PARTITION_CHANGE_RECORD names what changes. A leader that is named, also the
    same one, begins a leader epoch, and each change raises the partition epoch: neither is printed, so both are counted
    (`PartitionRegistration.merge`). An unclean election sets leaderRecoveryState 1; a leader from outside the ISR
    alone is also the end of a reassignment or an election from the ELR.
    """
    stated = _told(records)
    told = union_filled(stated, _cleared(stated, records, topics))
    order = Window.partitionBy(*KEY).orderBy("offset")
    so_far = order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    eras = told.withColumn("era", F.count(F.when(F.col("whole_state"), 1)).over(so_far))
    inside = Window.partitionBy(*KEY, "era").orderBy("offset").rowsBetween(Window.unboundedPreceding, 0)

    def counted(base: str, step: Column) -> Column:
        return F.max(base).over(inside) + F.sum((step & ~F.col("whole_state")).cast("int")).over(inside)

    states = eras.select(
        *KEY, "offset", "changed_ms", "change", "elected", "unclean", "ref",
        *[F.last(name, ignorenulls=True).over(inside).alias(name) for name in _CARRIED],
        counted("base_epoch", F.col("elected")).cast("int").alias("leader_epoch"),
        counted("base_partition_epoch", F.col("change") == "changed").cast("int").alias("partition_epoch"),
    )  # fmt: skip
    named = states.join(topics.select("capture", "topic_id", "topic"), ["capture", "topic_id"], "left")
    return named.select(
        *KEY, "topic", "offset", "changed_ms", "change", "elected", "leader_id", "leader_epoch", "partition_epoch",
        "replica_ids", "isr", "elr", "last_known_elr", (F.col("recovery") == 1).alias("recovering"), "adding",
        "removing", "unclean",
        F.lag("leader_id").over(order).alias("previous_leader_id"),
        F.lag("isr").over(order).alias("previous_isr"),
        F.lag("elr").over(order).alias("previous_elr"),
        *until(order),
        "ref",
    )  # fmt: skip


def _told(records: DataFrame) -> DataFrame:
    """Return what partition records say; in a whole state a list that is left out is empty."""
    rows = of_type(records, "PARTITION_RECORD", "PARTITION_CHANGE_RECORD").where("fields IS NOT NULL")
    state = F.col("record_type") == "PARTITION_RECORD"
    leader = F.when(integer("leader") != NO_CHANGE, integer("leader"))
    recovery = F.when(integer("leaderRecoveryState") >= 0, integer("leaderRecoveryState"))
    no_elr = F.when(state & F.coalesce("whole", F.lit(True)), F.array().cast("array<int>"))
    change = F.when(~state, "changed").when(F.col("place_in_checkpoint").isNotNull(), "checkpoint")
    return rows.select(
        "capture", text("topicId").alias("topic_id"), integer("partitionId").alias("partition"), "offset", "changed_ms",
        F.coalesce(change, F.lit("created")).alias("change"),
        state.alias("whole_state"),
        leader.isNotNull().alias("elected"),
        leader.alias("leader_id"),
        integers("replicas").alias("replica_ids"),
        integers("isr").alias("isr"),
        F.coalesce(integers("eligibleLeaderReplicas"), no_elr).alias("elr"),
        F.coalesce(integers("lastKnownElr"), no_elr).alias("last_known_elr"),
        F.coalesce(recovery, F.when(state, F.lit(0))).alias("recovery"),
        integers("addingReplicas").alias("adding"),
        integers("removingReplicas").alias("removing"),
        (~state & F.coalesce((recovery == 1) & (leader >= 0), F.lit(False))).alias("unclean"),
        integer("leaderEpoch").alias("base_epoch"),
        integer("partitionEpoch").alias("base_partition_epoch"),
        "ref",
    )  # fmt: skip


def _cleared(stated: DataFrame, records: DataFrame, topics: DataFrame) -> DataFrame:
    """Return an empty ELR of each partition of the topics that CLEAR_ELR_RECORDs name; an empty name means all."""
    cleared = of_type(records, "CLEAR_ELR_RECORD").where("fields IS NOT NULL").select(
        "capture", F.col("offset").alias("cleared_at"), F.col("changed_ms").alias("cleared_ms"),
        text("topicName").alias("cleared_topic"), F.col("ref").alias("cleared_ref"),
    )  # fmt: skip
    known = stated.where("change <> 'changed'")
    here = known.join(topics.select("capture", "topic_id", "topic"), ["capture", "topic_id"])
    hit = (F.col("cleared_topic") == F.col("topic")) | (F.coalesce("cleared_topic", F.lit("")) == "")
    return (
        here.join(cleared, "capture")
        .where(hit & (F.col("cleared_at") > F.col("offset")))
        .select(
            *KEY, F.col("cleared_at").alias("offset"), F.col("cleared_ms").alias("changed_ms"),
            F.lit("elr_cleared").alias("change"),
            *[F.lit(False).alias(name) for name in ("whole_state", "elected", "unclean")],
            *[F.array().cast("array<int>").alias(name) for name in ("elr", "last_known_elr")],
            F.col("cleared_ref").alias("ref"),
        )
    )  # fmt: skip


def partition_counts(changes: DataFrame) -> DataFrame:
    """Return rows of `partition_counts`; partitions that one batch adds have one time and count as one change."""
    added = changes.where("change IN ('created', 'checkpoint')")
    steps = added.groupBy("capture", "topic_id", "topic", "changed_ms").agg(
        F.count("*").alias("added"),
        F.min("offset").alias("offset"),
        F.max("offset").alias("last_added_offset"),
        F.min_by("ref", F.struct("offset", "partition")).alias("ref"),
    )
    order = Window.partitionBy("capture", "topic_id").orderBy("offset")
    total = F.sum("added").over(order).cast("int")
    return steps.withColumn("partition_count", total).select(
        "capture", "topic_id", "topic", "partition_count",
        F.lag("partition_count").over(order).alias("previous_count"),
        "offset", "last_added_offset", "changed_ms",
        *until(order),
        "ref",
    )  # fmt: skip
