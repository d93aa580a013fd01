"""Whether an open transaction's data is proven to have left the log, and whether replicas agree that it is open."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.matching.rest import OPEN
from analyzer.lifecycles.placing import LOG, PARTITION


def with_proofs(opens: DataFrame, logs: DataFrame, batches: DataFrame, damage: DataFrame) -> DataFrame:
    """Add gone (why the first offset cannot be in the log, null where that is not proven) and disputed (RULES A 9, 16).

    gone: `below start`, it lies below the log's proven start; `not in segment`, the segment that covers it is here
    whole. disputed: replicas that cannot be ranked do not all have the transaction open.
    """
    starts = logs.select(*LOG, "proven_start")
    broken = damage.select(*LOG).distinct().withColumn("broken", F.lit(True))
    told = (
        opens.join(starts, list(LOG), "left")
        .join(broken, list(LOG), "left")
        .join(_covering(opens, batches), list(OPEN), "left")
        .join(_agreeing(opens), list(OPEN), "left")
        .join(_tied(logs), list(PARTITION), "left")
    )
    inside = F.coalesce("covered", F.lit(False)) & F.col("broken").isNull()
    gone = F.when(F.col("first_offset") < F.col("proven_start"), "below start").when(inside, "not in segment")
    disputed = F.coalesce(F.col("tied") & (F.col("agreeing") < F.col("tied_copies")), F.lit(False))
    return (
        told.withColumn("gone", gone)
        .withColumn("disputed", disputed)
        .drop("proven_start", "broken", "covered", "agreeing", "tied_copies")
    )


def _covering(opens: DataFrame, batches: DataFrame) -> DataFrame:
    """Return whether the segment that covers each first offset is here, to where the next begins."""
    segments = batches.groupBy(*LOG, "segment").agg(F.max("last_offset").alias("segment_end"))
    order = Window.partitionBy(*LOG).orderBy("segment")
    ends = segments.withColumn("next_segment", F.lead("segment").over(order))
    held = (
        opens.select(*OPEN)
        .join(ends, list(LOG))
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
