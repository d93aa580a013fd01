"""How the log of a stuck partition grew while its LSO stood still, and where the ids of an expanded topic are."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import LOG, with_log
from analyzer.stages.few import with_few

POINTS = 48
"""How many points show the growth of a log."""


def growth(pinned: DataFrame, batches: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows (log, point, at_ms, log_end, lso): how far a log reached, and its LSO at that moment.

    `pinned` has the logs with `low` and `high`, the offsets between which points are taken. The LSO after an offset is
    the first offset of the oldest transaction that is open there, otherwise the log end.
    """
    step = F.greatest(F.lit(1), F.ceil((F.col("high") - F.col("low")) / F.lit(POINTS))).cast("bigint")
    named = pinned.join(logs.select("log_no", *LOG), list(LOG))
    wanted = named.select("log_no", "low", "high", step.alias("step"))
    point = F.floor((F.col("last_offset") - F.col("low")) / F.col("step")).cast("bigint")
    inside = F.col("last_offset").between(F.col("low"), F.col("high") - 1)
    ends = with_few(batches, wanted, ["log_no"]).where(inside).groupBy("log_no", point.alias("point"))
    reached = ends.agg(F.max("max_timestamp").alias("at_ms"), (F.max("last_offset") + 1).alias("log_end"))
    return (
        with_log(reached, logs).join(_held_back(txns, wanted), ["log_no", "point"], "left")
        .select(*LOG, "point", "at_ms", "log_end", F.coalesce("lso", "log_end").alias("lso"))
    )  # fmt: skip


def _held_back(txns: DataFrame, wanted: DataFrame) -> DataFrame:
    """Return for each point the first offset of the oldest transaction that is open at its end."""
    near = with_few(txns, wanted, ["log_no"]).where("first_offset IS NOT NULL AND first_offset < high")
    ends = F.coalesce("marker_offset", "high")
    first = F.greatest(F.lit(0), F.floor((F.col("first_offset") - F.col("low")) / F.col("step"))).cast("bigint")
    last = F.floor((ends - F.col("low")) / F.col("step")).cast("bigint") - F.when(
        F.col("marker_offset").isNotNull(), F.lit(1)
    ).otherwise(F.lit(0))
    spans = near.withColumn("from_point", first).withColumn("to_point", F.least(last, F.lit(POINTS)))
    each = spans.where("to_point >= from_point").withColumn("point", F.explode(F.sequence("from_point", "to_point")))
    return each.groupBy("log_no", "point").agg(F.min("first_offset").alias("lso"))


def id_places(located: DataFrame) -> DataFrame:
    """Return a row for each partition of an expanded topic: its ids, and those that one count alone explains."""
    expanded = located.where("alive AND how IN ('two', 'three', 'unused')")
    return expanded.groupBy("capture", "topic", "partition").agg(
        F.count("*").alias("ids"),
        F.count_if("by_old_only").alias("by_old_only"),
        F.count_if("by_new_only").alias("by_new_only"),
    )
