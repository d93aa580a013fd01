"""Offsets that a copy of a log does not show although they were in it: a marker may have been there (RULES A 6 f)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.logs import cleaning
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.stages.stage import Stage, planned

SEGMENT = (*LOG, "segment")
HOLE = (*LOG, "gap_offset", "gap_end")


def excerpts(places: DataFrame, damage: DataFrame) -> DataFrame:
    """Return the segments of which every file that is here is an excerpt, or is cut off and not the log's last one.

    No broker writes to a segment that has a next one: what is cut off of its end, or is zeros there, was in it. Space
    that was allocated ahead is given back when the next segment begins (`LogSegment.onBecomeInactiveSegment`).
    """
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    zeros = damage.where("damage = 'zero_tail'").select(*SEGMENT, "path", F.lit(True).alias("zeros")).distinct()
    told = logs.join(zeros, [*SEGMENT, "path"], "left")
    ends = told.groupBy(*SEGMENT).agg(
        F.min(F.coalesce(F.col("ending") == "excerpt", F.lit(False))).alias("excerpt"),
        F.min(
            F.coalesce(F.col("ending").isin("cut", "died", "excerpt"), F.lit(False)) | F.coalesce("zeros", F.lit(False))
        ).alias("cut"),
    )
    last = F.max("segment").over(Window.partitionBy(*LOG))
    return ends.withColumn("last", last).where("excerpt OR (cut AND segment < last)").select(*SEGMENT)


def torn_logs(segments: DataFrame, cut: DataFrame) -> DataFrame:
    """Return the logs of which bytes are in no batch here, or unknown to be, and the offset `since` which that counts.

    `cut` are those of `excerpts`.
    """
    unknown = segments.where("missing_offsets > 0 AND missing_bytes IS NULL").select(*LOG)
    lacking = torn(segments).select(*LOG).unionByName(unknown).unionByName(cut.select(*LOG))
    return lacking.distinct().withColumn("since", F.lit(0))


def torn_states(logs: DataFrame, lacking: DataFrame) -> DataFrame:
    """Return the partitions of __transaction_state whose records have a hole in every copy: capture, state_partition.

    Where all copies only lack their end, what is here of them has none.
    """
    here = logs.where(F.col("topic") == STATE_TOPIC).select(*LOG, "tail_missing")
    known = here.join(lacking.select(*LOG).withColumn("torn", F.lit(True)), list(LOG), "left")
    inside = F.coalesce("torn", F.lit(False))
    holed = F.min(inside | F.col("tail_missing")) & F.max(inside)
    states = known.groupBy("capture", F.col("partition").alias("state_partition")).agg(holed.alias("torn"))
    return states.where("torn").select("capture", "state_partition")


def unread_holes(lacking: DataFrame, found: DataFrame, segments: DataFrame, cut: DataFrame) -> DataFrame:
    """Return the holes of torn logs that lack bytes: the log's key, gap_offset and gap_end, where it goes on.

    `found` are their `gaps`. A hole between an excerpt of a segment and the next one is one of them, since the last
    lines of that one may be cut out, and so is that before the first batch of a log, if that one does not stand at the
    start of its segment.
    """
    named = F.broadcast(cut.select(*LOG, F.col("segment").alias("gap_segment"), F.lit(True).alias("cut")))
    behind = "gap_kind = 'unread' OR (gap_kind = 'hole_between' AND cut)"
    inside = found.join(named, [*LOG, "gap_segment"], "left").where(behind).select(*HOLE)
    first = segments.groupBy(*LOG).agg(F.min(F.struct("segment", "segment_start", "begins_at")).alias("first"))
    before = first.join(lacking.select(*LOG), list(LOG), "left_semi").where("first.begins_at > 0").select(
        *LOG, F.least("first.segment", F.col("first.segment_start") - 1).alias("gap_offset"),
        F.col("first.segment_start").alias("gap_end"),
    )  # fmt: skip
    return inside.unionByName(before)


def without_holes(spans: DataFrame, holes: DataFrame) -> DataFrame:
    """Return the spans without one of `unread_holes` between first_offset and marker_offset.

    A marker may have been there.
    """
    key = [*PRODUCER, "first_offset"]
    asked = spans.select(*key, "marker_offset").join(F.broadcast(holes), list(LOG))
    holey = asked.where("gap_end > first_offset AND gap_offset < marker_offset").select(*key).distinct()
    return spans.join(holey, key, "left_anti")


def unread_after(rows: DataFrame, found: DataFrame, holes: DataFrame) -> DataFrame:
    """Return of each of these data spans the first offset that this copy does not show: `unread_offset`, cut_offset.

    A marker of its own may have been there: between two segments or in a hole (of `found`, rows of `gaps`) after its
    first offset, or in one of `unread_holes` anywhere before what closed it: the data may have come late. cut_offset is
    that of the latter: where there is one, no hole is the cleaner's. `rows` have the log's key, producer_id and
    first_offset; offsets from marker_offset on, where there is one, do not count.
    """
    key = [*PRODUCER, "first_offset"]
    asked = rows.select(*key, F.coalesce("marker_offset", F.lit(2**62)).alias("until"))
    between = found.where("gap_kind IN ('unread', 'hole_between')").select(*HOLE, F.lit(False).alias("cut"))
    after = asked.join(F.broadcast(between), list(LOG)).where("gap_end > first_offset + 1")
    torn_there = asked.join(F.broadcast(holes.withColumn("cut", F.lit(True))), list(LOG))
    inside = after.unionByName(torn_there).where("gap_offset < until")
    return inside.groupBy(*key).agg(
        F.min("gap_offset").alias("unread_offset"), F.min(F.when(F.col("cut"), F.col("gap_offset"))).alias("cut_offset")
    )


def holes_of_logs(segments: DataFrame, holes: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `log_holes`: what copies of logs lack although it was in them (RULES A 6 f, g).

    `holes` are `unread_holes`. Offsets between two segments count where the cleaner was not. `gap_end` is
    null where the end of a log is missing.
    """
    between = cleaning.holes_between(segments, logs).where("uncleaned AND NOT thinned")
    tails = logs.where("has_log AND tail_missing").select(
        *LOG, F.col("log_end_offset").alias("gap_offset"), F.lit(None).cast("bigint").alias("gap_end")
    )
    inside = holes.select(*LOG, "gap_offset", "gap_end").unionByName(between.select(*LOG, "gap_offset", "gap_end"))
    whole = inside.groupBy(*LOG, "gap_offset").agg(F.max("gap_end").alias("gap_end"))
    return whole.unionByName(tails.join(whole, [*LOG, "gap_offset"], "left_anti"))


UNREAD = (
    Stage("excerpts", excerpts, ("places",), ("damage",)),
    Stage("torn_logs", torn_logs, ("segments", "excerpts")),
    Stage("torn_gaps", cleaning.gaps, ("torn_logs",), ("log_batches",)),
    Stage("unread_holes", unread_holes, ("torn_logs",), ("torn_gaps", "segments", "excerpts")),
    planned("holes_of_logs", holes_of_logs, ("segments",), ("unread_holes", "logs")),
)
"""What is not here although it was in the log."""
