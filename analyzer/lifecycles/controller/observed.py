"""What the controllers' log tells as the output of admin tools would: leaders and partition counts (RULES E 3)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.tables.unions import union_filled

PLACE = ("path", "line", "byte_offset")
"""The parts of the reference to a record that observations have."""


def with_controller(partitions: DataFrame, seen: DataFrame, counts: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the placed observations and, where nobody pasted them, leaders and counts at the capture's moment."""
    told = union_filled(_leaders(partitions, captures), _counts(counts))
    pasted = seen.where("observed IN ('partition_leader', 'partition_count')").select("capture", "observed", "topic")
    new = told.join(pasted.distinct(), ["capture", "observed", "topic"], "left_anti")
    shared = [field for field in seen.schema.fields if field.name in new.columns]
    kept = new.select(*[F.col(field.name).cast(field.dataType).alias(field.name) for field in shared])
    return union_filled(seen, kept).select(*seen.columns)


def _leaders(partitions: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the last leader of each partition up to the capture time: who led before a clean stop still counts.

    A leader that was replaced in the millisecond of its election, as controlled shutdowns do, never led.
    `other_number` is the leader epoch at that moment: a copy with a newer one was written after it. `text` are the
    copies and those in sync by the last change, as kafka-topics.sh prints them.
    """
    until = captures.select("capture", F.col("captured_at").alias("until_ms"))
    known = partitions.where("topic IS NOT NULL").join(until, "capture")
    past = known.where("until_ms IS NULL OR changed_ms IS NULL OR changed_ms <= until_ms")
    born = F.min("offset").over(Window.partitionBy("capture", "topic", "topic_id"))
    newest = F.max("born").over(Window.partitionBy("capture", "topic"))
    here = past.withColumn("born", born).withColumn("newest", newest).where("born = newest")
    reigned = F.coalesce(F.col("next_ms") > F.col("changed_ms"), F.lit(True))
    leading = F.when((F.col("leader_id") >= 0) & reigned, F.col("offset"))
    copies = F.concat(F.lit("Replicas: "), F.array_join("replica_ids", ","), F.lit(" Isr: "), F.array_join("isr", ","))
    return (
        here.groupBy("capture", "topic", "partition")
        .agg(
            F.max_by("leader_id", leading).alias("number"),
            F.max_by("ref", leading).alias("ref"),
            F.max("leader_epoch").alias("other_number"),
            F.max(leading).alias("led_from"),
            F.max_by(F.coalesce(copies, F.lit("")), "offset").alias("text"),
        )
        .where("led_from IS NOT NULL")
        .select(
            "capture", F.lit("partition_leader").alias("observed"), "topic", "partition", "number", "other_number",
            "text", *[f"ref.{name}" for name in PLACE],
        )
    )  # fmt: skip


def _counts(counts: DataFrame) -> DataFrame:
    """Return the partition count of each topic at the end of the log."""
    latest = counts.where("topic IS NOT NULL").groupBy("capture", "topic").agg(
        F.max(F.struct("offset", "partition_count", "ref")).alias("last")
    )  # fmt: skip
    return latest.select(
        "capture", F.lit("partition_count").alias("observed"), "topic", F.col("last.partition_count").alias("number"),
        *[f"last.ref.{name}" for name in PLACE],
    )  # fmt: skip
