"""Offsets that a copy of a log does not show although they were in it: a marker may have been there (RULES A 6 f)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.logs.build import Logs
from analyzer.lifecycles.logs.cleaning import gaps
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PRODUCER

SEGMENT = (*LOG, "segment")
HOLE = (*LOG, "gap_offset", "gap_end")


def unread_holes(logs: Logs, wanted: DataFrame, hold: Hold) -> DataFrame | None:
    """Return the holes of logs in `wanted` that lack bytes: the log's key, gap_offset and gap_end, where it goes on.

    Also those between an excerpt of a segment and the next one, and before the first batch of a log, if that one does
    not stand at the start of its segment. None where no segment lacks bytes.
    """
    segments, cut = logs.segments, excerpts(logs.places)
    unknown = segments.where("missing_offsets > 0 AND missing_bytes IS NULL").select(*LOG)
    lacking = torn(segments).select(*LOG).unionByName(unknown).unionByName(cut.select(*LOG)).distinct()
    asked = hold.settle(lacking.join(wanted.select(*LOG).distinct(), list(LOG), "left_semi"))
    if hold.is_empty(asked):
        return None
    whole = asked.withColumns({"first_offset": F.lit(0), "last_offset": F.lit(0)})
    inside = told_apart(gaps(logs.batches, whole, hold.few), logs.places).where("gap_kind = 'unread'").select(*HOLE)
    first = segments.groupBy(*LOG).agg(F.min(F.struct("segment", "segment_start", "begins_at")).alias("first"))
    before = first.join(asked, list(LOG), "left_semi").where("first.begins_at > 0").select(
        *LOG, F.least("first.segment", F.col("first.segment_start") - 1).alias("gap_offset"),
        F.col("first.segment_start").alias("gap_end"),
    )  # fmt: skip
    return hold.settle(inside.unionByName(before))


def excerpts(places: DataFrame) -> DataFrame:
    """Return the segments of which every dump that is here is an excerpt."""
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    cut = F.min(F.coalesce(F.col("ending") == "excerpt", F.lit(False)))
    return logs.groupBy(*SEGMENT).agg(cut.alias("cut")).where("cut").select(*SEGMENT)


def told_apart(found: DataFrame, places: DataFrame) -> DataFrame:
    """Return rows of `gaps`, a hole behind an excerpt of a segment as `unread`: its last lines may be cut out."""
    cut = excerpts(places).select(*LOG, F.col("segment").alias("gap_segment"), F.lit(True).alias("cut"))
    behind = (F.col("gap_kind") == "hole_between") & F.col("cut")
    joined = found.join(F.broadcast(cut), [*LOG, "gap_segment"], "left")
    return joined.withColumn("gap_kind", F.when(behind, "unread").otherwise(F.col("gap_kind"))).drop("cut")


def without_holes(spans: DataFrame, holes: DataFrame | None) -> DataFrame:
    """Return the spans without one of `holes` between first_offset and marker_offset, where a marker may have been.

    A span without marker_offset reaches to the log's end.
    """
    if holes is None:
        return spans
    key = [*PRODUCER, "first_offset"]
    until = F.coalesce("marker_offset", F.lit(2**62))
    asked = spans.select(*key, until.alias("until")).join(F.broadcast(holes), list(LOG))
    holey = asked.where("gap_end > first_offset AND gap_offset < until").select(*key).distinct()
    return spans.join(holey, key, "left_anti")


def torn_states(logs: Logs) -> DataFrame:
    """Return the partitions of __transaction_state of which no copy is whole: capture, state_partition."""
    here = logs.logs.where(F.col("topic") == STATE_TOPIC).select(*LOG, "tail_missing")
    lacking = torn(logs.segments).select(*LOG).unionByName(excerpts(logs.places).select(*LOG)).distinct()
    known = here.join(lacking.withColumn("torn", F.lit(True)), list(LOG), "left")
    every = F.min(F.coalesce("torn", F.lit(False)) | F.col("tail_missing"))
    states = known.groupBy("capture", F.col("partition").alias("state_partition")).agg(every.alias("torn"))
    return states.where("torn").select("capture", "state_partition")


def unread_after(rows: DataFrame, found: DataFrame, holes: DataFrame | None) -> DataFrame:
    """Return of each of these data spans the first offset that this copy does not show: `unread_offset`, cut_offset.

    A marker of its own may have been there: between two segments or in a hole (of `found`, rows of `gaps`) after its
    first offset, or in one of `holes` anywhere before what closed it: the data may have come late. cut_offset is that
    of the holes whose bytes are missing: where there is one, no hole is the cleaner's. `rows` have the log's key,
    producer_id and first_offset; offsets from marker_offset on, where there is one, do not count.
    """
    key = [*PRODUCER, "first_offset"]
    asked = rows.select(*key, F.coalesce("marker_offset", F.lit(2**62)).alias("until"))
    between = found.where("gap_kind IN ('unread', 'hole_between')").select(*HOLE, "gap_kind")
    after = asked.join(F.broadcast(between), list(LOG)).where("gap_end > first_offset + 1")
    if holes is not None:
        after = after.unionByName(asked.join(F.broadcast(holes.withColumn("gap_kind", F.lit("unread"))), list(LOG)))
    cut = F.when(F.col("gap_kind") == "unread", F.col("gap_offset"))
    inside = after.where("gap_offset < until")
    return inside.groupBy(*key).agg(F.min("gap_offset").alias("unread_offset"), F.min(cut).alias("cut_offset"))
