"""The moment of a capture by clients' clocks, where no broker's clock tells it (RULES A 15)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.answers.answered import moment
from analyzer.stages.few import with_few

AGREED = "at least: newest time that two producers agree on; no broker set one"
ANSWERED = "when the pasted answers were given, by their own times"


def bare(judged: DataFrame) -> DataFrame:
    """Return the captures that have no moment: nobody gave one, and no broker set a time."""
    return judged.where("captured_at IS NULL")


def with_agreed(
    bare: DataFrame, judged: DataFrame, batches: DataFrame, states: DataFrame, answers: DataFrame
) -> DataFrame:
    """Return `judged` with a moment for its `bare` captures, which have none (RULES A 15).

    That of pasted answers (RULES F 1), else the newest that two producers reached: of the newest timestamp of each
    producer id, in batches and in the snapshots (`states`), the second newest. So one odd clock decides nothing.
    Producers without an id count as one.
    """
    written = batches.where("NOT is_control").select("capture", "producer_id", F.col("max_timestamp").alias("ms"))
    known = states.select("capture", "producer_id", F.col("timestamp").alias("ms"))
    seen = with_few(written.unionByName(known), bare.select("capture"), ["capture"]).where("ms > 0")
    newest = seen.groupBy("capture", "producer_id").agg(F.max("ms").alias("ms"))
    agreed = newest.groupBy("capture").agg(second(F.sort_array(F.collect_list("ms"), asc=False)).alias("agreed_ms"))
    told = judged.join(agreed, "capture", "left").join(moment(answers), "capture", "left")
    source = (
        F.when(F.col("captured_at").isNotNull(), F.col("captured_at_source"))
        .when(F.col("answered_at").isNotNull(), ANSWERED)
        .when(F.col("agreed_ms").isNotNull(), AGREED)
    )
    return told.select(
        "capture",
        F.coalesce("captured_at", "answered_at", "agreed_ms").alias("captured_at"),
        source.alias("captured_at_source"),
    )


def second(ordered: Column) -> Column:
    """Return the second value of an array, null where there is none."""
    return F.get(ordered, F.lit(1))
