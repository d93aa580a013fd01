"""Both sides of a pair: the decisions of the coordinator and the markers in each log (RULES A 4, D 2)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO
from analyzer.tables.unions import union_filled


def listed_decisions(coordinator: DataFrame, registered: DataFrame, logs: DataFrame) -> DataFrame:
    """Return one row per decided coordinator transaction and copy of a log that its list names."""
    copies = logs.where("has_log").select(*PARTITION, "log_no")
    return (
        _decided(coordinator)
        .join(registered.drop("registered_at"), ["capture", *TXN_OF_ID])
        .join(copies, list(PARTITION))
        .drop("topic", "partition")
    )


def decisions(named: DataFrame, recovered: DataFrame, histories: DataFrame) -> DataFrame:
    """Return one row per decided coordinator transaction and copy of a log that it names, in order of decision.

    Those of one id are in the order of its records, also where a new coordinator's clock is behind the last one's.
    Where only the Complete record is left, and nothing of the list, the logs that hold one of the transaction's markers
    were on it: `own_marker` (marker_offset, txn_no) is that marker, null for the decisions whose list names the log.
    Logs are named by number, with their capture.
    """
    rows = union_filled(named, recovered).join(histories, ["capture", "producer_id"], "left")
    of_id = Window.partitionBy(*PRODUCER_NO, "state_partition", "transactional_id").orderBy("coordinator_txn")
    in_turn = F.max("decided_ms").over(of_id.rowsBetween(Window.unboundedPreceding, 0))
    order = Window.partitionBy(*PRODUCER_NO).orderBy(
        "in_turn_ms", "state_partition", "transactional_id", "coordinator_txn"
    )
    ranked = rows.withColumn("in_turn_ms", in_turn).withColumn("rank", F.row_number().over(order))
    return ranked.drop("in_turn_ms", "completed_epoch", "completed_data_epoch")


def histories(coordinator: DataFrame) -> DataFrame:
    """Return whether the history of each producer id is whole."""
    return coordinator.groupBy("capture", "producer_id").agg(history_whole())


def _decided(coordinator: DataFrame) -> DataFrame:
    return coordinator.where("decision IS NOT NULL").select(
        "capture", *TXN_OF_ID, "producer_id", "decision", "decided_ms", "completed_ms", "begun_ms", "next_begun_ms",
        "begin_epoch", "decision_epoch", "state", "is_last", "completed_epoch", "completed_data_epoch",
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
        "marker_leader_epoch", (F.col("txn_no") + 1).cast("int").alias("rank"),
        F.col("first_offset").alias("marked_from"),
        F.col("first_ms").alias("marked_from_ms"), F.col("producer_epoch").alias("marked_from_epoch"),
    )  # fmt: skip


def with_original(found: DataFrame, repeated: DataFrame) -> DataFrame:
    """Add to all markers of some producer ids `original_no`: the txn_no of the one that each repeats, or its own."""
    told = found.join(repeated.withColumn("again", F.lit(True)), [*PRODUCER_NO, "txn_no"], "left")
    order = Window.partitionBy(*PRODUCER_NO).orderBy("rank")
    original = F.last(F.when(F.col("again").isNull(), F.col("txn_no")), ignorenulls=True)
    up_to = order.rowsBetween(Window.unboundedPreceding, 0)
    return told.withColumn("original_no", original.over(up_to)).drop("again")


def without_repeats(found: DataFrame, repeated: DataFrame) -> DataFrame:
    """Return the markers that repeat none."""
    key = [*PRODUCER_NO, "txn_no"]
    return found.join(repeated.select(*key), key, "left_anti")


def told_of(found: DataFrame) -> DataFrame:
    """Return what a decision tells of its marker: where and when, and from where on there is data that it ends."""
    return found.select(
        *PRODUCER_NO, "rank", "marker_offset", "txn_no", F.col("marker_ms").alias("marked_ms"), "marked_from",
        "marked_from_ms", "marked_from_epoch",
    )  # fmt: skip


def type_fits() -> Column:
    """Return whether a marker is of the type of its decision; a dump without --deep-iteration does not print it."""
    untold = F.col("decision").isNotNull() & F.col("marker_offset").isNotNull() & F.col("marker").isNull()
    return F.coalesce(F.col("marker") == F.col("decision"), untold)
