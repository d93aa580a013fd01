"""Whether an open transaction's data is proven to have left the log, and which files that are not here may end it."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, PRODUCER_NO
from analyzer.stages.few import with_few

OF_LOG = (
    "log_no", "proven_start", "has_log", "cleaner_checkpoint", "log_end_offset", "tail_missing", "high_watermark",
)  # fmt: skip
"""What is asked of a copy's bounds."""


def proofs_of(
    opens: DataFrame, logs: DataFrame, segments: DataFrame, damage: DataFrame, snapshots: DataFrame, disputes: DataFrame
) -> DataFrame:
    """Return gone (why the first offset cannot be in the log, null where that is not proven), disputed, unread_offset.

    gone: `below start`, it lies below the log's proven start; `not in segment`, the segment that covers it is here
    whole (RULES A 9). disputed: replicas that cannot be ranked do not all have it open (`disputes`, RULES A 16).
    unread_offset: the first offset after the data in a file that is not here, where its marker may be (RULES A 6 g).
    cleaned_before: the cleaner took offsets before the data, and may have taken a marker that it came after.
    """
    of_logs = logs.select(*OF_LOG)
    asked = opens.select(*PRODUCER, "log_no", "first_offset").join(of_logs, "log_no", "left")
    lacking = damage.select(*LOG).unionByName(torn(segments).select(*LOG))
    same = [*PRODUCER, "first_offset"]
    broken = lacking.distinct().withColumn("broken", F.lit(True))
    told = (
        asked.join(broken, list(LOG), "left")
        .join(_covering(asked, segments), list(PRODUCER_NO), "left")
        .join(_unread(asked, segments, snapshots), list(PRODUCER_NO), "left")
        .join(_cleaned(asked, segments), list(PRODUCER_NO), "left")
        .join(disputes.select(*same, F.lit(True).alias("differ")), same, "left")
    )
    inside = F.coalesce("covered", F.lit(False)) & F.col("broken").isNull()
    gone = F.when(F.col("first_offset") < F.col("proven_start"), "below start").when(inside, "not in segment")
    return told.select(
        *PRODUCER_NO, gone.alias("gone"), F.coalesce("differ", F.lit(False)).alias("disputed"), "unread_offset",
        F.coalesce("cleaned_before", F.lit(False)).alias("cleaned_before"),
    )  # fmt: skip


def _unread(opens: DataFrame, segments: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return, for each open transaction, the first offset in a file that is not here and may hold its marker.

    That is offsets between two segments, if no checkpoint shows that the cleaner was there: it takes nothing above the
    LSO, so it saw the marker or was not here. Or those after the last segment. A producer snapshot of any copy, from a
    later offset, that still has the transaction open speaks for all before it, but not up to a higher high watermark.
    """
    known = _known_open(opens, snapshots).select(
        *PRODUCER_NO, "open_at", "cleaner_checkpoint", "high_watermark",
        F.when(F.col("has_log") & F.col("tail_missing"), F.col("log_end_offset")).alias("tail_offset"),
    )  # fmt: skip
    holes = segments.where("next_segment > segment_end + 1")
    holes = holes.select("log_no", "segment", F.col("segment_end").alias("before_hole"), "next_segment")
    not_cleaned = F.col("cleaner_checkpoint").isNull() | (F.col("segment") > F.col("cleaner_checkpoint"))
    inside = known.join(holes, "log_no").where((F.col("next_segment") > F.col("open_at")) & not_cleaned)
    first = inside.groupBy(*PRODUCER_NO).agg(F.min(F.col("before_hole") + 1).alias("hole_offset"))
    goes_on = (F.col("tail_offset") >= F.col("open_at")) | (F.col("high_watermark") > F.col("open_at"))
    tail = F.when(F.col("tail_offset").isNotNull() & goes_on, F.greatest("tail_offset", "open_at"))
    return known.join(first, list(PRODUCER_NO), "left").select(
        *PRODUCER_NO, F.least("hole_offset", tail).alias("unread_offset")
    )


def _covering(opens: DataFrame, segments: DataFrame) -> DataFrame:
    """Return whether the segment that covers each first offset is here, to where the next begins."""
    held = (
        opens.select(*PRODUCER_NO, "first_offset")
        .join(segments.select("log_no", "segment", "segment_end", "next_segment"), "log_no")
        .where("segment <= first_offset AND (next_segment IS NULL OR first_offset < next_segment)")
    )
    whole = (F.col("first_offset") <= F.col("segment_end")) | (F.col("next_segment") == F.col("segment_end") + 1)
    return held.select(*PRODUCER_NO, F.coalesce(whole, F.lit(False)).alias("covered"))


def _cleaned(opens: DataFrame, segments: DataFrame) -> DataFrame:
    """Return whether offsets are missing from a segment before each first offset that the cleaner wrote anew."""
    before = (
        opens.select(*PRODUCER_NO, "first_offset", "cleaner_checkpoint")
        .join(segments, "log_no")
        .where("segment < cleaner_checkpoint AND segment <= first_offset AND cleaner_checkpoint <= first_offset")
    )
    taken = (F.col("missing_offsets") > 0) | (F.col("segment_start") > F.col("segment"))
    between = F.coalesce(F.col("next_segment") > F.col("segment_end") + 1, F.lit(False))
    return before.groupBy(*PRODUCER_NO).agg(F.max(taken | between).alias("cleaned_before"))


def _known_open(opens: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Add open_at: the newest producer snapshot of any copy that still has the transaction open, or its own begin."""
    same = [*PARTITION, "producer_id", "first_offset"]
    carried = snapshots.where("current_txn_first_offset IS NOT NULL").select(
        *PARTITION, "producer_id", F.col("current_txn_first_offset").alias("first_offset"), "snapshot_offset"
    )
    theirs = with_few(carried, opens.select(*same).distinct(), same)
    proofs = theirs.groupBy(*same).agg(F.max("snapshot_offset").alias("open_at"))
    known = opens.join(proofs, same, "left")
    return known.withColumn("open_at", F.greatest("first_offset", "open_at"))


def holes_of(holes: DataFrame, opens: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return, for open transactions in logs with holes (of `unread_holes`), what these may hide (RULES A 6 f).

    hidden_offset: a hole after the data that may hold its marker. hidden_before: one lies before the data.
    """
    asked = opens.select(*PRODUCER, "log_no", "first_offset")
    found = _known_open(asked, snapshots).join(F.broadcast(holes), list(LOG))
    behind = F.min(F.when(F.col("gap_end") > F.col("open_at"), F.col("gap_offset")))
    before = F.max(F.col("gap_offset") < F.col("first_offset"))
    return found.groupBy(*PRODUCER_NO).agg(behind.alias("hidden_offset"), before.alias("hidden_before"))
