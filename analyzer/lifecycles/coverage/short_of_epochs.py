"""Logs whose files end before an offset at which a leader epoch of theirs begins (RULES D 7)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coverage.note import note
from analyzer.lifecycles.placing import LOG, partition_name


def short_of_epochs(seen: DataFrame, logs: DataFrame) -> DataFrame:
    """Return a note for each judged log that ends below a start in its own leader-epoch-checkpoint.

    A broker writes that start from the end of its log, and cuts the file off when it truncates the log. `seen` are the
    placed observations. What the high watermark shows missing, too, has its own note.
    """
    starts = seen.where("observed = 'leader_epoch' AND log_topic IS NOT NULL").select(
        "capture", F.col("log_topic").alias("topic"), F.col("log_partition").alias("partition"), "replica", "path",
        F.col("number").alias("start"),
    )  # fmt: skip
    judged = logs.where("authority AND has_log AND NOT coalesce(high_watermark > log_end_offset, false)").select(
        *LOG, "log_end_offset"
    )
    last = F.max(F.struct("start", "path", "log_end_offset"))
    short = starts.join(judged, list(LOG)).where("start > log_end_offset").groupBy(*LOG).agg(last.alias("last"))
    text = F.concat(
        F.lit("the files end at offset "), F.col("last.log_end_offset") - 1,
        F.lit(", but a leader epoch begins at offset "), "last.start", F.lit(" by "), "last.path",
        F.lit(": anything between was not judged"),
    )  # fmt: skip
    fetch = F.concat(F.lit("the newest segments of "), partition_name(), F.lit(", copied together with this file"))
    return note(short, "short_log", text, fetch, file="last.path", number="last.start")
