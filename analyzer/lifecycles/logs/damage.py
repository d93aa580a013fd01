"""The damaged places of a log's files: wrong checksums, unreadable bytes, and where a dump tool died.

Whose a batch with a wrong checksum is and how it ends a transaction is not believed (RULES A 6 f).
"""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.framing import BATCH_BYTES, MARKER_BYTES
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.placing import LOG, ref
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_all

SEGMENT = (*LOG, "segment")
BATCH = (*SEGMENT, "position")
SOUND = "coalesce(crc_valid, true)"

NOBODYS = {
    "producer_id": "bigint", "producer_epoch": "int", "base_sequence": "int", "last_sequence": "int",
}  # fmt: skip
"""What a batch without a producer has as -1."""
UNKNOWN = (
    "delete_horizon_ms", "timestamp_type", "max_timestamp", "payload_bytes", "marker", "coordinator_epoch",
    "marker_ref",
)  # fmt: skip
"""What nothing but the checksum vouches for, and the place of the batch does not tell."""

CORRUPT = "(CorruptRecordException|InvalidRecordException|Record is corrupt|smaller than minimum record overhead)"
"""What DumpLogSegments says when the log's own bytes make it fail (FileLogInputStream, DefaultRecordBatch)."""
ZEROS = "Found record size 0 "
"""What it says of a tail of zeros, which is not corruption."""


def wrong_batches(batches: DataFrame) -> DataFrame:
    """Return the batches whose checksum is wrong: few, if any."""
    return batches.where("NOT crc_valid")


def corrupt_batches(wrong: DataFrame, batches: DataFrame) -> DataFrame:
    """Add what the sound batches around these leave of offsets, lowest to highest, and what that says of theirs.

    fits: the offsets of the batch are among them; behind the last sound batch, they are as many as it has records.
    placed: besides, its size is not that of a marker, or of one that the cleaner emptied: there was data of somebody.
    Any other batch is a hole in the log, and any of __transaction_state: each of its batches tells how one ended.
    """
    others = with_few(batches.where(SOUND), wrong.select(*SEGMENT).distinct(), SEGMENT)
    around = others.select(
        *SEGMENT, F.col("base_offset").alias("begins_at"), F.col("last_offset").alias("ends_at"),
        F.col("position").alias("at"),
    )  # fmt: skip
    before, after = F.col("at") < F.col("position"), F.col("at") > F.col("position")
    bounds = wrong.select(*BATCH).join(around, list(SEGMENT)).groupBy(*BATCH).agg(
        (F.max(F.when(before, F.col("ends_at"))) + 1).alias("lowest"),
        (F.min(F.when(after, F.col("begins_at"))) - 1).alias("highest"),
    )  # fmt: skip
    fits = F.expr(
        "base_offset BETWEEN coalesce(lowest, 0) AND last_offset "
        "AND coalesce(last_offset <= highest, last_offset - base_offset + 1 = count, false)"
    )
    told = wrong.join(bounds, list(BATCH), "left").withColumn("fits", fits)
    data = ~F.coalesce(F.col("size"), F.lit(MARKER_BYTES)).isin(BATCH_BYTES, MARKER_BYTES)
    return told.withColumn("placed", F.col("fits") & data & (F.col("topic") != STATE_TOPIC))


def with_placed(corrupt: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the sound batches, and in the place of each corrupt one that is `placed`, a batch of nobody."""
    columns = {name: F.col(name) for name in batches.columns}
    columns |= {name: F.lit(-1).cast(kind).alias(name) for name, kind in NOBODYS.items()}
    columns |= {name: F.lit(False).alias(name) for name in ("is_transactional", "is_control", "stamped")}
    columns |= {name: F.lit(None).cast(batches.schema[name].dataType).alias(name) for name in UNKNOWN}
    columns["count"] = (F.col("last_offset") - F.col("base_offset") + 1).alias("count")
    nobodys = corrupt.where("placed").select(*[columns[name] for name in batches.columns])
    return batches.where(SOUND).unionByName(nobodys)


def corrupt_ends(corrupt: DataFrame) -> DataFrame:
    """Return where the last corrupt batch that is not `placed` ends in each segment: log_no, segment, corrupt_end."""
    ends = F.max(F.col("position") + F.col("size")).alias("corrupt_end")
    return corrupt.where("NOT placed").groupBy("log_no", "segment").agg(ends)


def damages(
    wrong: DataFrame, batches: DataFrame, ranges: DataFrame, places: DataFrame, strayed: DataFrame, epochs: DataFrame
) -> DataFrame:
    """Return rows of `damage`, one per damaged place. Adjacent batches with a wrong checksum are one place.

    `wrong` are the `corrupt_batches`, `batches` the others, `ranges` the placed `damaged_ranges`. A batch of `strayed`
    is damage at the offset that its place implies, and says more than a reader that only saw the offsets not grow.
    `epochs` are the `wrong_epochs`.
    """
    seen = ranges.where("damage = 'bad_offset'").join(strayed.select(*SEGMENT), list(SEGMENT), "left_anti")
    others = ranges.where("damage <> 'bad_offset'").unionByName(seen.select(*ranges.columns))
    implied = ("place", "place + last_offset - base_offset")
    return union_all([
        _wrong_crcs(wrong),
        _ranges(others),
        _unchecked(strayed.where("place IS NOT NULL"), "bad_offset", "base_offset", implied),
        _unchecked(epochs, "bad_epoch", "partition_leader_epoch", ("base_offset", "last_offset")),
        _deaths(batches, places),
    ])  # fmt: skip


def _unchecked(rows: DataFrame, damage: str, said: str, offsets: tuple[str, str]) -> DataFrame:
    """Return a place for each batch of which a field that no checksum covers does not fit; `said` is its column."""
    return rows.selectExpr(
        *SEGMENT, "batch_ref.path AS path", f"'{damage}' AS damage", "position", "CAST(size AS bigint) AS bytes",
        f"{offsets[0]} AS first_offset", f"{offsets[1]} AS last_offset", "CAST(1 AS bigint) AS batches",
        "is_control AS control", f"CAST({said} AS string) AS said", "batch_ref AS ref",
    )  # fmt: skip


def _wrong_crcs(wrong: DataFrame) -> DataFrame:
    order = Window.partitionBy(*SEGMENT).orderBy("position")
    apart = F.coalesce(F.lag(F.col("position") + F.col("size")).over(order) != F.col("position"), F.lit(True))
    counted = wrong.withColumn("apart", apart.cast("int")).withColumn("run", F.sum("apart").over(order))
    first = F.when(F.col("fits"), F.col("base_offset")).otherwise(F.coalesce("lowest", "segment"))
    last = F.when(F.col("fits"), F.col("last_offset")).otherwise(F.col("highest"))
    return counted.groupBy(*SEGMENT, "run").agg(
        F.min_by("batch_ref", "position").alias("ref"),
        F.min("position").alias("position"),
        F.sum("size").alias("bytes"),
        F.min(first).alias("first_offset"),
        F.max(last).alias("last_offset"),
        F.count("*").alias("batches"),
        F.max("is_control").alias("control"),
    ).selectExpr(
        *SEGMENT, "ref.path AS path", "'wrong_crc' AS damage", "position", "bytes", "first_offset", "last_offset",
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
