"""Decisions and markers of all other producer ids, put together by their times, within the log (RULES A 4)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.pairing.decided import told_of
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_filled


def timed_pairs(
    unsettled: DataFrame,
    found: DataFrame,
    agreed: DataFrame,
    clocks: DataFrame,
    shifted_decisions: DataFrame,
    shifted_markers: DataFrame,
) -> DataFrame:
    """Return pairs of decisions and markers by their times, of those in no `agreed`: PRODUCER_NO, rank, txn_no.

    A marker belongs to the last decision before it, if the types agree, until the producer id's next transaction begins
    and, if it was completed, until then, give or take what clocks may be apart. Decisions are shifted by
    `clocks.shift_ms`, the offset between the clocks as the order-matched pairs show it, or, where brokers' clocks are
    apart, as decisions and markers are. Of several markers of one the first counts (a restarted coordinator writes them
    again). One that is known by its marker alone has that one. A marker carries the epoch of its Prepare record: it is
    put together with the decisions of that epoch, or of the next below, whose Prepare record may be missing.
    """
    decisions, theirs = _others(unsettled, found, agreed)
    by_marker = decisions.where("own_marker IS NOT NULL").select(
        *PRODUCER_NO, "rank", F.col("own_marker.txn_no").alias("txn_no")
    )
    late = _aligned(theirs, shifted_markers).join(by_marker, [*PRODUCER_NO, "txn_no"], "left_anti")
    made = _made(decisions.where("own_marker IS NULL"), clocks, shifted_decisions)
    written = late.select(
        *PRODUCER_NO, F.col("aligned_ms").alias("at_ms"), F.lit(1).alias("kind"), F.col("rank").alias("turn"),
        "txn_no", "marker", F.col("marker_epoch").alias("epoch"),
    )  # fmt: skip
    timeline = _by_epochs(union_filled(made, written))
    order = (
        Window.partitionBy(*PRODUCER_NO, "epoch")
        .orderBy("at_ms", "kind", "turn")
        .rowsBetween(Window.unboundedPreceding, 0)
    )
    seen = timeline.withColumn("candidate", F.last("candidate", ignorenulls=True).over(order)).where("kind = 1")
    fits = seen.where(
        (F.col("candidate.decision") == F.coalesce("marker", "candidate.decision"))
        & (F.col("candidate.until_ms").isNull() | (F.col("at_ms") <= F.col("candidate.until_ms")))
    )
    pairs = fits.groupBy(*PRODUCER_NO, "candidate.rank").agg(F.min("txn_no").alias("txn_no"))
    return pairs.unionByName(by_marker)


def _others(unsettled: DataFrame, found: DataFrame, pairs: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Return the decisions and markers that are in none of these pairs."""
    return (
        unsettled.join(pairs.select(*PRODUCER_NO, "rank"), [*PRODUCER_NO, "rank"], "left_anti"),
        found.join(pairs.select(*PRODUCER_NO, "txn_no"), [*PRODUCER_NO, "txn_no"], "left_anti"),
    )


def _by_epochs(timeline: DataFrame) -> DataFrame:
    """Return a timeline with the epoch of each decision, and of each marker that of the decisions it may carry out."""
    every = Window.partitionBy(*PRODUCER_NO)
    untold = F.max(F.col("epoch").isNull()).over(every)
    of_decisions = F.collect_set(F.when(F.col("kind") == 0, F.col("epoch"))).over(every)
    told = timeline.withColumns({"untold": untold, "epochs": of_decisions})
    nearest = F.array_max(F.filter("epochs", lambda one: one <= F.col("epoch")))
    return told.withColumn("epoch", F.when(F.col("untold"), -1).otherwise(nearest)).drop("untold", "epochs")


def _made(decisions: DataFrame, clocks: DataFrame, shifted: DataFrame) -> DataFrame:
    """Return the decisions for a timeline; where brokers' clocks are apart, those of which the clock is known.

    None is before the one of its rank before, also where a new coordinator's clock is behind.
    """
    told = decisions.join(clocks, "capture", "left").join(shifted, list(TXN), "left")
    shift = F.coalesce(F.col("by_ms") - F.col("unsure_ms"), "shift_ms", F.lit(0))
    done_ms = F.col("completed_ms") + F.coalesce("spread_ms", F.lit(SKEW_MS))
    until_ms = F.coalesce(F.col("completed_ms") + F.col("done_by_ms"), F.least("next_begun_ms", done_ms) + shift)
    decision = F.struct("rank", "decision", until_ms.alias("until_ms"))
    in_turn = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(Window.unboundedPreceding, 0)
    at_ms = F.max(F.col("decided_ms") + shift).over(in_turn)
    return told.where("by_ms IS NOT NULL OR NOT coalesce(apart, false)").select(
        *PRODUCER_NO, at_ms.alias("at_ms"), F.lit(0).alias("kind"), F.col("rank").alias("turn"),
        decision.alias("candidate"), F.col("decision_epoch").alias("epoch"),
    )  # fmt: skip


def _aligned(found: DataFrame, shifted: DataFrame) -> DataFrame:
    """Return markers, each with aligned_ms: when it was written by the clock that decisions go by."""
    rows = found.join(F.broadcast(shifted), ["log_no", "marker_leader_epoch"], "left")
    return rows.withColumn("aligned_ms", F.col("marker_ms") + F.coalesce("marker_by_ms", F.lit(0)))


def doubtful_decisions(
    unsettled: DataFrame, found: DataFrame, agreed: DataFrame, timed: DataFrame, clocks: DataFrame, measured: DataFrame
) -> DataFrame:
    """Return the decisions in no pair so far that may have one of the markers in none: PRODUCER_NO, rank.

    It is of the same type and epoch, and its time is the decision's give or take what clocks may be apart. Of the older
    decisions, which may be compacted away, one may have it as well, or it may repeat one: nobody can tell. That of a
    transaction without data in this log looks as if it repeated the one before.
    """
    decisions, left = _others(unsettled, found, agreed.unionByName(timed))
    theirs = left.select(*PRODUCER_NO, F.col("marker").alias("decision"), "marker_epoch", "marker_ms")
    ours = with_margin(decisions.where("own_marker IS NULL"), clocks, measured)
    margin, shift = F.col("margin_ms"), F.coalesce("shift_ms", F.lit(0))
    last_ms = F.coalesce("completed_ms", F.col("decided_ms") + F.col("marker_bound_ms"))
    first_ms = F.col("decided_ms") + F.least(shift, F.lit(0)) - margin
    near = F.col("marker_ms").between(first_ms, last_ms + F.greatest(shift, F.lit(0)) + margin)
    of_epoch = F.coalesce(F.col("marker_epoch") == F.col("decision_epoch"), F.lit(True))
    pairs = ours.join(theirs, [*PRODUCER_NO, "decision"]).where(near & of_epoch)
    return pairs.select(*PRODUCER_NO, "rank").distinct()


def with_margin(rows: DataFrame, clocks: DataFrame, measured: DataFrame) -> DataFrame:
    """Add how the clocks stand (`clocks`), and margin_ms: how far apart those of this log and state partition may be.

    That is spread_ms where some pair of both was `measured`, otherwise at least untold_ms.
    """
    stand = clocks.select("capture", "shift_ms", "spread_ms", "untold_ms", "marker_bound_ms")
    known = measured.withColumn("known", F.lit(True))
    told = rows.join(F.broadcast(stand), "capture", "left").join(
        F.broadcast(known), ["log_no", "state_partition"], "left"
    )
    untold = F.when(F.col("known").isNull(), F.col("untold_ms"))
    return told.withColumn("margin_ms", F.greatest("spread_ms", untold)).drop("known", "spread_ms", "untold_ms")


def matched_by_time(unsettled: DataFrame, found: DataFrame, pairs: DataFrame) -> DataFrame:
    """Return these decisions with what is `told_of` the markers that they have in pairs, or nulls."""
    theirs = pairs.join(told_of(found).drop("rank"), [*PRODUCER_NO, "txn_no"])
    return unsettled.join(theirs, [*PRODUCER_NO, "rank"], "left")


def within_reach(
    told: DataFrame, txns: DataFrame, logs: DataFrame, clocks: DataFrame, measured: DataFrame
) -> DataFrame:
    """Return the decisions of which this log would show the marker: all but those from before its begin (RULES A 6).

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
