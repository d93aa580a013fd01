"""The records of __transaction_state as one history: merged over replicas, segments and dumps (RULES A 3)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coordinator.tables import MERGED
from analyzer.lifecycles.placing import placed, ref

RECORD = ("capture", "state_partition", "offset")


def coordinator_records(states: DataFrame, places: DataFrame, cut: DataFrame) -> DataFrame:
    """Return one row per record of a state partition, merged over replicas and dumps, without the `cut_records`.

    `copies` are the replicas that have it, null where that tells nothing. `hole` counts the offsets missing before the
    record: nothing is missing between two records with the same `hole`. Console output prints no offsets, so its line
    numbers take their place. Where a record has no timestamp (message format 0), its update's time stands for it.
    """
    files = places.where((F.col("topic") == STATE_TOPIC) & F.col("kind").isin("log", "console"))
    alone = one_copy(files)
    single = (
        _rows(states, files.join(alone, ["capture", "partition"]))
        .drop("replica")
        .withColumn("copies", F.lit(None).cast("array<string>"))
    )
    copied = _rows(states, files.join(alone, ["capture", "partition"], "left_anti"))
    several = copied.join(cut, [*RECORD, "replica"], "left_anti")
    merged = single.unionByName(
        several.groupBy(*RECORD).agg(
            F.max("has_offset").alias("has_offset"),
            F.max("timestamp").alias("timestamp"),
            *[F.max(name).alias(name) for name in MERGED],
            F.min("ref").alias("ref"),
            F.collect_set("replica").alias("copies"),
        )
    )
    in_log = Window.partitionBy("capture", "state_partition").orderBy("offset")
    return merged.withColumn(
        "hole", F.when(F.col("has_offset"), F.col("offset") - F.row_number().over(in_log) + 1)
    ).withColumn("timestamp", F.coalesce(F.when(F.col("timestamp") >= 0, F.col("timestamp")), "last_update_ms"))


def one_copy(files: DataFrame) -> DataFrame:
    """Return the state partitions that have each record once: one replica, and each segment in one file."""
    copies = files.where("kind = 'log' AND partition IS NOT NULL").groupBy("capture", "partition")
    counted = copies.agg(
        F.countDistinct("replica").alias("replicas"), F.countDistinct("segment").alias("segments"),
        F.count("*").alias("files"),
    )  # fmt: skip
    printed = files.where("kind = 'console'").select("capture", "partition")
    return (
        counted.where("replicas = 1 AND files = segments")
        .select("capture", "partition")
        .join(printed, ["capture", "partition"], "left_anti")
    )


def _rows(states: DataFrame, files: DataFrame) -> DataFrame:
    return placed(states, files).select(
        "capture",
        "replica",
        F.col("partition").alias("state_partition"),
        F.coalesce("offset", "line").alias("offset"),
        F.col("offset").isNotNull().alias("has_offset"),
        *MERGED,
        "timestamp",
        ref(record="record").alias("ref"),
    )
