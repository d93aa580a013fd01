"""The damaged places of a log's files: wrong checksums, unreadable bytes, and where a dump tool died."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.placing import LOG, ref
from analyzer.tables.unions import union_all

SEGMENT = (*LOG, "segment")

CORRUPT = "(CorruptRecordException|InvalidRecordException|Record is corrupt|smaller than minimum record overhead)"
"""What DumpLogSegments says when the log's own bytes make it fail (FileLogInputStream, DefaultRecordBatch)."""
ZEROS = "Found record size 0 "
"""What it says of a tail of zeros, which is not corruption."""


def corrupt(batches: DataFrame) -> DataFrame:
    """Return the batches whose checksum is wrong: nothing that they say is believed, whose they are or how one ended.

    Their bytes and offsets are missing in `log_batches` and `segments`, as those of any place that cannot be read.
    """
    return batches.where("NOT crc_valid")


def damages(
    wrong: DataFrame, batches: DataFrame, ranges: DataFrame, places: DataFrame, strayed: DataFrame
) -> DataFrame:
    """Return rows of `damage`, one per damaged place. Adjacent batches with a wrong checksum are one place.

    `wrong` are the `corrupt` batches, `batches` the others, `ranges` the placed `damaged_ranges`. A batch of `strayed`
    is damage at the offset that its place implies, and says more than a reader that only saw the offsets not grow.
    """
    seen = ranges.where("damage = 'bad_offset'").join(strayed.select(*SEGMENT), list(SEGMENT), "left_anti")
    others = ranges.where("damage <> 'bad_offset'").unionByName(seen.select(*ranges.columns))
    parts = (_wrong_crcs(wrong, batches), _ranges(others), _strayed(strayed), _deaths(batches, places))
    return union_all(parts)


def _strayed(rows: DataFrame) -> DataFrame:
    return rows.where("place IS NOT NULL").selectExpr(
        *SEGMENT, "batch_ref.path AS path", "'bad_offset' AS damage", "position", "CAST(size AS bigint) AS bytes",
        "place AS first_offset", "place + last_offset - base_offset AS last_offset", "CAST(1 AS bigint) AS batches",
        "is_control AS control", "CAST(base_offset AS string) AS said", "batch_ref AS ref",
    )  # fmt: skip


def _wrong_crcs(wrong: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the runs of corrupt batches, with their offsets if those fit between the batches around them.

    Behind the last sound batch, they fit if they are as many as the batches have records.
    """
    order = Window.partitionBy(*SEGMENT).orderBy("position")
    apart = F.coalesce(F.lag(F.col("position") + F.col("size")).over(order) != F.col("position"), F.lit(True))
    counted = wrong.withColumn("apart", apart.cast("int")).withColumn("run", F.sum("apart").over(order))
    runs = counted.groupBy(*SEGMENT, "run").agg(
        F.min_by("batch_ref", "position").alias("ref"),
        F.min("position").alias("position"),
        F.sum("size").alias("bytes"),
        F.min("base_offset").alias("first_offset"),
        F.max("last_offset").alias("last_offset"),
        F.count("*").alias("batches"),
        F.max("is_control").alias("control"),
        F.sum("count").alias("counted"),
    )  # fmt: skip
    around = with_few(batches, runs.select(*SEGMENT).distinct(), SEGMENT).select(
        *SEGMENT, "base_offset", F.col("last_offset").alias("ends_at"), F.col("position").alias("at")
    )
    before, after = F.col("at") < F.col("position"), F.col("at") > F.col("position")
    bounds = (
        runs.join(around, list(SEGMENT))
        .groupBy(*SEGMENT, "run")
        .agg(
            (F.max(F.when(before, F.col("ends_at"))) + 1).alias("lowest"),
            (F.min(F.when(after, F.col("base_offset"))) - 1).alias("highest"),
        )
    )
    fits = (
        "first_offset BETWEEN coalesce(lowest, 0) AND last_offset "
        "AND coalesce(last_offset <= highest, last_offset - first_offset + 1 = counted, false)"
    )
    return runs.join(bounds, [*SEGMENT, "run"], "left").selectExpr(
        *SEGMENT, "ref.path AS path", "'wrong_crc' AS damage", "position", "bytes",
        f"CASE WHEN {fits} THEN first_offset ELSE coalesce(lowest, 0) END AS first_offset",
        f"CASE WHEN {fits} THEN last_offset ELSE highest END AS last_offset",
        "batches", "control", "CAST(null AS string) AS said", "ref",
    )  # fmt: skip


def _ranges(ranges: DataFrame) -> DataFrame:
    return ranges.withColumn("ref", ref()).selectExpr(
        *SEGMENT, "path", "damage", "byte_offset AS position", "bytes", "offset_before + 1 AS first_offset",
        "offset_after - 1 AS last_offset", "CAST(null AS bigint) AS batches", "false AS control",
        "CAST(null AS string) AS said", "ref",
    )  # fmt: skip


def _deaths(batches: DataFrame, places: DataFrame) -> DataFrame:
    """Return where the dump tool failed on the log's bytes, as the dump or its stderr file says.

    A segment that was itself read as a raw file needs no word of the tool.
    """
    ends = batches.groupBy(*SEGMENT).agg(F.max_by(F.struct("last_offset", "batch_ref"), "position").alias("end"))
    died = places.where(F.col("kind").isin("log", "stderr") & F.col("note").rlike(CORRUPT) & F.col("topic").isNotNull())
    read = places.where("kind = 'log' AND last_line IS NULL").select(*SEGMENT)
    died = died.where(~F.col("note").contains(ZEROS)).join(read, list(SEGMENT), "left_anti")
    told = died.groupBy(*SEGMENT).agg(F.min(F.struct("path", "note")).alias("told"))
    return told.join(ends, list(SEGMENT)).selectExpr(
        *SEGMENT, "told.path AS path", "'tool_died' AS damage", "CAST(null AS bigint) AS position",
        "CAST(null AS bigint) AS bytes", "end.last_offset + 1 AS first_offset", "CAST(null AS bigint) AS last_offset",
        "CAST(null AS bigint) AS batches", "false AS control", "told.note AS said", "end.batch_ref AS ref",
    )  # fmt: skip
