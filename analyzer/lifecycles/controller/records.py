"""The records of the controllers' log in order, merged over nodes and dumps, after those of the checkpoint before."""

from pyspark.sql import Column, DataFrame, Window, WindowSpec, functions as F

from analyzer.kafka.topics import METADATA_TOPIC
from analyzer.lifecycles.placing import placed, ref

MEANING = ("quorum_epoch", "is_control", "record_type", "version", "fields", "whole", "undecoded")
SHOWN_TYPES = 12
NO_OP = "NO_OP_RECORD"
"""What the active controller writes twice a second where nothing else is to be written (KIP-835)."""


def log_records(records: DataFrame, places: DataFrame) -> DataFrame:
    """Return each record of the log once, as it is read best: decoded before not, whole before not, raw before text.

    Where nodes disagree, the later quorum epoch holds: what an older leader appended at or after the offset where a
    newer one begins was never committed (KIP-595). `records` is the fact table.
    """
    logs = placed(records, places.where((F.col("topic") == METADATA_TOPIC) & (F.col("kind") == "log")))
    quality = F.struct(
        F.coalesce("quorum_epoch", F.lit(-1)), F.col("fields").isNotNull(), F.coalesce("whole", F.lit(True)),
        F.col("line").isNull(), "path",
    )  # fmt: skip
    row = F.struct("timestamp", *MEANING, ref(record="record").alias("ref"))
    merged = (
        logs.where("offset IS NOT NULL").groupBy("capture", "offset").agg(F.max_by(row, quality).alias("best"))
    ).select("capture", "offset", "best.*")
    begun = F.max(F.when(F.col("record_type") == "LEADER_CHANGE", F.col("quorum_epoch"))).over(
        Window.partitionBy("capture").orderBy("offset")
    )
    overtaken = F.coalesce(F.col("quorum_epoch") < begun, F.lit(False))
    return merged.withColumn("overtaken", overtaken).where("NOT overtaken").drop("overtaken")


def checkpoint_records(records: DataFrame, places: DataFrame) -> DataFrame:
    """Return the records of each checkpoint by its end offset, of the copy that is read best."""
    files = placed(records, places.where((F.col("topic") == METADATA_TOPIC) & (F.col("kind") == "checkpoint")))
    copy = Window.partitionBy("capture", "segment", "path", "section")
    known = files.withColumn("unread", F.count(F.when(F.col("fields").isNull(), 1)).over(copy))
    rank = F.struct("unread", F.col("line").isNotNull(), "path", "section")
    return (
        known.withColumn("rank", rank)
        .withColumn("best", F.min("rank").over(Window.partitionBy("capture", "segment")))
        .where("rank = best")
        .select(
            "capture", F.col("segment").alias("checkpoint_end"), F.col("offset").alias("place_in_checkpoint"),
            *MEANING, ref(record="record").alias("ref"),
        )
    )  # fmt: skip


def quorum_logs(log: DataFrame, checkpoints: DataFrame) -> DataFrame:
    """Return rows of `quorum_logs`.

    Every record has an offset of its own and none is ever compacted away, so a missing offset is a missing record.
    After the last gap, or without the log's beginning, the state comes from the first checkpoint that ends there or
    later.
    """
    in_order = Window.partitionBy("capture").orderBy("offset")
    gap = F.col("offset") > F.coalesce(F.lag("offset").over(in_order), F.lit(-1)) + 1
    beat = F.when(F.col("record_type") == NO_OP, F.col("timestamp"))
    reach = (
        log.withColumn("begins", F.when(gap, F.col("offset")))
        .groupBy("capture")
        .agg(
            F.coalesce(F.max("begins"), F.lit(0)).alias("run_start"),
            (F.max("offset") + 1).alias("quorum_end"),
            F.min("timestamp").alias("first_ms"),
            F.max("timestamp").alias("last_ms"),
            (F.max(beat) - F.min(beat)).alias("beaten_ms"),
            F.count(beat).alias("beats"),
        )
    )
    ends = checkpoints.select("capture", "checkpoint_end").distinct()
    newest = ends.groupBy("capture").agg(F.max("checkpoint_end").alias("newest_end"))
    fitting = (
        ends.join(reach, "capture")
        .where("run_start > 0 AND checkpoint_end >= run_start")
        .groupBy("capture")
        .agg(F.min("checkpoint_end").alias("fitting_end"))
    )
    joined = reach.join(newest, "capture", "full").join(fitting, "capture", "left")
    alone = F.when(F.col("run_start").isNull(), F.col("newest_end"))
    used, from_start = F.coalesce("fitting_end", alone), F.coalesce(F.col("run_start") == 0, F.lit(False))
    return joined.select(
        "capture", used.alias("checkpoint_end"), from_start.alias("from_start"),
        (from_start | used.isNotNull()).alias("complete"),
        F.greatest("quorum_end", used).alias("quorum_end"), "first_ms", "last_ms",
        F.when(F.col("beats") > 1, (F.col("beaten_ms") / (F.col("beats") - 1)).cast("bigint")).alias("pace_ms"),
    )  # fmt: skip


def quorum_records(log: DataFrame, checkpoints: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `quorum_records`: the checkpoint that the state starts from, and the log from its end on.

    A checkpoint's own timestamps say when it was written, not when anything changed, so its records have none.
    """
    start = logs.select("capture", "checkpoint_end")
    before = checkpoints.join(start, ["capture", "checkpoint_end"]).select(
        "capture", (F.col("checkpoint_end") - 1).alias("offset"), "place_in_checkpoint",
        F.lit(None).cast("bigint").alias("changed_ms"), *MEANING, "ref",
    )  # fmt: skip
    after = (
        log.join(start, "capture")
        .where("checkpoint_end IS NULL OR offset >= checkpoint_end")
        .select(
            "capture", "offset", F.lit(None).cast("bigint").alias("place_in_checkpoint"),
            F.col("timestamp").alias("changed_ms"), *MEANING, "ref",
        )
    )  # fmt: skip
    return before.unionByName(after).where(F.coalesce(F.col("record_type") != NO_OP, F.lit(True)))


def with_undecoded(logs: DataFrame, records: DataFrame) -> DataFrame:
    """Add how many records say nothing, of which types, and whether the cluster came from ZooKeeper (KIP-866)."""
    unread = F.col("fields").isNull()
    migrating = F.coalesce(integer("zkMigrationState") > 0, F.lit(True))
    migration = (F.col("record_type") == "ZK_MIGRATION_STATE_RECORD") & migrating
    counted = (
        records.where(unread | migration)
        .groupBy("capture")
        .agg(
            F.count(F.when(unread, 1)).alias("undecoded_records"),
            F.array_sort(F.collect_set(F.when(unread, F.coalesce("record_type", F.lit("unknown"))))).alias("types"),
            F.max(F.coalesce(migration, F.lit(False))).alias("migration"),
        )
    )
    shown = F.array_join(F.slice("types", 1, SHOWN_TYPES), ", ")
    return logs.join(counted, "capture", "left").select(
        *[name for name in logs.columns if name not in ("undecoded_records", "some_undecoded", "migrated")],
        F.coalesce("undecoded_records", F.lit(0)).alias("undecoded_records"),
        F.when(F.col("undecoded_records") > 0, shown).alias("some_undecoded"),
        F.coalesce("migration", F.lit(False)).alias("migrated"),
    )


def of_type(records: DataFrame, *types: str) -> DataFrame:
    """Return the records of these types."""
    return records.where(F.col("record_type").isin(*types))


def until(order: WindowSpec) -> list[Column]:
    """Return when the next change of the same thing follows a record in this order."""
    return [F.lead("offset").over(order).alias("next_offset"), F.lead("changed_ms").over(order).alias("next_ms")]


def text(name: str) -> Column:
    """Return a field of the record as text, null where the record does not have it."""
    return F.get_json_object("fields", f"$.{name}")


def integer(name: str) -> Column:
    """Return a field of the record as an int."""
    return text(name).try_cast("int")


def integers(name: str) -> Column:
    """Return a field of the record that is a list of ints, null where the record does not have it."""
    listed = F.split(F.regexp_replace(text(name), r"[\[\] ]", ""), ",")
    return F.filter(F.transform(listed, lambda one: one.try_cast("int")), lambda one: one.isNotNull())
