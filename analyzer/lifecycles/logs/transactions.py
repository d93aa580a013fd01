"""The transactions of each producer id in a log: their data, and the marker that ends each (RULES A 2)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.placing import PRODUCER_NO, ref, with_log
from analyzer.tables.unions import union_filled


def transaction_events(batches: DataFrame) -> DataFrame:
    """Return the batches that open, extend or end transactions.

    An empty data batch opens a transaction; a control batch that the cleaner emptied ends none. Batches of KRaft's own
    control records have no producer id and are left out. The `batch_ref` of a marker is its record's line, if known.
    """
    transactional = batches.where("is_transactional AND producer_id >= 0")
    return transactional.where(~F.col("is_control") | (F.coalesce("count", F.lit(1)) > 0)).select(
        *PRODUCER_NO, "segment", "position", "base_offset", "last_offset", "count", "size", "producer_epoch",
        "base_sequence", "max_timestamp", "is_control", "marker", "coordinator_epoch", "partition_leader_epoch",
        "delete_horizon_ms",
        F.coalesce(F.when(F.col("is_control"), F.col("marker_ref")), "batch_ref").alias("batch_ref"),
    )  # fmt: skip


def carried_in(producer_states: DataFrame, logs: DataFrame) -> DataFrame:
    """Return an event for each transaction that began before the log's first batch, by the oldest snapshot.

    `producer_states` are placed; `logs` have a first_offset, null for a log without batches.
    """
    oldest = Window.partitionBy("log_no")
    snapshots = producer_states.withColumn("oldest", F.min("snapshot_offset").over(oldest))
    known = snapshots.where("snapshot_offset = oldest AND current_txn_first_offset IS NOT NULL")
    bounds = logs.select("log_no", "first_offset")
    before = known.join(bounds, "log_no").where("current_txn_first_offset < first_offset")
    return before.select(
        *PRODUCER_NO,
        F.col("current_txn_first_offset").alias("base_offset"),
        F.least("last_offset", F.col("first_offset") - 1).alias("last_offset"),
        "producer_epoch",
        F.lit(False).alias("is_control"),
        ref().alias("batch_ref"),
    )


def all_events(batches: DataFrame, carried: DataFrame) -> DataFrame:
    """Return every event of a log's transactions: see `transaction_events`; `carried` is what `carried_in` returns."""
    return union_filled(transaction_events(batches), carried)


def partition_txns(events: DataFrame, names: DataFrame) -> DataFrame:
    """Return rows of `partition_txns`, one per transaction of a producer id in a log, in the log view (RULES A 2).

    A transaction opens at the first transactional data batch while none is open. The next marker of that producer id
    ends it, whatever the marker's epoch (KIP-98). A marker with nothing open is a row without first_offset; a
    transaction that the log leaves open is a row without marker_offset. `names` maps log_no to the log's key. Where
    batches stand is left out, see `lines.py`.
    """
    in_order = Window.partitionBy(*PRODUCER_NO).orderBy("base_offset", "segment", "position")
    closed_before = F.sum(F.col("is_control").cast("int")).over(in_order.rowsBetween(Window.unboundedPreceding, -1))
    numbered = events.drop("batch_ref", "base_sequence").withColumn("txn_no", F.coalesce(closed_before, F.lit(0)))
    of_marker = [F.max(F.when(F.col("is_control"), F.col(name))).alias(to) for name, to in MARKER.items()]
    return with_log(numbered.groupBy(*PRODUCER_NO, "txn_no").agg(*_of_data(), *of_marker), names)


def with_marker_before(rows: DataFrame, txns: DataFrame) -> DataFrame:
    """Add to a few transactions previous_marker and previous_marker_offset, of the producer id's marker before each."""
    before = txns.select(
        *PRODUCER_NO, (F.col("txn_no") + 1).alias("txn_no"), F.col("marker_offset").alias("previous_marker_offset"),
        F.col("marker").alias("previous_marker"),
    )  # fmt: skip
    return rows.join(before, [*PRODUCER_NO, "txn_no"], "left")


def repeated_markers(txns: DataFrame) -> DataFrame:
    """Return PRODUCER_NO and txn_no of each marker that repeats the one before: same type and epoch, nothing open.

    A coordinator that restarted, or missed the answer, writes markers again; so does an aborted transaction without
    data.
    """
    marked = txns.where("marker_offset IS NOT NULL")
    before = marked.select(*PRODUCER_NO, (F.col("txn_no") + 1).alias("txn_no"), "marker", "marker_epoch")
    bare = marked.where("first_offset IS NULL").select(*PRODUCER_NO, "txn_no", "marker", "marker_epoch")
    return bare.join(before, [*PRODUCER_NO, "txn_no", "marker", "marker_epoch"]).select(*PRODUCER_NO, "txn_no")


MARKER = {
    "base_offset": "marker_offset",
    "marker": "marker",
    "producer_epoch": "marker_epoch",
    "coordinator_epoch": "marker_coordinator_epoch",
    "partition_leader_epoch": "marker_leader_epoch",
    "max_timestamp": "marker_ms",
    "delete_horizon_ms": "marker_horizon_ms",
}
"""What a transaction keeps of its marker, by the names that the marker's batch has."""


def _of_data() -> list[Column]:
    def data(name: str) -> Column:
        return F.when(~F.col("is_control"), F.col(name))

    return [
        F.min(data("base_offset")).alias("first_offset"),
        F.max(data("base_offset")).alias("last_batch_offset"),
        F.min_by("max_timestamp", data("base_offset")).alias("first_ms"),
        F.max_by("max_timestamp", data("base_offset")).alias("last_ms"),
        F.max(data("last_offset")).alias("last_offset"),
        F.count(data("base_offset")).alias("batches"),
        F.sum(data("count")).alias("records"),
        F.sum(data("size")).alias("bytes"),
        F.min(data("producer_epoch")).alias("producer_epoch"),
        F.max(data("producer_epoch")).alias("highest_data_epoch"),
        F.max(data("partition_leader_epoch")).alias("last_leader_epoch"),
    ]
