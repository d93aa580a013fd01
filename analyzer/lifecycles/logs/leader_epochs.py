"""Where each leader epoch starts, by leader-epoch-checkpoint and batches, and where replicas part (KIP-101)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.logs.authority import epoch_entries
from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_filled

CLEANED = "magic = 2 AND (delete_horizon_ms IS NOT NULL OR count <= last_offset - base_offset)"
"""Batches that the cleaner wrote anew: it set the delete horizon, or left fewer records than there are offsets."""

LED = "partition_leader_epoch <> -1"
"""Batches that have a leader epoch: those of the formats before 2 have none (KIP-101)."""


def epoch_ranges(batches: DataFrame) -> DataFrame:
    """Return from where to where the batches of each leader epoch of a log go: log_no, epoch, begins_at, ends_at."""
    return (
        batches.where(LED)
        .groupBy("log_no", F.col("partition_leader_epoch").cast("bigint").alias("epoch"))
        .agg(F.min("base_offset").alias("begins_at"), F.max("last_offset").alias("ends_at"))
    )


def epoch_begins(ranges: DataFrame) -> DataFrame:
    """Return the offsets at which an epoch begins in some log: fewer than there are of a log and an offset."""
    return ranges.select(F.col("begins_at").alias("base_offset")).distinct()


def leader_epochs(batches: DataFrame, seen: DataFrame, begins: DataFrame) -> DataFrame:
    """Return rows of `leader_epochs`, one per copy of a log and leader epoch; `seen` are the placed observations.

    An entry of the checkpoint file wins over the first batch of the epoch. The file may lack an epoch that batches have
    (on a truncated follower), and may have one without batches. `begins` are `epoch_begins`.
    """
    entries = epoch_entries(seen).drop("path").withColumn("turn", F.lit(0))
    begun = with_few(batches.where(LED), begins, ["base_offset"]).select(
        *LOG, F.col("partition_leader_epoch").cast("bigint").alias("epoch"), F.col("base_offset").alias("start_offset"),
        F.col("batch_ref").alias("epoch_ref"), F.lit(1).alias("turn"),
    )  # fmt: skip
    entry = F.struct("turn", "start_offset", "epoch_ref")
    merged = entries.unionByName(begun).groupBy(*LOG, "epoch").agg(F.min(entry).alias("entry"))
    return merged.select(*LOG, "epoch", "entry.start_offset", "entry.epoch_ref")


def several_copies(logs: DataFrame) -> DataFrame:
    """Return the partitions of which more than one copy is here."""
    return logs.groupBy(*PARTITION).agg(F.count("*").alias("copies")).where("copies > 1")


def divergences(several: DataFrame, batches: DataFrame, logs: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return rows of `divergences`: for each partition whose replicas part, the copy that parts first (RULES A 13).

    A batch of leader epoch e at or beyond the start of the judged replica's next epoch was never the leader's
    (KIP-101). Above the cleaned range, two batches at one offset with different checksums count as well; where they are
    the first that both have, under one leader epoch, which has one leader, the copies are of two topics (`apart`).
    """
    judged = logs.where("authority").join(several, list(PARTITION), "left_semi")
    followers = logs.where("NOT authority").join(several, list(PARTITION), "left_semi").select(*LOG)
    newer = epochs_of_judged(judged, epochs)
    strange = union_filled(beyond(batches, followers, newer), _other_bytes(batches, logs, several))
    line = F.struct("base_offset", "batch_ref", "partition_leader_epoch")
    per_copy = strange.groupBy(*LOG).agg(
        F.min("base_offset").alias("first_offset"),
        F.max("last_offset").alias("last_offset"),
        F.countDistinct("base_offset").alias("batches"),
        F.countDistinct(F.when(F.col("marker").isNotNull(), F.col("base_offset"))).alias("markers"),
        F.min(line).alias("first"),
        F.min_by("one_epoch", "base_offset").alias("one_epoch"),
        F.min(F.when(F.col("new_epoch").isNotNull(), F.struct("start_offset", "new_epoch", "epoch_ref"))).alias("cut"),
    )
    leaders = judged.select(
        *PARTITION, F.col("replica").alias("authority_replica"), "log_end_offset",
        F.col("first_offset").alias("judged_first"),
    )  # fmt: skip
    begins = logs.select(*LOG, F.col("first_offset").alias("own_first"))
    from_start = F.col("first_offset") <= F.greatest("judged_first", "own_first")
    apart = F.col("one_epoch") & F.col("cut").isNull() & from_start
    both_end = F.when(F.col("cut").isNotNull(), F.greatest("last_offset", F.col("log_end_offset") - 1))
    worst = per_copy.groupBy(*PARTITION).agg(F.min(F.struct("first_offset", "replica")).alias("worst"))
    return (
        per_copy.join(worst, list(PARTITION))
        .where("replica = worst.replica")
        .join(leaders, list(PARTITION))
        .join(begins, list(LOG))
        .select(
            *LOG, "authority_replica", "first_offset", F.coalesce(both_end, "last_offset").alias("last_offset"),
            F.col("last_offset").alias("own_last_offset"), "batches", "markers",
            F.col("first.partition_leader_epoch").alias("leader_epoch"), F.col("first.batch_ref").alias("first_ref"),
            F.coalesce(apart, F.lit(False)).alias("apart"), "cut.new_epoch", "cut.start_offset", "cut.epoch_ref",
        )
    )  # fmt: skip


def epochs_of_judged(judged: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the leader epochs of judged copies: PARTITION, authority_replica, new_epoch, start_offset, epoch_ref."""
    return judged.select(*LOG).join(epochs, list(LOG)).select(
        *PARTITION, F.col("replica").alias("authority_replica"), F.col("epoch").alias("new_epoch"), "start_offset",
        "epoch_ref",
    )  # fmt: skip


def beyond(batches: DataFrame, followers: DataFrame, newer: DataFrame) -> DataFrame:
    """Return batches of other copies at or beyond the start of the judged replica's next leader epoch.

    `newer` are `epochs_of_judged`; each batch has of them the epoch that cuts it off.
    """
    mine = with_few(batches, followers, LOG)
    reach = mine.groupBy(*LOG, "partition_leader_epoch").agg(F.max("last_offset").alias("reach"))
    cut = (
        reach.join(newer, list(PARTITION))
        .where("new_epoch > partition_leader_epoch")
        .groupBy(*LOG, "partition_leader_epoch", "reach")
        .agg(F.min(F.struct("start_offset", "new_epoch", "epoch_ref")).alias("cut"))
        .where("reach >= cut.start_offset")
        .drop("reach")
    )
    return (
        with_few(mine, cut, [*LOG, "partition_leader_epoch"])
        .where("last_offset >= cut.start_offset")
        .select(
            *LOG, "base_offset", "last_offset", "marker", "batch_ref", "partition_leader_epoch", "count",
            "producer_id", "is_transactional", "is_control", "cut.start_offset", "cut.new_epoch", "cut.epoch_ref",
        )
    )  # fmt: skip


def _other_bytes(batches: DataFrame, logs: DataFrame, several: DataFrame) -> DataFrame:
    """Return batches of other copies at offsets where the checksums of the copies differ, above what was cleaned."""
    noted = logs.join(several, list(PARTITION), "left_semi").select(*PARTITION, "cleaned_end")
    cleaned = (
        noted.unionByName(batches.where(CLEANED).select(*PARTITION, (F.col("last_offset") + 1).alias("cleaned_end")))
        .groupBy(*PARTITION)
        .agg(F.coalesce(F.max("cleaned_end"), F.lit(0)).alias("cleaned"))
    )
    sound = batches.where("crc IS NOT NULL AND coalesce(crc_valid, true)")
    above = with_few(sound, cleaned, PARTITION).where("base_offset >= cleaned")
    differing = (
        above.groupBy(*PARTITION, "base_offset")
        .agg(F.min("crc").alias("least"), F.max("crc").alias("most"), _one_epoch().alias("one_epoch"))
        .where("least <> most")
        .select(*PARTITION, "base_offset", "one_epoch")
    )
    others = above.join(logs.where("NOT authority").select(*LOG), list(LOG), "left_semi")
    return others.join(differing, [*PARTITION, "base_offset"]).select(
        *LOG, "base_offset", "last_offset", "marker", "batch_ref", "partition_leader_epoch", "one_epoch"
    )


def _one_epoch() -> Column:
    """Return whether all batches of a group are of one known leader epoch."""
    epoch = F.col("partition_leader_epoch")
    return (F.min(epoch) == F.max(epoch)) & (F.min(epoch) >= 0) & (F.count(epoch) == F.count("*"))
