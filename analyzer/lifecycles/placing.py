"""Puts facts in their place: the capture, replica, topic, partition, segment and path that their file stands for."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.stages.few import with_few
from analyzer.tables import NO_REPLICA, RAW_SEGMENTS

PARTITION = ("capture", "topic", "partition")
"""What names a partition, of which several copies may be here."""

LOG = (*PARTITION, "replica")
"""What names one copy of a log."""

PRODUCER = (*LOG, "producer_id")
"""What names a producer id in one copy of a log."""

PRODUCER_NO = ("log_no", "producer_id")
"""The same, with the number of the copy: many rows are sorted and joined faster by numbers, and take less memory."""


def capture_sections(capture_files: DataFrame, sections: DataFrame) -> DataFrame:
    """Return rows of `places`: every file and section of a capture, with its place.

    capture.toml wins over the path on the section's Dumping line, and that wins over the folders. A file without
    sections, such as a checkpoint, counts as one section 0. Of a raw segment that was copied several times, as its
    manifests tell, the newest copy stands for all. `log_no` numbers the copies of logs: a short key for LOG.
    """
    files = capture_files.where(F.col("file_id").isNotNull())
    parts = sections.select(
        "file_id", "section", "kind", "dumped_topic", "dumped_partition", "dumped_replica", "segment", "decoder",
        "deep", "layout", "batches", "records", "ending", "note", "last_line",
    )  # fmt: skip
    dumped = F.col("dumped_topic").isNotNull()
    every = files.join(parts, "file_id", "left").select(
        "capture",
        F.coalesce("given_replica", "folder_replica", "dumped_replica", F.lit(NO_REPLICA)).alias("replica"),
        *[F.coalesce(f"given_{part}", F.when(dumped, F.col(f"dumped_{part}")).otherwise(F.col(f"folder_{part}")))
          .alias(part) for part in ("topic", "partition")],
        F.coalesce("segment", "folder_segment", F.lit(0)).alias("segment"),
        "path", "file_id",
        F.coalesce("section", F.lit(0)).alias("section"),
        "file_kind", "kind", "decoder", "deep", "layout",
        F.col("batches").alias("section_batches"),
        F.col("records").alias("section_records"),
        "ending", "note", "last_line", "taken_at", "copied_at",
        F.lit(None).cast("string").alias("apart_from"),
    )  # fmt: skip
    return numbered(_newest_copies(every))


def numbered(places: DataFrame) -> DataFrame:
    """Return the places with `log_no`, the number of each copy of a log."""
    return places.withColumn("log_no", F.dense_rank().over(Window.partitionBy(F.lit(0)).orderBy(*LOG)))


def _newest_copies(places: DataFrame) -> DataFrame:
    """Return the places without copies of raw segments of which a newer one is here."""
    segment = Window.partitionBy(*LOG, "segment", F.col("file_kind").isin(*RAW_SEGMENTS))
    newest = F.max("copied_at").over(segment)
    stale = F.col("file_kind").isin(*RAW_SEGMENTS) & (F.col("copied_at") < newest)
    return places.withColumn("stale", F.coalesce(stale, F.lit(False))).where("NOT stale").drop("stale")


def unread_segments(capture_files: DataFrame, places: DataFrame) -> DataFrame:
    """Return the segments of data partitions that are known to be on a broker and were not read: LOG, segment, path.

    With their bytes; of several lists that name a segment the largest counts.
    """
    known = capture_files.where("file_id IS NULL AND problem IS NULL").where(F.col("file_kind").isin(*RAW_SEGMENTS))
    named = known.select(
        "capture",
        F.coalesce("given_topic", "folder_topic").alias("topic"),
        F.coalesce("given_partition", "folder_partition").alias("partition"),
        F.coalesce("given_replica", "folder_replica", F.lit(NO_REPLICA)).alias("replica"),
        F.col("folder_segment").alias("segment"),
        "path",
        "bytes",
    ).where("topic IS NOT NULL AND partition IS NOT NULL AND segment IS NOT NULL")
    here = places.where("kind = 'log'").select(*LOG, "segment")
    missing = named.join(here, [*LOG, "segment"], "left_anti")
    return missing.groupBy(*LOG, "segment").agg(F.min("path").alias("path"), F.max("bytes").alias("bytes"))


def partition_name(topic: str = "topic", partition: str = "partition") -> Column:
    """Return the name of the partition as Kafka writes it: topic-partition."""
    return F.concat_ws("-", topic, F.col(partition).cast("string"))


def named_partition(name: str) -> tuple[Column, Column]:
    """Return topic and partition of a name as Kafka writes it; the partition is null where that is none."""
    number = F.substring_index(name, "-", -1)
    topic = F.left(name, F.greatest(F.length(name) - F.length(number) - F.lit(1), F.lit(0)))
    return topic.alias("topic"), number.try_cast("int").alias("partition")


def placed(facts: DataFrame, places: DataFrame, *more: str) -> DataFrame:
    """Return the facts of a table joined with their place, and with `more` columns of it.

    If a fact has a topic and partition of its own, those keep their names, and the place's are `log_topic` and
    `log_partition`. Places are few and go to every task, so that facts stay where they were read.
    """
    own = {"topic", "partition"} & set(facts.columns)
    where = places.select(
        "capture", "replica", "segment", "path",
        F.col("file_id").alias("at_file"), F.col("section").alias("at_section"),
        F.col("topic").alias("log_topic" if own else "topic"),
        F.col("partition").alias("log_partition" if own else "partition"), *more,
    )  # fmt: skip
    matches = (F.col("file_id") == F.col("at_file")) & (F.coalesce("section", F.lit(0)) == F.col("at_section"))
    return facts.join(F.broadcast(where), matches).drop("at_file", "at_section")


def log_names(places: DataFrame) -> DataFrame:
    """Return the key of each copy of a log with its number."""
    return places.select("log_no", *LOG).distinct()


def with_log(rows: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows that have log_no with the log's key, too; `logs` has both, once for each copy of a log."""
    return with_few(rows, logs.select("log_no", *LOG), ["log_no"])


def at_line(path: str = "path", line: str = "line") -> Column:
    """Return the file of a row and its line, `path:line`; null where no line is known."""
    return F.concat(path, F.lit(":"), F.col(line).cast("string"))


def at_ref(of: str) -> Column:
    """Return where a reference points, as a report names it: `path:line`, in a raw file `path at byte N`."""
    by_byte = F.concat(F.col(f"{of}.path"), F.lit(" at byte "), F.col(f"{of}.byte_offset").cast("string"))
    return F.coalesce(at_line(f"{of}.path", f"{of}.line"), by_byte)


REF_TYPE = "struct<path:string,line:bigint,byte_offset:bigint,record:int>"
"""The type of what `ref` returns."""


def ref(path: str = "path", line: str = "line", byte_offset: str = "byte_offset", record: str | None = None) -> Column:
    """Return the struct that points to what a fact rests on: path, line, byte_offset and record; null if unknown.

    It is a line of a text, or the position of a batch or entry in a raw file (without a line) and the record in it.
    """
    struct = F.struct(
        F.col(path).alias("path"),
        F.col(line).alias("line"),
        F.col(byte_offset).alias("byte_offset"),
        (F.lit(None).cast("int") if record is None else F.col(record)).alias("record"),
    )
    return F.when(F.col(byte_offset).isNotNull(), struct)
