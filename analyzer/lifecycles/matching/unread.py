"""Offsets that a copy of a log does not show although they were in it: a marker may have been there (RULES A 6 f)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.logs.cleaning import gaps
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PRODUCER


def unread_holes(batches: DataFrame, wanted: DataFrame, segments: DataFrame, hold: Hold) -> DataFrame | None:
    """Return the holes of logs in `wanted` that lack bytes: the log's key, gap_offset and gap_end, where it goes on.

    Also the hole before the first batch of a log, if that one does not stand at the start of its segment. None where
    no segment lacks bytes.
    """
    unknown = segments.where("missing_offsets > 0 AND missing_bytes IS NULL").select(*LOG)
    lacking = torn(segments).select(*LOG).unionByName(unknown).distinct()
    asked = hold.settle(lacking.join(wanted.select(*LOG).distinct(), list(LOG), "left_semi"))
    if hold.is_empty(asked):
        return None
    whole = asked.withColumns({"first_offset": F.lit(0), "last_offset": F.lit(0)})
    inside = gaps(batches, whole, hold.few).where("gap_kind = 'unread'").select(*LOG, "gap_offset", "gap_end")
    first = segments.groupBy(*LOG).agg(F.min(F.struct("segment", "segment_start", "begins_at")).alias("first"))
    before = first.join(asked, list(LOG), "left_semi").where("first.begins_at > 0").select(
        *LOG, F.least("first.segment", F.col("first.segment_start") - 1).alias("gap_offset"),
        F.col("first.segment_start").alias("gap_end"),
    )  # fmt: skip
    return hold.settle(inside.unionByName(before))


def hidden(after: Column, until: Column) -> Column:
    """Return whether a hole may hide what stands between these two offsets, exclusive; null means the log's ends."""
    ends_after = F.col("gap_end") > F.coalesce(after + 1, F.lit(0))
    return ends_after & (F.col("gap_offset") < F.coalesce(until, F.lit(2**62)))


def unread_after(rows: DataFrame, found: DataFrame, holes: DataFrame | None) -> DataFrame:
    """Return of each of these data spans the first offset that this copy does not show: `unread_offset`, cut_offset.

    cut_offset is that of the holes whose bytes are missing as well: where there is one, no hole is the cleaner's.

    A marker of its own may have been there: between two segments or in a hole (of `gaps`) after its first offset, or in
    `holes` after the producer id's marker before it, where the data came late. `rows` have the log's key, producer_id,
    first_offset and previous_marker_offset; offsets from marker_offset on, where there is one, do not count.
    """
    key = [*PRODUCER, "first_offset"]
    asked = rows.select(*key, "previous_marker_offset", "marker_offset")
    between = found.where("gap_kind IN ('unread', 'hole_between')").select(*LOG, "gap_offset", "gap_end", "gap_kind")
    after = asked.join(F.broadcast(between), list(LOG)).where(hidden(F.col("first_offset"), F.col("marker_offset")))
    if holes is not None:
        more = asked.join(F.broadcast(holes.withColumn("gap_kind", F.lit("unread"))), list(LOG))
        mine = hidden(F.col("previous_marker_offset"), F.col("marker_offset"))
        after = after.unionByName(more.where(mine))
    cut = F.when(F.col("gap_kind") == "unread", F.col("gap_offset"))
    return after.groupBy(*key).agg(F.min("gap_offset").alias("unread_offset"), F.min(cut).alias("cut_offset"))
