"""From batches, sections and checkpoints to one row per copy of a log: its bounds, and whether it is the one judged."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG


def log_spans(batches: DataFrame) -> DataFrame:
    """Return per copy of a log what its batches span, its newest timestamp, and the newest that a broker set."""
    by_broker = F.col("is_control") | (F.col("timestamp_type") == "LogAppendTime")
    return batches.groupBy(*LOG).agg(
        F.min("base_offset").alias("first_offset"),
        (F.max("last_offset") + 1).alias("end_of_batches"),
        F.max("partition_leader_epoch").alias("batch_epoch"),
        F.count("*").alias("batches"),
        F.max(F.when(by_broker, F.col("max_timestamp"))).alias("newest_ms"),
        F.max("max_timestamp").alias("reaches_ms"),
    )


def replica_logs(spans: DataFrame, places: DataFrame, seen: DataFrame, producer_states: DataFrame) -> DataFrame:
    """Return per (capture, topic, partition, replica) the log's bounds, newest usable snapshot and `authority`.

    Columns: first_offset and log_end_offset (of what the dumps hold), log_start_offset, high_watermark,
    first_segment and last_segment (by the files' names), cleaner_checkpoint, last_epoch, batches, snapshot_offset
    (newest at or below the log end), authority, tied.
    `seen` are the placed observations. The authority (RULES A 1) is the leader that the capture names, else the
    highest (last epoch, log end).
    """
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    segments = logs.groupBy(*LOG).agg(F.min("segment").alias("first_segment"), F.max("segment").alias("last_segment"))
    joined = segments.join(spans, list(LOG), "left").join(_checkpoints(seen), list(LOG), "left")
    joined = joined.join(_own_epochs(seen), list(LOG), "left").join(
        _leaders(seen), ["capture", "topic", "partition"], "left"
    )
    bounded = joined.select(
        *LOG,
        "first_segment",
        "last_segment",
        "first_offset",
        F.coalesce(F.greatest("end_of_batches", "last_segment"), F.col("last_segment")).alias("log_end_offset"),
        F.coalesce("log_start", F.least("first_segment", "first_offset"), "first_segment").alias("log_start_offset"),
        "high_watermark",
        "cleaner_checkpoint",
        F.coalesce(F.greatest("checkpoint_epoch", "batch_epoch"), "checkpoint_epoch", "batch_epoch", F.lit(-1)).alias(
            "last_epoch"
        ),
        F.coalesce("batches", F.lit(0)).alias("batches"),
        "newest_ms",
        "reaches_ms",
        F.coalesce(F.col("leader") == F.col("replica"), F.lit(False)).alias("named_leader"),
    )
    return _with_authority(_with_snapshot(bounded, producer_states))


def _checkpoints(seen: DataFrame) -> DataFrame:
    """Return the numbers that the log dir's checkpoint files give for each partition."""
    named = seen.where("topic IS NOT NULL AND partition IS NOT NULL")
    return named.groupBy(*LOG).agg(
        F.max(F.when(F.col("observed") == "log_start", F.col("number"))).alias("log_start"),
        F.max(F.when(F.col("observed") == "high_watermark", F.col("number"))).alias("high_watermark"),
        F.max(F.when(F.col("observed") == "cleaner_checkpoint", F.col("number"))).alias("cleaner_checkpoint"),
    )


def _own_epochs(seen: DataFrame) -> DataFrame:
    """Return the last leader epoch of each partition folder's leader-epoch-checkpoint."""
    own = seen.where("observed = 'leader_epoch' AND log_topic IS NOT NULL")
    return own.groupBy(
        "capture", F.col("log_topic").alias("topic"), F.col("log_partition").alias("partition"), "replica"
    ).agg(F.max("other_number").alias("checkpoint_epoch"))


def _leaders(seen: DataFrame) -> DataFrame:
    """Return the leader that pasted kafka-topics.sh output names for each partition."""
    named = seen.where("observed = 'partition_leader'")
    return named.groupBy("capture", "topic", "partition").agg(F.max(F.col("number").cast("string")).alias("leader"))


def _with_snapshot(logs: DataFrame, states: DataFrame) -> DataFrame:
    """Add the newest snapshot at or below the log end; a snapshot without producers has no rows and is not seen."""
    snapshots = states.select(*LOG, "snapshot_offset").distinct()
    usable = logs.join(snapshots, list(LOG)).where("snapshot_offset <= log_end_offset")
    newest = usable.groupBy(*LOG).agg(F.max("snapshot_offset").alias("snapshot_offset"))
    return logs.join(newest, list(LOG), "left")


def _with_authority(logs: DataFrame) -> DataFrame:
    rank = Window.partitionBy("capture", "topic", "partition").orderBy(
        F.col("named_leader").desc(), F.col("last_epoch").desc(), F.col("log_end_offset").desc(), "replica"
    )
    best = Window.partitionBy("capture", "topic", "partition")
    standing = F.struct("named_leader", "last_epoch", "log_end_offset")
    return (
        logs.withColumn("authority", F.row_number().over(rank) == 1)
        .withColumn("standing", standing)
        .withColumn("tied", F.sum((F.col("standing") == F.max("standing").over(best)).cast("int")).over(best) > 1)
        .drop("standing")
    )
