"""One row per batch of a log, merged from all dumps of its segment."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.logs.tables import MERGED
from analyzer.lifecycles.placing import LOG, placed, ref

BATCH = (*LOG, "segment", "position")


def dumped_segments(places: DataFrame) -> DataFrame:
    """Return the places of logs with `dumps`, how many of them show the same segment."""
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    dumps = logs.groupBy(*LOG, "segment").agg(F.count("*").alias("dumps"))
    return logs.join(dumps, [*LOG, "segment"])


def batches_of_one_dump(batches: DataFrame, dumped: DataFrame) -> DataFrame:
    """Return rows of `log_batches`, of the segments that one dump shows: they are as they were stored.

    Dumps without isControl (before 2.0.1) tell a control batch by its sequence: transactional data always has one
    (KIP-98).
    """
    return _with_stamped(_with_is_control(_rows(placed(batches, dumped.where("dumps = 1"), "log_no"))))


def batches_of_several_dumps(batches: DataFrame, dumped: DataFrame) -> DataFrame:
    """Return rows of `log_batches`, of the segments that several dumps show: each batch once, with all that any says.

    A value wins over null, and a batch line over record lines.
    """
    return _with_stamped(_with_is_control(_merged(_rows(placed(batches, dumped.where("dumps > 1"), "log_no")))))


def _rows(rows: DataFrame) -> DataFrame:
    marker_ref = ref(line="marker_line", byte_offset="marker_byte_offset")
    return rows.select(
        *BATCH, "log_no", "file_id", "batch_source", *MERGED, ref().alias("batch_ref"), marker_ref.alias("marker_ref")
    )


def _merged(rows: DataFrame) -> DataFrame:
    from_line = F.col("batch_source") == "batch"
    values: list[Column] = [
        F.coalesce(F.min(F.when(from_line, F.col(name))), F.min(name)).alias(name) for name in MERGED
    ]
    best = F.struct(F.when(from_line, 0).otherwise(1), F.col("marker_ref").isNull(), "batch_ref.path", "batch_ref.line",
                    "batch_ref.byte_offset")  # fmt: skip
    return rows.groupBy(*BATCH, "log_no").agg(
        F.lit(None).cast("string").alias("file_id"),
        F.min("batch_source").alias("batch_source"),
        *values,
        F.min_by("batch_ref", best).alias("batch_ref"),
        F.min_by("marker_ref", F.struct(F.col("marker_ref").isNull(), "marker_ref.path")).alias("marker_ref"),
    )


def _with_is_control(rows: DataFrame) -> DataFrame:
    """Return the batches with isControl, or where the tool did not print it, what the sequence says."""
    by_sequence = F.col("is_transactional") & (F.col("base_sequence") == -1)
    is_control = F.coalesce("is_control", F.col("marker").isNotNull() | by_sequence, F.lit(False))
    # Never null, but Sail must not know: it cannot plan a union of columns that differ in that.
    as_nullable = F.nullif(is_control, F.lit(None).cast("boolean"))
    return rows.withColumn("is_control", as_nullable).drop("batch_source")


def _with_stamped(rows: DataFrame) -> DataFrame:
    """Add `stamped`: the batch is no marker, and a broker gave it its time as it appended it.

    By LogAppendTime, or because a group's coordinator wrote it: it stamps each record of __consumer_offsets with its
    own clock, although the topic says CreateTime (`GroupMetadataManager.storeOffsets`, `CoordinatorRuntime`).
    """
    by_coordinator = (F.col("topic") == OFFSETS_TOPIC) & (F.col("timestamp_type") == "CreateTime")
    by_broker = (F.col("timestamp_type") == "LogAppendTime") | (by_coordinator & (F.col("max_timestamp") > 0))
    filled = F.coalesce("count", F.lit(1)) > 0
    stamped = F.coalesce(by_broker & filled & ~F.col("is_control"), F.lit(False))
    return rows.withColumn("stamped", F.nullif(stamped, F.lit(None).cast("boolean")))
