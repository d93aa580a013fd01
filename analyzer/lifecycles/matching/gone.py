"""Whether an open transaction's data is proven to have left the log, and whether replicas agree that it is open."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.matching.rest import OPEN
from analyzer.lifecycles.placing import LOG, PARTITION


def with_proofs(
    opens: DataFrame,
    logs: DataFrame,
    segments: DataFrame,
    damage: DataFrame,
    snapshots: DataFrame,
    holes: DataFrame | None,
) -> DataFrame:
    """Add gone (why the first offset cannot be in the log, null where that is not proven), disputed and unread_offset.

    gone: `below start`, it lies below the log's proven start; `not in segment`, the segment that covers it is here
    whole (RULES A 9). disputed: replicas that cannot be ranked do not all have the transaction open (RULES A 16).
    unread_offset: the first offset after the data that is not here, where its marker may be: in a file that is missing
    (RULES A 6 g), or in `holes`, those of `unread_holes` (RULES A 6 f). A decision is not `lost` if its marker may be
    in such a hole before the data.
    """
    starts = logs.select(*LOG, "proven_start")
    lacking = damage.select(*LOG).unionByName(torn(segments).select(*LOG))
    broken = lacking.distinct().withColumn("broken", F.lit(True))
    told = (
        opens.join(starts, list(LOG), "left")
        .join(broken, list(LOG), "left")
        .join(_covering(opens, segments), list(OPEN), "left")
        .join(_unread(opens, segments, snapshots, holes), list(OPEN), "left")
        .join(_agreeing(opens), list(OPEN), "left")
        .join(_tied(logs), list(PARTITION), "left")
    )
    if holes is not None:
        behind = opens.join(holes, list(LOG)).where("gap_offset < first_offset").select(*OPEN).distinct()
        told = told.join(behind.withColumn("hidden_before", F.lit(True)), list(OPEN), "left")
    inside = F.coalesce("covered", F.lit(False)) & F.col("broken").isNull()
    gone = F.when(F.col("first_offset") < F.col("proven_start"), "below start").when(inside, "not in segment")
    disputed = F.coalesce(F.col("tied") & (F.col("agreeing") < F.col("tied_copies")), F.lit(False))
    if holes is not None:
        told = told.withColumn("lost", F.when(F.col("hidden_before").isNull(), F.col("lost"))).drop("hidden_before")
    return (
        told.withColumn("gone", gone)
        .withColumn("disputed", disputed)
        .drop("proven_start", "broken", "covered", "agreeing", "tied_copies")
    )


def _unread(opens: DataFrame, segments: DataFrame, snapshots: DataFrame, inside: DataFrame | None) -> DataFrame:
    """Return of each open transaction the first offset that is not here and may hold its marker.

    That is offsets `inside` a segment whose bytes are missing too, between two segments of a log that the cleaner
    leaves alone, or after the last one. A producer snapshot of any copy, from a later offset, that still has the
    transaction open speaks for all before it.
    """
    same = [*PARTITION, "producer_id", "first_offset"]
    carried = snapshots.where("current_txn_first_offset IS NOT NULL").select(
        *PARTITION, "producer_id", F.col("current_txn_first_offset").alias("first_offset"), "snapshot_offset"
    )
    theirs = with_few(carried, opens.select(*same).distinct(), same)
    proofs = theirs.groupBy(*same).agg(F.max("snapshot_offset").alias("open_at"))
    known = opens.join(proofs, same, "left").select(
        *OPEN, F.greatest("first_offset", "open_at").alias("open_at"), "cleaner_checkpoint", "log_end_offset",
        F.when(F.col("has_log") & F.col("tail_missing"), F.col("log_end_offset")).alias("tail_offset"),
    )  # fmt: skip
    holes = segments.where("next_segment > segment_end + 1 AND NOT thinned").select(
        *LOG, F.col("segment_end").alias("before_hole"), "next_segment"
    )
    between = known.where("cleaner_checkpoint IS NULL").join(holes, list(LOG)).where("next_segment > open_at")
    found = between.select(*OPEN, (F.col("before_hole") + 1).alias("at"))
    if inside is not None:
        cut = known.join(inside, list(LOG)).where("gap_end > open_at")
        found = found.unionByName(cut.select(*OPEN, F.col("gap_offset").alias("at")))
    first = found.groupBy(*OPEN).agg(F.min("at").alias("hole_offset"))
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


def _agreeing(opens: DataFrame) -> DataFrame:
    """Return how many of the tied copies have the same transaction open, for each of them."""
    same = Window.partitionBy(*PARTITION, "producer_id", "first_offset")
    tied = opens.where("tied").select(*OPEN)
    return tied.withColumn("agreeing", F.count("*").over(same))


def _tied(logs: DataFrame) -> DataFrame:
    """Return how many copies of a partition share the highest standing; none where the leader is named."""
    best = logs.where("tied AND NOT named_leader")
    top = Window.partitionBy(*PARTITION)
    standing = F.struct("log_epoch", "log_end_offset")
    ranked = best.withColumn("standing", standing).withColumn("highest", F.max("standing").over(top))
    return ranked.where("standing = highest").groupBy(*PARTITION).agg(F.count("*").alias("tied_copies"))
