"""Whether an open transaction's data is proven to have left the log, and whether replicas agree that it is open."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.matching.client_clocks import ELAPSED
from analyzer.lifecycles.matching.rest import OPEN
from analyzer.lifecycles.placing import LOG, PARTITION


def with_proofs(
    opens: DataFrame,
    logs: DataFrame,
    segments: DataFrame,
    damage: DataFrame,
    snapshots: DataFrame,
    disputes: DataFrame,
) -> DataFrame:
    """Add gone (why the first offset cannot be in the log, null where that is not proven), disputed and unread_offset.

    gone: `below start`, it lies below the log's proven start; `not in segment`, the segment that covers it is here
    whole (RULES A 9). disputed: replicas that cannot be ranked do not all have it open (`disputes`, RULES A 16).
    unread_offset: the first offset after the data in a file that is not here, where its marker may be (RULES A 6 g).
    The columns ELAPSED are null still.
    """
    starts = logs.select(*LOG, "proven_start")
    lacking = damage.select(*LOG).unionByName(torn(segments).select(*LOG))
    broken = lacking.distinct().withColumn("broken", F.lit(True))
    told = (
        opens.join(starts, list(LOG), "left")
        .join(broken, list(LOG), "left")
        .join(_covering(opens, segments), list(OPEN), "left")
        .join(_unread(opens, segments, snapshots), list(OPEN), "left")
        .join(disputes.select(*OPEN, F.lit(True).alias("some_differ")), list(OPEN), "left")
    )
    inside = F.coalesce("covered", F.lit(False)) & F.col("broken").isNull()
    gone = F.when(F.col("first_offset") < F.col("proven_start"), "below start").when(inside, "not in segment")
    disputed = F.coalesce("some_differ", F.lit(False))
    return (
        told.withColumn("gone", gone)
        .withColumn("disputed", disputed)
        .withColumns({name: F.lit(None).cast("bigint") for name in ELAPSED})
        .drop("proven_start", "broken", "covered", "some_differ")
    )


def _unread(opens: DataFrame, segments: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return of each open transaction the first offset in a file that is not here and may hold its marker.

    That is offsets between two segments of a log that the cleaner leaves alone, or after the last one. A producer
    snapshot of any copy, from a later offset, that still has the transaction open speaks for all before it.
    """
    known = _known_open(opens, snapshots).select(
        *OPEN, "open_at", "cleaner_checkpoint", "log_end_offset",
        F.when(F.col("has_log") & F.col("tail_missing"), F.col("log_end_offset")).alias("tail_offset"),
    )  # fmt: skip
    holes = segments.where("next_segment > segment_end + 1 AND NOT thinned").select(
        *LOG, F.col("segment_end").alias("before_hole"), "next_segment"
    )
    inside = known.where("cleaner_checkpoint IS NULL").join(holes, list(LOG)).where("next_segment > open_at")
    first = inside.groupBy(*OPEN).agg(F.min(F.col("before_hole") + 1).alias("hole_offset"))
    tail = F.when(F.col("tail_offset") >= F.col("open_at"), F.col("tail_offset"))
    return known.join(first, list(OPEN), "left").select(*OPEN, F.least("hole_offset", tail).alias("unread_offset"))


def _covering(opens: DataFrame, segments: DataFrame) -> DataFrame:
    """Return whether the segment that covers each first offset is here, to where the next begins."""
    held = (
        opens.select(*OPEN)
        .join(segments.select(*LOG, "segment", "segment_end", "next_segment"), list(LOG))
        .where("segment <= first_offset AND (next_segment IS NULL OR first_offset < next_segment)")
    )
    whole = (F.col("first_offset") <= F.col("segment_end")) | (F.col("next_segment") == F.col("segment_end") + 1)
    return held.select(*OPEN, F.coalesce(whole, F.lit(False)).alias("covered"))


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


def behind_holes(holes: DataFrame, opens: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return the open transactions (of `with_proofs`) with what holes in their logs may hide (RULES A 6 f).

    `holes` are `unread_holes`. One after the data may hold its marker: unread_offset. With one before the data, no
    decision is `lost`: its marker may be in there, and the data came late.
    """
    found = _known_open(opens, snapshots).select(*OPEN, "open_at").join(F.broadcast(holes), list(LOG))
    behind = F.min(F.when(F.col("gap_end") > F.col("open_at"), F.col("gap_offset")))
    before = F.max(F.col("gap_offset") < F.col("first_offset"))
    told = found.groupBy(*OPEN).agg(behind.alias("hidden_offset"), before.alias("hidden_before"))
    joined = opens.join(told, list(OPEN), "left")
    lost = F.when(~F.coalesce("hidden_before", F.lit(False)), F.col("lost"))
    unread = F.least("unread_offset", "hidden_offset")
    return joined.withColumns({"lost": lost, "unread_offset": unread}).drop("hidden_offset", "hidden_before")
