"""Producer ids whose markers and decisions agree one by one, in all of a log or under one epoch (RULES A 4)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.pairing.decided import markers, told_of, type_fits, without_repeats
from analyzer.lifecycles.placing import PRODUCER_NO

OF_EPOCH = (*PRODUCER_NO, "epoch")
"""What names the markers, or the decisions, of a producer id in one log under one epoch."""


def agreeing(txns: DataFrame, repeated: DataFrame, decided: DataFrame) -> DataFrame:
    """Return the producer ids in each log whose markers and decisions agree in count, types and epochs, rank by rank.

    A marker carries the epoch of its Prepare record (`TransactionMarkerChannelManager.addTxnMarkersToSend`). Where a
    marker is repeated or decisions may be compacted away, one too many and one missing would shift all pairs between:
    then each marker must also lie between its decision and its completion.
    """
    ours = decided.select(
        *PRODUCER_NO, "rank", "decision", "decided_ms", "completed_ms", "history_whole",
        F.col("decision_epoch").alias("epoch"),
    )  # fmt: skip
    pairs = markers(txns).join(ours, [*PRODUCER_NO, "rank"], "full")
    epoch_fits = F.coalesce(F.col("marker_epoch") == F.col("epoch"), F.lit(True))
    in_time = F.col("marker_ms").between(F.col("decided_ms"), F.coalesce("completed_ms", "marker_ms"))
    # As numbers, which Sail aggregates faster; false where unknown.
    holds = {"agree": type_fits() & epoch_fits, "whole": F.col("history_whole"), "in_time": in_time}
    every = [F.min(F.when(condition, 1).otherwise(0)).alias(name) for name, condition in holds.items()]
    repeats = repeated.select(*PRODUCER_NO, F.lit(True).alias("repeats")).distinct()
    return (
        pairs.groupBy(*PRODUCER_NO)
        .agg(*every)
        .where("agree = 1")
        .join(repeats, list(PRODUCER_NO), "left")
        .where("in_time = 1 OR (whole = 1 AND repeats IS NULL)")
        .select(*PRODUCER_NO)
    )


def matched_by_order(txns: DataFrame, decided: DataFrame, agreed: DataFrame) -> DataFrame:
    """Return the decisions of `agreeing` producer ids, with what is `told_of` the markers of the same ranks."""
    theirs = told_of(markers(txns))
    return decided.join(agreed, list(PRODUCER_NO), "left_semi").join(theirs, [*PRODUCER_NO, "rank"])


def unsettled_decisions(decided: DataFrame, agreed: DataFrame) -> DataFrame:
    """Return the decisions of the producer ids that are not `agreeing`."""
    return decided.join(agreed, list(PRODUCER_NO), "left_anti")


def unsettled_markers(unsettled: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the markers of the producer ids in each log that have `unsettled_decisions`."""
    return markers(txns).join(unsettled.select(*PRODUCER_NO).distinct(), list(PRODUCER_NO), "left_semi")


def agreeing_epochs(unsettled: DataFrame, found: DataFrame, repeated: DataFrame) -> DataFrame:
    """Return the pairs of `unsettled_decisions` and markers that agree in count and types under one producer epoch.

    PRODUCER_NO, rank, txn_no. No epoch of a producer id comes back, so that what is missing, or one too many, under one
    shifts no pair of another. Nothing of its history may be compacted away; markers that repeat one do not count.
    """
    once = without_repeats(found, repeated).withColumnRenamed("marker_epoch", "epoch")
    theirs = _in_turn(once, "txn_no").select(*OF_EPOCH, "turn", "txn_no", "marker", "marker_offset")
    decided = unsettled.withColumnRenamed("decision_epoch", "epoch")
    ours = _in_turn(decided, "rank").select(*OF_EPOCH, "turn", "rank", "decision", "history_whole")
    fits = F.when(type_fits() & F.col("history_whole"), 1).otherwise(0)
    pairs = theirs.join(ours, [*OF_EPOCH, "turn"], "full")
    agreed = pairs.withColumn("agree", F.min(fits).over(Window.partitionBy(*OF_EPOCH)))
    return agreed.where("agree = 1").select(*PRODUCER_NO, "rank", "txn_no")


def _in_turn(rows: DataFrame, order: str) -> DataFrame:
    turn = F.row_number().over(Window.partitionBy(*OF_EPOCH).orderBy(order))
    return rows.where("epoch IS NOT NULL").withColumn("turn", turn)


def matched_by_epoch(pairs: DataFrame, unsettled: DataFrame, found: DataFrame) -> DataFrame:
    """Return the decisions of `agreeing_epochs`, with what is `told_of` their markers."""
    theirs = pairs.join(told_of(found).drop("rank"), [*PRODUCER_NO, "txn_no"])
    return unsettled.join(theirs, [*PRODUCER_NO, "rank"])
