"""Decisions and markers of all other producer ids, put together by their times (RULES A 4)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.pairing.decided import told_of
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.tables.unions import union_filled


def matched_by_time(
    unsettled: DataFrame,
    found: DataFrame,
    clocks: DataFrame,
    shifted_decisions: DataFrame,
    shifted_markers: DataFrame,
) -> DataFrame:
    """Return all other decisions with what they tell (`told_of`) of their markers, or nulls.

    A marker belongs to the last decision before it, if the types agree, until the producer id's next transaction begins
    and, if it was completed, until then, give or take what clocks may be apart. Decisions are shifted by
    `clocks.shift_ms`, the offset between the clocks as the order-matched pairs show it, or, where brokers' clocks are
    apart, as decisions and markers are. Of several markers of one the first counts (a restarted coordinator writes them
    again). One that is known by its marker alone has that one.
    """
    by_marker = unsettled.where("own_marker IS NOT NULL").select(
        *PRODUCER_NO, "rank", F.col("own_marker.txn_no").alias("txn_no"),
        F.col("own_marker.marker_offset").alias("marker_offset"),
    )  # fmt: skip
    late = _aligned(found, shifted_markers).join(by_marker, [*PRODUCER_NO, "marker_offset"], "left_anti")
    open_decisions = (
        unsettled.where("own_marker IS NULL").join(clocks, "capture", "left").join(shifted_decisions, list(TXN), "left")
    )
    shift = F.coalesce(F.col("by_ms") - F.col("unsure_ms"), "shift_ms", F.lit(0))
    done_ms = F.col("completed_ms") + F.coalesce("spread_ms", F.lit(SKEW_MS))
    until_ms = F.coalesce(F.col("completed_ms") + F.col("done_by_ms"), F.least("next_begun_ms", done_ms) + shift)
    decision = F.struct("rank", "decision", until_ms.alias("until_ms"))
    made = open_decisions.where("by_ms IS NOT NULL OR NOT coalesce(apart, false)").select(
        *PRODUCER_NO, (F.col("decided_ms") + shift).alias("at_ms"), F.lit(0).alias("kind"), F.col("rank").alias("turn"),
        decision.alias("candidate"),
    )  # fmt: skip
    written = late.select(
        *PRODUCER_NO, F.col("aligned_ms").alias("at_ms"), F.lit(1).alias("kind"), F.col("rank").alias("turn"),
        "txn_no", "marker_offset", "marker",
    )  # fmt: skip
    timeline = union_filled(made, written)
    order = Window.partitionBy(*PRODUCER_NO).orderBy("at_ms", "kind", "turn").rowsBetween(Window.unboundedPreceding, 0)
    seen = timeline.withColumn("candidate", F.last("candidate", ignorenulls=True).over(order)).where("kind = 1")
    fits = seen.where(
        (F.col("candidate.decision") == F.coalesce("marker", "candidate.decision"))
        & (F.col("candidate.until_ms").isNull() | (F.col("at_ms") <= F.col("candidate.until_ms")))
    )
    first = Window.partitionBy(*PRODUCER_NO, "rank").orderBy("marker_offset")
    pairs = fits.select(*PRODUCER_NO, "candidate.rank", "txn_no", "marker_offset")
    timed = pairs.withColumn("turn", F.row_number().over(first)).where("turn = 1").drop("turn")
    theirs = (
        timed.unionByName(by_marker)
        .unionByName(_left_over(open_decisions, late, timed))
        .select(*PRODUCER_NO, "rank", "txn_no")
        .join(told_of(found).drop("rank"), [*PRODUCER_NO, "txn_no"])
    )
    return unsettled.join(theirs, [*PRODUCER_NO, "rank"], "left")


def _left_over(decisions: DataFrame, found: DataFrame, timed: DataFrame) -> DataFrame:
    """Return pairs of what is left of captures whose brokers' clocks are apart: some of them nobody can measure.

    In order, of the same type and epoch, and no further away than those clocks can be.
    """
    alike = [*PRODUCER_NO, "decision", "epoch", "turn"]
    ours = decisions.where("apart").join(timed.select(*PRODUCER_NO, "rank"), [*PRODUCER_NO, "rank"], "left_anti")
    theirs = found.drop("capture", "rank").join(timed, [*PRODUCER_NO, "txn_no"], "left_anti")
    made = _in_turn(ours.withColumn("epoch", F.col("decision_epoch").cast("int")), alike[:-1], "rank")
    named = theirs.withColumns({"decision": F.col("marker"), "epoch": F.col("marker_epoch").cast("int")})
    written = _in_turn(named, alike[:-1], "txn_no").select(*alike, "txn_no", "marker_offset", "marker_ms")
    last_ms = F.coalesce("completed_ms", F.col("decided_ms") + F.col("marker_bound_ms")) + F.col("spread_ms")
    near = F.col("marker_ms").between(F.col("decided_ms") - F.col("spread_ms"), last_ms)
    return made.join(written, alike).where(near).select(*PRODUCER_NO, "rank", "txn_no", "marker_offset")


def _in_turn(rows: DataFrame, alike: list[str], order: str) -> DataFrame:
    return rows.withColumn("turn", F.row_number().over(Window.partitionBy(*alike).orderBy(order)))


def others(unsettled: DataFrame, found: DataFrame, pairs: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Return the decisions and markers that are in none of these pairs."""
    return (
        unsettled.join(pairs.select(*PRODUCER_NO, "rank"), [*PRODUCER_NO, "rank"], "left_anti"),
        found.join(pairs.select(*PRODUCER_NO, "txn_no"), [*PRODUCER_NO, "txn_no"], "left_anti"),
    )


def _aligned(found: DataFrame, shifted: DataFrame) -> DataFrame:
    """Return markers, each with aligned_ms: when it was written by the clock that decisions go by."""
    rows = found.join(F.broadcast(shifted), ["log_no", "marker_leader_epoch"], "left")
    return rows.withColumn("aligned_ms", F.col("marker_ms") + F.coalesce("marker_by_ms", F.lit(0)))
