"""From checkpoints, segments and batches to what the log cleaner did: the cleaned range, and the gaps in it."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG


def cleaned_ranges(logs: DataFrame, places: DataFrame) -> DataFrame:
    """Return per log where its cleaned range ends: `cleaned_end`, null where no cleaner-offset-checkpoint is here.

    The cleaner writes whole segments (`Cleaner.groupSegmentsBySize`), so that the range goes on to the end of the
    segment that holds the checkpoint.
    """
    bases = places.where("kind = 'log'").select(*LOG, F.col("segment").alias("base")).distinct()
    checked = logs.select(*LOG, "cleaner_checkpoint", "log_end_offset")
    ends = checked.join(bases, list(LOG), "left").groupBy(*LOG, "cleaner_checkpoint", "log_end_offset")
    following = F.min(F.when(F.col("base") >= F.col("cleaner_checkpoint"), F.col("base")))
    return ends.agg(following.alias("next_base")).select(
        *LOG,
        F.when(F.col("cleaner_checkpoint").isNotNull(), F.coalesce("next_base", "log_end_offset")).alias("cleaned_end"),
    )


def gaps(batches: DataFrame, wanted: DataFrame) -> DataFrame:
    """Return where the cleaner took something out of these logs (rows with the log's key).

    Columns: the log's key, gap_offset, gap_kind and gap_ref (the batch behind the gap, or the empty one).
    gap_kind: `hole` (offsets missing between two batches whose bytes follow each other), `hole_between` (missing at a
    segment's end: the cleaner, or a file that was not collected), `emptied` (a control batch without its record, of
    `gap_producer`).
    """
    mine = batches.join(F.broadcast(wanted.select(*LOG).distinct()), list(LOG))
    order = Window.partitionBy(*LOG).orderBy("base_offset", "segment", "position")
    before = F.lag(F.struct("last_offset", "segment", "position", "size")).over(order)
    chained = mine.withColumn("before", before)
    adjacent = F.coalesce(F.col("before.position") + F.col("before.size") == F.col("position"), F.lit(True))
    same_segment = F.col("before.segment") == F.col("segment")
    hole = F.when(~same_segment, "hole_between").when(adjacent, "hole")
    holes = chained.where(F.col("base_offset") > F.col("before.last_offset") + 1).select(
        *LOG, (F.col("before.last_offset") + 1).alias("gap_offset"), hole.alias("gap_kind"),
        F.col("batch_ref").alias("gap_ref"), F.lit(None).cast("bigint").alias("gap_producer"),
    )  # fmt: skip
    emptied = mine.where("is_control AND count = 0 AND producer_id >= 0").select(
        *LOG, F.col("base_offset").alias("gap_offset"), F.lit("emptied").alias("gap_kind"),
        F.col("batch_ref").alias("gap_ref"), F.col("producer_id").alias("gap_producer"),
    )  # fmt: skip
    return holes.where("gap_kind IS NOT NULL").unionByName(emptied)


def first_gap(rows: DataFrame, found: DataFrame, ranges: DataFrame) -> DataFrame:
    """Add to rows with `last_offset` and `producer_id` the first gap behind them that the cleaner can have made.

    `gap` (offset, kind, ref) is null where there is none inside the cleaned range; without a checkpoint a hole at a
    segment's end proves nothing. `gap_certain`: it lies in a cleaned range that a checkpoint states.
    """
    key = [*LOG, "producer_id", "last_offset"]
    inside = F.col("gap_offset") < F.col("cleaned_end")
    unknown = F.col("cleaned_end").isNull() & (F.col("gap_kind") != "hole_between")
    own = F.col("gap_producer").isNull() | (F.col("gap_producer") == F.col("producer_id"))
    behind = (
        rows.select(*key)
        .join(found, list(LOG))
        .where("gap_offset > last_offset")
        .join(ranges, list(LOG))
        .where((inside | unknown) & own)
    )
    gap = F.struct(F.col("gap_offset").alias("offset"), F.col("gap_kind").alias("kind"), F.col("gap_ref").alias("ref"))
    nearest = behind.groupBy(*key).agg(
        F.min_by(gap, F.struct(F.col("gap_kind") != "emptied", F.col("gap_offset"))).alias("gap"),
        F.max(F.coalesce(inside, F.lit(False))).alias("gap_certain"),
    )
    return rows.join(nearest, key, "left")


def unlisted_aborts(
    txns: DataFrame, aborted: DataFrame, ranges: DataFrame, logs: DataFrame, places: DataFrame
) -> DataFrame:
    """Return aborted transactions of judged logs with data in the cleaned range that no .txnindex lists (RULES A 8).

    The cleaner drops the data of the aborted transactions it knows, so that data below `cleaned_end` with its ABORT
    marker there as well was taken for committed (KAFKA-13727). `aborted` are the placed rows of `aborted_ranges`.
    Columns: the transaction's, and index_path, the txnindex of the marker's segment, null where none is here.
    """
    judged = logs.where("authority").select(*LOG, "log_start_offset", "cleaner_checkpoint")
    closed = (
        txns.where("marker = 'ABORT' AND first_offset IS NOT NULL AND records > 0")
        .join(judged, list(LOG))
        .join(ranges, list(LOG))
        .where("marker_offset < cleaned_end AND last_offset >= log_start_offset")
    )
    listed = aborted.select(*LOG, "producer_id", F.col("last_offset").alias("marker_offset")).distinct()
    lost = closed.join(listed, [*LOG, "producer_id", "marker_offset"], "left_anti")
    segments = places.where("kind IN ('log', 'txnindex')").select(
        *LOG, "segment", F.when(F.col("kind") == "txnindex", F.col("path")).alias("index_path")
    )
    per_segment = segments.groupBy(*LOG, "segment").agg(F.max("index_path").alias("index_path"))
    holding = lost.join(per_segment, list(LOG)).where("segment <= marker_offset")
    found = holding.groupBy(*LOG, "producer_id", "marker_offset").agg(
        F.max(F.struct("segment", "index_path"))["index_path"].alias("index_path")
    )
    return lost.join(found, [*LOG, "producer_id", "marker_offset"], "left")
