"""The transactions of each producer id in a log: their data, and the marker that ends each (RULES A 2)."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG, PRODUCER, ref


def transaction_events(batches: DataFrame) -> DataFrame:
    """Return the batches that open, extend or end transactions.

    An empty data batch opens a transaction; a control batch that the cleaner emptied ends none. Batches of KRaft's own
    control records have no producer id and are left out.
    """
    transactional = batches.where("is_transactional AND producer_id >= 0")
    return transactional.where(~F.col("is_control") | (F.coalesce("count", F.lit(1)) > 0)).select(
        *PRODUCER, "base_offset", "last_offset", "count", "size", "producer_epoch", "base_sequence", "last_sequence",
        "max_timestamp", "timestamp_type", "is_control", "marker", "coordinator_epoch", "partition_leader_epoch",
        "crc_valid", "delete_horizon_ms", "batch_ref", "marker_ref",
    )  # fmt: skip


def carried_in(producer_states: DataFrame, first_offsets: DataFrame) -> DataFrame:
    """Return an event for each transaction that began before the log's first batch, by the oldest snapshot.

    `producer_states` are placed; `first_offsets` has the log's key and first_offset, null for a log without batches.
    """
    oldest = Window.partitionBy(*LOG)
    snapshots = producer_states.withColumn("oldest", F.min("snapshot_offset").over(oldest))
    known = snapshots.where("snapshot_offset = oldest AND current_txn_first_offset IS NOT NULL")
    before = known.join(first_offsets, list(LOG)).where("current_txn_first_offset < first_offset")
    return before.select(
        *PRODUCER,
        F.col("current_txn_first_offset").alias("base_offset"),
        F.least("last_offset", F.col("first_offset") - 1).alias("last_offset"),
        "producer_epoch",
        F.lit(False).alias("is_control"),
        ref().alias("batch_ref"),
    )


def partition_txns(events: DataFrame) -> DataFrame:
    """Return rows of `partition_txns`, one per transaction of a producer id in a log, in the log view (RULES A 2).

    A transaction opens at the first transactional data batch while none is open. The next marker of that producer id
    ends it, whatever the marker's epoch (KIP-98). A marker with nothing open is a row without first_offset; a
    transaction that the log leaves open is a row without marker_offset.
    """
    order = Window.partitionBy(*PRODUCER).orderBy("base_offset").rowsBetween(Window.unboundedPreceding, -1)
    closed_before = F.coalesce(F.sum(F.col("is_control").cast("int")).over(order), F.lit(0))
    txns = events.withColumn("txn_no", closed_before).groupBy(*PRODUCER, "txn_no").agg(*_columns())
    neighbours = Window.partitionBy(*PRODUCER).orderBy("txn_no")
    return txns.withColumn("previous_marker_offset", F.lag("marker_offset").over(neighbours)).withColumn(
        "previous_marker", F.lag("marker").over(neighbours)
    )


def _columns() -> list[Column]:
    data, control = ~F.col("is_control"), F.col("is_control")

    def of_data(name: str) -> Column:
        return F.when(data, F.col(name))

    def of_marker(name: str) -> Column:
        return F.max(F.when(control, F.col(name)))

    first = F.when(data, F.struct("base_offset", "batch_ref", "producer_epoch", "max_timestamp", "base_sequence"))
    last = F.when(data, F.struct("base_offset", "batch_ref", "max_timestamp", "last_sequence"))
    return [
        F.min(of_data("base_offset")).alias("first_offset"),
        F.max(of_data("last_offset")).alias("last_offset"),
        F.count(of_data("base_offset")).alias("batches"),
        F.sum(of_data("count")).alias("records"),
        F.sum(of_data("size")).alias("bytes"),
        F.min(first).alias("first_batch"),
        F.max(last).alias("last_batch"),
        F.min(of_data("producer_epoch")).alias("producer_epoch"),
        F.max(of_data("producer_epoch")).alias("highest_data_epoch"),
        F.min(of_data("partition_leader_epoch")).alias("first_leader_epoch"),
        F.max(of_data("partition_leader_epoch")).alias("last_leader_epoch"),
        F.max(F.when(control, F.col("base_offset"))).alias("marker_offset"),
        of_marker("marker").alias("marker"),
        of_marker("producer_epoch").alias("marker_epoch"),
        of_marker("coordinator_epoch").alias("marker_coordinator_epoch"),
        of_marker("partition_leader_epoch").alias("marker_leader_epoch"),
        of_marker("max_timestamp").alias("marker_ms"),
        of_marker("crc_valid").alias("marker_crc_valid"),
        of_marker("delete_horizon_ms").alias("marker_horizon_ms"),
        F.max(F.when(control, F.coalesce("marker_ref", "batch_ref"))).alias("marker_ref"),
    ]
