"""Pairs of markers in partitions and decisions of the coordinator (RULES A 4, D 2)."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO
from analyzer.tables.unions import union_filled


def listed_decisions(coordinator: DataFrame, registered: DataFrame, logs: DataFrame) -> DataFrame:
    """Return one row per decided coordinator transaction and copy of a log that its list names."""
    copies = logs.select(*PARTITION, "log_no")
    return (
        _decided(coordinator)
        .join(registered.drop("registered_at"), ["capture", *TXN_OF_ID])
        .join(copies, list(PARTITION))
        .drop("topic", "partition")
    )


def decisions(named: DataFrame, recovered: DataFrame, histories: DataFrame) -> DataFrame:
    """Return one row per decided coordinator transaction and copy of a log that it names, in order of decision.

    Where only the Complete record is left, and nothing of the list, the logs that hold one of the transaction's markers
    were on it: `own_marker` (marker_offset, txn_no) is that marker, null for the decisions whose list names the log.
    Logs are named by number, with their capture.
    """
    rows = union_filled(named, recovered).join(histories, ["capture", "producer_id"], "left")
    order = Window.partitionBy(*PRODUCER_NO).orderBy("decided_ms", "prepared_at", "transactional_id")
    return rows.withColumn("rank", F.row_number().over(order)).drop(
        "prepared_at", "completed_epoch", "completed_data_epoch"
    )


def histories(coordinator: DataFrame) -> DataFrame:
    """Return whether the history of each producer id is whole."""
    return coordinator.groupBy("capture", "producer_id").agg(history_whole())


def _decided(coordinator: DataFrame) -> DataFrame:
    return coordinator.where("decision IS NOT NULL").select(
        "capture", *TXN_OF_ID, "producer_id", "decision", "decided_ms", "completed_ms", "begun_ms", "next_begun_ms",
        "begin_epoch", "decision_epoch", "state", "is_last", "prepared_at", "completed_epoch", "completed_data_epoch",
    )  # fmt: skip


def history_whole() -> Column:
    """Return, for a group of coordinator transactions, whether nothing of them can have been compacted away."""
    return F.min(F.col("list_known") & F.col("whole")).alias("history_whole")


def recovered(coordinator: DataFrame, found: DataFrame, repeated: DataFrame) -> DataFrame:
    """Return the last decisions of producer ids of which the Complete record alone is left, in each log with a marker.

    A log's last marker of the producer id is theirs where type and epoch agree and its timestamp lies between decision
    and completion, or next to that by no more than clocks may be apart (RULES D 2).
    """
    alone = _decided(coordinator).where("begin_epoch IS NULL AND decided_ms < completed_ms AND is_last")
    ids = alone.select("capture", "producer_id").distinct()
    found = with_original(found.join(ids, ["capture", "producer_id"], "left_semi"), repeated)
    newest = Window.partitionBy(*PRODUCER_NO).orderBy(F.col("rank").desc())
    last = found.withColumn("turn", F.row_number().over(newest)).where("turn = 1")
    own = F.struct("marker_offset", "txn_no").alias("own_marker")
    original = found.select(*PRODUCER_NO, F.col("txn_no").alias("original_no"), own)
    theirs = last.join(original, [*PRODUCER_NO, "original_no"]).select(
        "capture", *PRODUCER_NO, "marker", "marker_ms", "marker_epoch", "own_marker"
    )
    inside = F.col("marker_ms").between(F.col("decided_ms") - SKEW_MS, F.col("completed_ms") + SKEW_MS) & (
        F.col("marker") == F.col("decision")
    )
    pairs = alone.join(theirs, ["capture", "producer_id"]).where(
        inside & (F.col("marker_epoch") == F.col("completed_epoch"))
    )
    return pairs.withColumns({
        "begin_epoch": F.col("completed_data_epoch").cast("int"), "decision_epoch": F.col("completed_epoch").cast("int")
    }).drop("marker", "marker_ms", "marker_epoch")  # fmt: skip


def markers(txns: DataFrame) -> DataFrame:
    """Return the markers of each producer id in each log, with their rank; logs are named by number.

    marked_from and marked_from_ms are offset and timestamp of the first batch that the marker ends, marked_from_epoch
    is the lowest producer epoch of its data.
    """
    return txns.where("marker_offset IS NOT NULL").select(
        "capture", *PRODUCER_NO, "txn_no", "marker_offset", "marker", "marker_ms", "marker_epoch",
        (F.col("txn_no") + 1).cast("int").alias("rank"), F.col("first_offset").alias("marked_from"),
        F.col("first_ms").alias("marked_from_ms"), F.col("producer_epoch").alias("marked_from_epoch"),
    )  # fmt: skip


def with_original(found: DataFrame, repeated: DataFrame) -> DataFrame:
    """Add to all markers of some producer ids `original_no`: the txn_no of the one that each repeats, or its own."""
    told = found.join(repeated.withColumn("again", F.lit(True)), [*PRODUCER_NO, "txn_no"], "left")
    order = Window.partitionBy(*PRODUCER_NO).orderBy("rank")
    original = F.last(F.when(F.col("again").isNull(), F.col("txn_no")), ignorenulls=True)
    up_to = order.rowsBetween(Window.unboundedPreceding, 0)
    return told.withColumn("original_no", original.over(up_to)).drop("again")


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
    type_fits = F.coalesce(F.col("marker") == F.col("decision"), F.col("decision").isNotNull() & _unknown_type())
    epoch_fits = F.coalesce(F.col("marker_epoch") == F.col("epoch"), F.lit(True))
    in_time = F.col("marker_ms").between(F.col("decided_ms"), F.coalesce("completed_ms", "marker_ms"))
    # As numbers, which Sail aggregates faster; false where unknown.
    holds = {"agree": type_fits & epoch_fits, "whole": F.col("history_whole"), "in_time": in_time}
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
    """Return the decisions of `agreeing` producer ids, each with what it `_tells` of the marker of the same rank."""
    theirs = _tells(markers(txns))
    return decided.join(agreed, list(PRODUCER_NO), "left_semi").join(theirs, [*PRODUCER_NO, "rank"])


def _tells(found: DataFrame) -> DataFrame:
    """Return what a decision tells of its marker: where and when, and from where on there is data that it ends."""
    return found.select(
        *PRODUCER_NO, "rank", "marker_offset", "txn_no", F.col("marker_ms").alias("marked_ms"), "marked_from",
        "marked_from_ms", "marked_from_epoch",
    )  # fmt: skip


def _unknown_type() -> Column:
    """Return whether a marker is there whose type was not printed (a dump without --deep-iteration)."""
    return F.col("marker_offset").isNotNull() & F.col("marker").isNull()


def matched_by_time(txns: DataFrame, decided: DataFrame, agreed: DataFrame, clocks: DataFrame) -> DataFrame:
    """Return the decisions of all other producer ids with what they tell (`_tells`) of their markers, or nulls.

    A marker belongs to the last decision before it, if the types agree, until the producer id's next transaction begins
    and, if it was completed, until then, give or take what clocks may be apart. Decisions are shifted by
    `clocks.shift_ms`, the offset between the clocks as the order-matched pairs show it. Of several markers of one the
    first counts (a restarted coordinator writes them again). One that is known by its marker alone has that one.
    """
    unsettled = decided.join(agreed, list(PRODUCER_NO), "left_anti")
    by_marker = unsettled.where("own_marker IS NOT NULL").select(
        *PRODUCER_NO, "rank", F.col("own_marker.txn_no").alias("txn_no"),
        F.col("own_marker.marker_offset").alias("marker_offset"),
    )  # fmt: skip
    unpaired = markers(txns).join(agreed, list(PRODUCER_NO), "left_anti")
    late = unpaired.join(by_marker, [*PRODUCER_NO, "marker_offset"], "left_anti")
    open_decisions = unsettled.where("own_marker IS NULL").join(clocks, "capture", "left")
    shift = F.coalesce("shift_ms", F.lit(0))
    done_ms = F.col("completed_ms") + F.coalesce("spread_ms", F.lit(SKEW_MS))
    until_ms = F.least("next_begun_ms", done_ms) + shift
    decision = F.struct("rank", "decision", until_ms.alias("until_ms"))
    made = open_decisions.select(
        *PRODUCER_NO, (F.col("decided_ms") + shift).alias("at_ms"), F.lit(0).alias("kind"), F.col("rank").alias("turn"),
        decision.alias("candidate"),
    )  # fmt: skip
    written = late.select(
        *PRODUCER_NO, F.col("marker_ms").alias("at_ms"), F.lit(1).alias("kind"), F.col("rank").alias("turn"),
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
        .select(*PRODUCER_NO, "rank", "txn_no")
        .join(_tells(unpaired).drop("rank"), [*PRODUCER_NO, "txn_no"])
    )
    return unsettled.join(theirs, [*PRODUCER_NO, "rank"], "left")


def clocks(in_order: DataFrame, logs: DataFrame, config: VerdictsConfig) -> DataFrame:
    """Return per capture how its clocks stand, measured on the decisions that were `matched_by_order`.

    A marker is written after its decision and before its completion: these bound how far a partition's clock is ahead
    of the coordinator's. shift_ms: how far decisions must move so that markers follow their own, 0 where nothing says
    that they must. behind_ms: how far a partition's clock may be behind. spread_ms: how far
    clocks may be apart, 0 where one broker wrote everything, 2,000 where nothing tells. marker_bound_ms: longer
    than any marker should take: a multiple of the 95th percentile of the capture's own latencies, within bounds.
    """
    lags = in_order.select(
        "capture", "log_no", "state_partition", (F.col("marked_ms") - F.col("decided_ms")).alias("lag_ms"),
        (F.col("marked_ms") - F.col("completed_ms")).alias("done_ms"),
    )  # fmt: skip
    of_copies = lags.groupBy("log_no", "state_partition").agg(F.min("lag_ms").alias("lag_ms"))
    placed = of_copies.join(logs.select(*PARTITION, "log_no"), "log_no")
    fastest = placed.groupBy(*PARTITION, "state_partition").agg(F.min("lag_ms").alias("lag_ms"))
    spread = fastest.groupBy("capture").agg((F.max("lag_ms") - F.min("lag_ms")).alias("measured_ms"))
    latency = (
        _latency(lags)
        .groupBy("capture")
        .agg(
            F.min(F.when(F.col("up_to") * 100 >= F.col("pairs") * 95, F.col("lag_ms"))).alias("latency_ms"),
            F.max("done_ms").alias("least_ms"),
            F.min("lag_ms").alias("most_ms"),
        )
    )
    one_clock = (F.col("least_ms") <= F.col("most_ms")) & ((F.col("least_ms") > 0) | (F.col("most_ms") < 0))
    shift = F.when(one_clock, F.col("least_ms")).otherwise(F.least("most_ms", F.lit(0)))
    untold = F.when(F.col("brokers") == 1, 0).otherwise(SKEW_MS)
    behind = F.coalesce(F.greatest(-F.col("least_ms"), F.lit(0)), untold)
    brokers = logs.groupBy("capture").agg(F.countDistinct("replica").alias("brokers"))
    shortest, longest = F.lit(config.marker_delivery_min_ms), F.lit(config.marker_delivery_max_ms)
    bound = F.least(F.greatest(F.col("latency_ms") * config.marker_delivery_factor, shortest), longest)
    return (
        brokers.join(spread, "capture", "left")
        .join(latency, "capture", "left")
        .select(
            "capture",
            F.coalesce(shift, F.lit(0)).alias("shift_ms"),
            behind.alias("behind_ms"),
            F.coalesce(F.when(F.col("brokers") > 1, F.col("measured_ms")), untold).alias("spread_ms"),
            F.coalesce(bound, longest).alias("marker_bound_ms"),
        )
    )


def _latency(pairs: DataFrame) -> DataFrame:
    """Return each lag_ms of a capture once, with the pairs that it has, those up to it, and the largest done_ms."""
    lags = pairs.groupBy("capture", "lag_ms").agg(F.count("lag_ms").alias("here"), F.max("done_ms").alias("done_ms"))
    whole = Window.partitionBy("capture")
    rising = whole.orderBy("lag_ms").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return lags.withColumns({"pairs": F.sum("here").over(whole), "up_to": F.sum("here").over(rising)})
