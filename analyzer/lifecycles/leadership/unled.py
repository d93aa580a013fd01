"""Partitions that have no leader: by pasted kafka-topics.sh --describe, or by the controllers' log (RULES F 9)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import PARTITION


def unled_partitions(seen: DataFrame, changes: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the partitions without a leader: `unled_by`, file and line; since when, epoch ms; who holds them.

    A paste counts where no paste names a leader. The controllers' log tells what was so at the capture's moment, of
    partitions that nobody described. `seen` are the placed observations, `changes` the `partition_changes`.
    """
    pasted = seen.where("observed = 'partition_leader' AND byte_offset IS NOT NULL AND other_number IS NULL")
    described = _described(pasted)
    told = _told(changes, captures).join(pasted.select(*PARTITION).distinct(), list(PARTITION), "left_anti")
    return described.unionByName(told)


def _described(pasted: DataFrame) -> DataFrame:
    first = F.struct("path", "line", "text")
    rows = pasted.groupBy(*PARTITION).agg(
        F.max(F.coalesce("number", F.lit(-1))).alias("leader"), F.max(first).alias("told")
    )
    return rows.where("leader < 0").select(
        *PARTITION, F.concat("told.path", F.lit(":"), F.col("told.line").cast("string")).alias("unled_by"),
        F.lit(None).cast("bigint").alias("unled_ms"),
        F.regexp_extract("told.text", r"Replicas: ?([\d,]+)", 1).alias("held_by"),
    )  # fmt: skip


def _told(changes: DataFrame, captures: DataFrame) -> DataFrame:
    until = captures.select("capture", F.col("captured_at").alias("until_ms"))
    past = changes.where("topic IS NOT NULL").join(until, "capture").where(
        "until_ms IS NULL OR changed_ms IS NULL OR changed_ms <= until_ms"
    )  # fmt: skip
    last = F.max_by(F.struct("leader_id", "changed_ms", "replica_ids", "ref"), "offset").alias("last")
    rows = past.groupBy(*PARTITION).agg(last).where("last.leader_id = -1")
    return rows.select(
        *PARTITION, F.concat("last.ref.path", F.lit(":"), F.col("last.ref.line").cast("string")).alias("unled_by"),
        F.col("last.changed_ms").alias("unled_ms"), F.array_join("last.replica_ids", ",").alias("held_by"),
    )  # fmt: skip


def with_unled(rows: DataFrame, unled: DataFrame) -> DataFrame:
    """Add to open transactions who says that their partition has no leader; null where nobody does."""
    return rows.join(unled, list(PARTITION), "left")
