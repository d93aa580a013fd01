"""Logs whose files end before an offset that they had reached, by a checkpoint or an answer (RULES D 7)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coverage.note import file_line, note
from analyzer.lifecycles.placing import LOG, partition_name

REACHING = "authority AND has_log AND NOT coalesce(high_watermark > log_end_offset, false)"
"""The judged logs whose high watermark shows no missing end; where it does, that has its own note."""


def short_of_epochs(seen: DataFrame, logs: DataFrame) -> DataFrame:
    """Return a note for each judged log that ends below a start in its own leader-epoch-checkpoint.

    A broker writes that start from the end of its log, and cuts the file off when it truncates the log. `seen` are the
    placed observations.
    """
    starts = seen.where("observed = 'leader_epoch' AND log_topic IS NOT NULL").select(
        "capture", F.col("log_topic").alias("topic"), F.col("log_partition").alias("partition"), "replica", "path",
        F.col("number").alias("start"),
    )  # fmt: skip
    judged = logs.where(REACHING).select(*LOG, "log_end_offset")
    last = F.max(F.struct("start", "path", "log_end_offset"))
    short = starts.join(judged, list(LOG)).where("start > log_end_offset").groupBy(*LOG).agg(last.alias("last"))
    text = F.concat(
        F.lit("the files end at offset "), F.col("last.log_end_offset") - 1,
        F.lit(", but a leader epoch begins at offset "), "last.start", F.lit(" by "), "last.path",
        F.lit(": anything between was not judged"),
    )  # fmt: skip
    fetch = F.concat(F.lit("the newest segments of "), partition_name(), F.lit(", copied together with this file"))
    return note(short, "short_log", text, fetch, file="last.path", number="last.start")


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
    here = F.concat(F.lit("the files end at offset "), F.col("last.log_end_offset") - 1)
    text = F.concat(
        F.when(F.col("last.log_end_offset") > 0, here).otherwise("the files have no batch"),
        F.lit(", but the log end is "), "last.end", F.lit(" in "), "last.at",
        F.lit(": this copy is older, or lacks its end; anything after that was not judged"),
    )  # fmt: skip
    fetch = F.concat(F.lit("a newer copy of the newest segment of "), partition_name())
    return note(short, "short_log", text, fetch, file="last.path", number="last.end")
