"""What the log cleaner did: how far it came, which gaps it left, and which aborts it missed."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.framing import BATCH_BYTES, MOST_RECORD_BYTES
from analyzer.lifecycles.logs.segments import link
from analyzer.lifecycles.placing import LOG
from analyzer.stages.few import with_few


def holes_between(segments: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the offsets that are missing between two segments: LOG, segment, thinned, gap_offset, gap_end, uncleaned.

    uncleaned: the cleaner cannot have taken them from the end of the segment, because it was never in this one. It
    writes whole segments: also what lies above its checkpoint in the one that holds it.
    """
    uncleaned = F.coalesce(F.col("segment") >= F.col("cleaner_checkpoint"), F.lit(True)).alias("uncleaned")
    holes = segments.where("next_segment > segment_end + 1").join(logs.select(*LOG, "cleaner_checkpoint"), list(LOG))
    return holes.select(
        *LOG, "segment", "thinned", (F.col("segment_end") + 1).alias("gap_offset"),
        F.col("next_segment").alias("gap_end"), uncleaned,
    )  # fmt: skip


def first_data(wanted: DataFrame) -> DataFrame:
    """Return from which offset on gaps count in each log: `since`, the first data of these rows.

    `wanted` has the log's key, first_offset and last_offset.
    """
    return wanted.groupBy(*LOG).agg(F.min(F.least("first_offset", "last_offset")).alias("since"))


def _holey_logs(batches: DataFrame) -> DataFrame:
    """Return the logs that have a break: without one, where batches begin and where they end cancel out.

    That is, the hashes of these places do, but for the first and the last.
    """
    end = F.col("last_offset") + 1
    offsets = batches.groupBy(*LOG).agg(
        F.sum(link(F.col("base_offset")) - link(end)).alias("links"),
        F.min("base_offset").alias("low"),
        F.max(end).alias("high"),
    )
    return offsets.where(F.col("links") != link(F.col("low")) - link(F.col("high"))).select(*LOG)


def gaps(since: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the gaps that the cleaner may have made from `first_data` on, in each log that has any.

    Only logs with a break are read in order.

    Columns: the log's key, gap_offset, gap_end (the offset after the gap), gap_kind, gap_segment (the one before
    the gap), gap_ref (the batch after it, or the emptied one) and gap_producer. The kinds are

    - `hole`: offsets are missing between two batches whose bytes follow each other;
    - `hole_between`: offsets are missing at the end of a segment, taken by the cleaner or in a file that is not here;
    - `emptied`: a control batch of `gap_producer` has lost its record;
    - `unread`: offsets are missing with the bytes that held them: this file is damaged there, or lines were cut out.
    """
    mine = with_few(batches, since, LOG).where("last_offset >= since").drop("since")
    order = Window.partitionBy(*LOG).orderBy("base_offset", "segment", "position")
    known = ("base_offset", "last_offset", "segment", "position", "size", "payload_bytes", "codec")
    before = F.lag(F.struct(*known)).over(order)
    chained = with_few(mine, _holey_logs(mine), LOG).withColumn("before", before)
    same_segment = F.col("before.segment") == F.col("segment")
    at_start = ~same_segment & (F.col("position") == 0)
    hole = F.when(at_start, "hole_between").when(same_segment & _adjacent(), "hole").otherwise("unread")
    holes = chained.where(F.col("base_offset") > F.col("before.last_offset") + 1).select(
        *LOG, (F.col("before.last_offset") + 1).alias("gap_offset"), F.col("base_offset").alias("gap_end"),
        hole.alias("gap_kind"), F.col("before.segment").alias("gap_segment"),
        F.col("batch_ref").alias("gap_ref"), F.lit(None).cast("bigint").alias("gap_producer"),
    )  # fmt: skip
    emptied = mine.where("is_control AND count = 0 AND producer_id >= 0").select(
        *LOG, F.col("base_offset").alias("gap_offset"), (F.col("last_offset") + 1).alias("gap_end"),
        F.lit("emptied").alias("gap_kind"), F.col("segment").alias("gap_segment"),
        F.col("batch_ref").alias("gap_ref"), F.col("producer_id").alias("gap_producer"),
    )  # fmt: skip
    return holes.unionByName(emptied)


def _adjacent() -> Column:
    """Return whether a batch begins where the one `before` it ends, or where that one may end if its size is unknown.

    Record lines tell no size, but what an uncompressed batch takes at most beside keys and values without headers.
    """
    room = F.col("before.position") + BATCH_BYTES + F.col("before.payload_bytes")
    most = room + MOST_RECORD_BYTES * (F.col("before.last_offset") - F.col("before.base_offset") + 1)
    end = F.col("before.position") + F.col("before.size")
    near = (F.col("position") <= most) | (F.col("before.codec") != "none")
    return F.coalesce(end == F.col("position"), near, F.lit(True))


def first_gap(rows: DataFrame, found: DataFrame, logs: DataFrame) -> DataFrame:
    """Add the first gap after `last_offset` that the cleaner may have made, an emptied control batch before holes.

    `gap` (offset, kind, ref) is null where the cleaned range has none. Without a checkpoint, a hole between two
    segments proves nothing. `gap_certain`: the gap lies in a cleaned range that a checkpoint states.
    """
    key = [*LOG, "producer_id", "last_offset"]
    inside = F.col("gap_offset") < F.col("cleaned_end")
    unknown = F.col("cleaned_end").isNull() & (F.col("gap_kind") != "hole_between")
    own = F.col("gap_producer").isNull() | (F.col("gap_producer") == F.col("producer_id"))
    after = (
        rows.select(*key)
        .join(found, list(LOG))
        .where("gap_offset > last_offset AND gap_kind <> 'unread'")
        .join(logs.select(*LOG, "cleaned_end"), list(LOG))
        .where((inside | unknown) & own)
    )
    gap = F.struct(F.col("gap_offset").alias("offset"), F.col("gap_kind").alias("kind"), F.col("gap_ref").alias("ref"))
    nearest = after.groupBy(*key).agg(
        F.min_by(gap, F.struct(F.col("gap_kind") != "emptied", F.col("gap_offset"))).alias("gap"),
        F.max(F.coalesce(inside, F.lit(False))).alias("gap_certain"),
    )
    return rows.join(nearest, key, "left")


def cleaned_logs(logs: DataFrame) -> DataFrame:
    """Return the judged logs with a cleaned range, by number: log_start_offset, cleaner_checkpoint, cleaned_end."""
    cleaned = logs.where("authority AND cleaned_end IS NOT NULL")
    return cleaned.select("log_no", "log_start_offset", "cleaner_checkpoint", "cleaned_end")


def unlisted_aborts(cleaned: DataFrame, txns: DataFrame, aborted: DataFrame, places: DataFrame) -> DataFrame:
    """Return aborted transactions of judged logs with data in the cleaned range that no .txnindex lists (RULES A 8).

    The cleaner drops the data of the aborted transactions that it knows. If such data is still below `cleaned_end`, and
    its ABORT marker as well, the cleaner took the data for committed (KAFKA-13727). `aborted` are placed
    `aborted_ranges`. Columns: those of `unlisted_aborts`, but for the transactional id. `cleaned` are `cleaned_logs`.
    """
    aborts = txns.where("marker = 'ABORT' AND first_offset IS NOT NULL AND records > 0")
    inside = "marker_offset < cleaned_end AND last_offset >= log_start_offset"
    closed = with_few(aborts, cleaned, ["log_no"]).where(inside)
    listed = aborted.select(*LOG, "producer_id", F.col("last_offset").alias("marker_offset")).distinct()
    lost = closed.join(listed, [*LOG, "producer_id", "marker_offset"], "left_anti")
    segments = places.where("kind IN ('log', 'txnindex')")
    segments = segments.select(*LOG, "segment", F.when(F.col("kind") == "txnindex", F.col("path")).alias("index_path"))
    per_segment = segments.groupBy(*LOG, "segment").agg(F.max("index_path").alias("index_path"))
    holding = lost.join(per_segment, list(LOG)).where("segment <= marker_offset")
    found = holding.groupBy(*LOG, "producer_id", "marker_offset").agg(
        F.max(F.struct("segment", "index_path"))["index_path"].alias("index_path")
    )
    return lost.join(found, [*LOG, "producer_id", "marker_offset"], "left")
