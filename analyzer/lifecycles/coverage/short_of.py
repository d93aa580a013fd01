"""Logs whose files end before an offset that they had reached: by a checkpoint, an answer, another dump (RULES D 7)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coverage.note import file_line, note, worded
from analyzer.lifecycles.logs.authority import epoch_entries
from analyzer.lifecycles.placing import LOG, placed
from analyzer.stages.few import with_few
from analyzer.tables import NO_REPLICA

REACHING = "authority AND has_log AND NOT coalesce(high_watermark > log_end_offset, false)"
"""The judged logs whose high watermark shows no missing end; where it does, that has its own note."""


def short_of_files(seen: DataFrame, places: DataFrame, logs: DataFrame) -> DataFrame:
    """Return a note for each judged log that ends below an offset which another file of its folder tells, by its kind.

    A start in its leader-epoch-checkpoint: a broker writes that from the end of its log, and cuts the file off when it
    truncates the log. Or a name: that of a snapshot is an offset that the log had reached, that of a transaction index
    its segment's; a checkpoint is written now and then, and may be older than both. `seen` are the placed observations.
    """
    starts = epoch_entries(seen).select(*LOG, "path", F.col("start_offset").alias("at"), F.lit("epoch").alias("of"))
    kind = F.coalesce("kind", "file_kind")
    named = places.where(kind.isin("snapshot", "txnindex"))
    named = named.select(*LOG, "path", F.col("segment").alias("at"), kind.alias("of"))
    judged = logs.where(REACHING).select(*LOG, "last_segment", "log_end_offset")
    reached = F.when(F.col("of") == "txnindex", F.col("last_segment")).otherwise(F.col("log_end_offset"))
    beyond = starts.unionByName(named).join(judged, list(LOG)).where(F.col("at") > reached)
    last = F.max(F.struct("at", "path", "log_end_offset")).alias("last")
    short = beyond.groupBy(*LOG, (F.col("of") == "epoch").alias("of_epoch")).agg(last)
    begins = worded("a leader epoch begins at offset {last.at} by {last.path}: anything between was not judged")
    went_on = worded("the log went on, by the name of {last.path}: anything after that was not judged")
    text = worded(
        "the files end at offset {end}, but {told}",
        end=F.col("last.log_end_offset") - 1,
        told=F.when(F.col("of_epoch"), begins).otherwise(went_on),
    )
    fetch = worded("the newest segments of {topic}-{partition}, copied together with this file")
    return note(short, "short_log", text, fetch, file="last.path", number="last.at")


def short_of_answers(seen: DataFrame, logs: DataFrame, places: DataFrame) -> DataFrame:
    """Return a note for each judged log that ends below the end that an admin tool told of it.

    The log end of a group's description, or an offset of kafka-get-offsets, which is one that the log had reached.
    Where an archive tells when the answer was written, the log may have grown since it was copied, and nothing is said.
    """
    ends = "observed IN ('group_position', 'share_position', 'log_end')"
    end = F.when(F.col("observed") == "log_end", F.col("number")).otherwise(F.col("other_number"))
    dated = places.where("copied_at IS NOT NULL").select("capture", "path").distinct()
    told = (
        seen.where(ends)
        .select("capture", "topic", "partition", file_line().alias("at"), "path", end.alias("end"))
        .where("topic IS NOT NULL AND partition IS NOT NULL AND end IS NOT NULL")
        .join(dated, ["capture", "path"], "left_anti")
    )
    judged = logs.where(REACHING).select(*LOG, "log_end_offset")
    last = F.max(F.struct("end", "at", "path", "log_end_offset"))
    beyond = told.join(judged, ["capture", "topic", "partition"]).where(F.col("end") > F.col("log_end_offset"))
    short = beyond.groupBy(*LOG).agg(last.alias("last"))
    here = worded("the files end at offset {end}", end=F.col("last.log_end_offset") - 1)
    text = worded(
        "{here}, but the log end is {last.end} in {last.at}: this copy is older, or lacks its end; anything after that "
        "was not judged",
        here=F.when(F.col("last.log_end_offset") > 0, here).otherwise("the files have no batch"),
    )
    fetch = worded("a newer copy of the newest segment of {topic}-{partition}")
    return note(short, "short_log", text, fetch, file="last.path", number="last.end")


def shown_again(places: DataFrame) -> DataFrame:
    """Return the places of segments that several dumps or files show, where none of them says whose it is.

    One that breaks off, or out of which lines were cut, does not show where its log ends.
    """
    unnamed = places.where((F.col("kind") == "log") & (F.col("replica") == NO_REPLICA) & F.col("partition").isNotNull())
    segment = [*LOG, "segment"]
    several = unnamed.groupBy(*segment).agg(F.count("*").alias("dumps")).where("dumps > 1").select(*segment)
    whole = unnamed.where("ending IS NULL OR ending NOT IN ('cut', 'died', 'excerpt')")
    return whole.join(several, segment, "left_semi")


def short_dumps(again: DataFrame, batches: DataFrame, txns: DataFrame) -> DataFrame:
    """Return a note for each log of which a dump ends inside a transaction that another one shows ended (RULES A 16 a).

    They are of two moments or of two brokers, and one that never had the marker, or lost it, may lead. `again` are the
    places that are `shown_again`, `txns` are `partition_txns`.
    """
    ends = placed(batches, again).groupBy(*LOG, "segment", "path", "section").agg(F.max("last_offset").alias("end"))
    told = txns.select(*LOG, "first_offset", "marker_offset")
    ended = told.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL")
    short = with_few(ended, ends, LOG).where("first_offset >= segment AND first_offset <= end AND marker_offset > end")
    first = short.groupBy(*LOG).agg(F.min(F.struct("marker_offset", "end", "path")).alias("first"))
    text = worded(
        "a dump of {topic}-{partition} in {first.path} ends at offset {first.end}, before the marker at "
        "{first.marker_offset} that another one has: it was made earlier, or it is of another broker, which may lead "
        "and lack that marker"
    )
    fetch = worded(
        "which broker each is of: put its files into a folder broker-<id>; who leads, kafka-topics.sh --describe "
        "--topic {topic}"
    )
    return note(first, "short_dump", text, fetch, file="first.path", number="first.marker_offset")
