"""Decisions from before the begin of a log: their markers may have been deleted with what it has lost (RULES A 6)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.pairing.by_time import with_margin
from analyzer.lifecycles.placing import PRODUCER_NO


def within_reach(
    told: DataFrame, txns: DataFrame, logs: DataFrame, clocks: DataFrame, measured: DataFrame
) -> DataFrame:
    """Return the decisions of which this log would show the marker: all but those from before its begin.

    Files from offset 0 on show every marker. Others show those from after a marker that they have: of the same producer
    id, or one that was stamped before the decision, by more than clocks may be apart; and those of a producer id that,
    by a snapshot, had a transaction open where they begin. Of an id that is still in Prepare* the decision is the one
    to come. `told` has marker_offset, null for none.
    """
    begun = logs.where("coalesce(first_offset, 0) > 0").select("log_no", F.col("first_offset").alias("begins_at"))
    oldest = with_few(txns, begun, ["log_no"]).groupBy("log_no").agg(F.min("marker_ms").alias("first_marked_ms"))
    short = begun.select("log_no", F.lit(True).alias("short")).join(oldest, "log_no", "left")
    carried = with_few(txns, begun, ["log_no"]).where("first_offset < begins_at").select(*PRODUCER_NO).distinct()
    before = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(Window.unboundedPreceding, 0)
    asked = with_margin(told.withColumn("since", F.max("marker_offset").over(before)), clocks, measured)
    decided_ms = F.col("decided_ms") + F.coalesce("shift_ms", F.lit(0)) - F.coalesce("margin_ms", F.lit(0))
    shown = F.coalesce(F.col("first_marked_ms") < decided_ms, F.lit(False))
    to_come = F.col("completed_ms").isNull() & F.coalesce("is_last", F.lit(True))
    kept = F.col("short").isNull() | F.col("since").isNotNull() | shown | to_come | F.col("carried").isNotNull()
    joined = asked.join(F.broadcast(short), "log_no", "left").join(
        carried.withColumn("carried", F.lit(True)), list(PRODUCER_NO), "left"
    )
    return joined.where(kept).drop(
        "since", "short", "first_marked_ms", "carried", "shift_ms", "margin_ms", "marker_bound_ms"
    )
