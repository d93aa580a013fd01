"""Partitions that have no leader: by pasted kafka-topics.sh --describe, or by the controllers' log (RULES F 9)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.placing import PARTITION, at_line, at_ref


def unled_partitions(seen: DataFrame, changes: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the partitions without a leader: `unled_by`, file and line or byte; since when, epoch ms; who holds them.

    `may_lead`: those of them that may lead without losing anything: in sync, or eligible (KIP-966) where nobody is.

    A paste counts where no paste names a leader. The controllers' log tells what was so at the capture's moment, of
    partitions that nobody described. `seen` are the placed observations, `changes` the `partition_changes`.
    """
    pasted = seen.where("observed = 'partition_leader' AND byte_offset IS NOT NULL AND other_number IS NULL")
    described = _described(pasted)
    told = _told(changes, captures).join(pasted.select(*PARTITION).distinct(), list(PARTITION), "left_anti")
    return described.unionByName(told)


def _described(pasted: DataFrame) -> DataFrame:
    leader, told = F.max(F.coalesce("number", F.lit(-1))), F.max(F.struct("path", "line", "text"))
    rows = pasted.groupBy(*PARTITION).agg(leader.alias("leader"), told.alias("told"))
    return rows.where("leader < 0").select(
        *PARTITION, at_line("told.path", "told.line").alias("unled_by"),
        F.lit(None).cast("bigint").alias("unled_ms"),
        _brokers(r"Replicas: ?([\d,]+)").alias("held_by"),
        F.coalesce(_brokers(r"Isr: ?(\d[\d,]*)"), _brokers(r"\bElr: ?(\d[\d,]*)")).alias("may_lead"),
    )  # fmt: skip


def _brokers(pattern: str) -> Column:
    """Return the brokers that a row of --describe lists, by the first group of the pattern; null for none."""
    found = F.regexp_extract("told.text", pattern, 1)
    return F.when(found != "", found)


def _told(changes: DataFrame, captures: DataFrame) -> DataFrame:
    until = captures.select("capture", F.col("captured_at").alias("until_ms"))
    past = changes.where("topic IS NOT NULL").join(until, "capture").where(
        "until_ms IS NULL OR changed_ms IS NULL OR changed_ms <= until_ms"
    )  # fmt: skip
    last = F.max_by(F.struct("leader_id", "changed_ms", "replica_ids", "isr", "elr", "ref"), "offset").alias("last")
    rows = past.groupBy(*PARTITION).agg(last).where("last.leader_id = -1")
    sound = F.when(F.size("last.isr") > 0, F.col("last.isr")).otherwise(F.col("last.elr"))
    return rows.select(
        *PARTITION, at_ref("last.ref").alias("unled_by"),
        F.col("last.changed_ms").alias("unled_ms"), F.array_join("last.replica_ids", ",").alias("held_by"),
        F.array_join(sound, ",").alias("may_lead"),
    )  # fmt: skip


def unled_since(unled: DataFrame, quorum: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the partitions without a leader at the capture's moment by the controllers' log, since when, up to when.

    `quorum` are the `quorum_logs`. No copy has a marker that was stamped meanwhile.
    """
    ends = quorum.select("capture", "last_ms").join(captures.select("capture", "captured_at"), "capture")
    until = ends.select("capture", F.least("last_ms", "captured_at").alias("unled_until_ms"))
    return unled.where("unled_ms IS NOT NULL").select(*PARTITION, "unled_ms").join(until, "capture")


def with_unled(unled: DataFrame, rows: DataFrame) -> DataFrame:
    """Add to open transactions who says that their partition has no leader; null where nobody does."""
    told = [name for name in unled.columns if name not in PARTITION]
    return rows.drop(*told).join(unled, list(PARTITION), "left")
