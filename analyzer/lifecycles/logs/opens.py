"""The transactions open in the broker view: what the live broker believes, with their data as the log shows it."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.logs.transactions import with_marker_before
from analyzer.lifecycles.placing import LOG, PRODUCER_NO, ref
from analyzer.stages.few import with_few
from analyzer.tables.unions import union_filled

CARRIED = ("snapshot_ref", "snapshot_last_offset", "snapshot_epoch", "snapshot_ms", "snapshot_coordinator_epoch")
"""What a snapshot says of a transaction that it carries."""

DATA = (
    "txn_no", "last_offset", "batches", "records", "bytes", "last_batch_offset", "producer_epoch",
    "highest_data_epoch", "last_leader_epoch",
)  # fmt: skip
"""What the log view says of the data of an open transaction, beside its first offset."""


def carried_on(producer_states: DataFrame, logs: DataFrame) -> DataFrame:
    """Return an event for each open transaction that the newest snapshot at or below the log end knows."""
    newest = logs.select("log_no", "snapshot_offset")
    states = producer_states.join(newest, ["log_no", "snapshot_offset"]).where("current_txn_first_offset IS NOT NULL")
    return states.select(
        *PRODUCER_NO,
        F.col("current_txn_first_offset").alias("base_offset"),
        F.lit(False).alias("is_control"),
        (F.col("snapshot_offset") - 1).alias("order"),
        ref().alias("snapshot_ref"),
        F.col("last_offset").alias("snapshot_last_offset"),
        F.col("producer_epoch").alias("snapshot_epoch"),
        F.col("timestamp").alias("snapshot_ms"),
        F.when(F.col("coordinator_epoch") >= 0, F.col("coordinator_epoch")).alias("snapshot_coordinator_epoch"),
    )


def maybe_open(carried: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the producer ids that a snapshot carries, or whose last transaction has no marker in the log view."""
    unended = txns.where("marker_offset IS NULL").select(*PRODUCER_NO)
    return carried.select(*PRODUCER_NO).unionByName(unended).distinct()


def broker_opens(asked: DataFrame, events: DataFrame, carried: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the transactions open in the broker view: the newest snapshot at or below the log end, then batches.

    Only the producer ids `asked` about. Key: the log's number and producer_id; columns broker_first_offset, and, from
    the snapshot that carries it, those of CARRIED. A log without a snapshot is judged from all its batches. This is
    what the live broker believes (`ProducerStateManager`).
    """
    after = with_few(events, asked, PRODUCER_NO).join(logs.select("log_no", "snapshot_offset"), "log_no")
    later = after.where("snapshot_offset IS NULL OR base_offset >= snapshot_offset")
    later = later.select(*PRODUCER_NO, "base_offset", "is_control", F.col("base_offset").alias("order"))
    order = Window.partitionBy(*PRODUCER_NO).orderBy("order").rowsBetween(Window.unboundedPreceding, -1)
    span = F.coalesce(F.sum(F.col("is_control").cast("int")).over(order), F.lit(0))
    numbered = union_filled(later, carried).withColumn("span", span)
    spans = numbered.groupBy(*PRODUCER_NO, "span").agg(
        F.min(F.when(~F.col("is_control"), F.col("base_offset"))).alias("broker_first_offset"),
        F.max("is_control").alias("closed"),
        *[F.max(name).alias(name) for name in CARRIED],
    )
    return spans.where("NOT closed AND broker_first_offset IS NOT NULL").drop("span", "closed")


def open_transactions(opens: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the transactions open in the broker view, with their data as the log view has it.

    Columns of the data are null where the log no longer holds any (only a snapshot remembers it). What lies before the
    offset from which the broker has it open is another transaction's, whose marker is not here: where the log view has
    both in one, the epoch is the broker's.
    """
    first = F.col("first_offset").alias("data_first_offset")
    data = txns.where("marker_offset IS NULL").select(*PRODUCER_NO, first, *DATA)
    told = opens.join(data, list(PRODUCER_NO), "left")
    own = F.col("last_offset") >= F.col("broker_first_offset")
    both = F.col("data_first_offset") < F.col("broker_first_offset")
    epoch = F.when(both, F.coalesce("snapshot_epoch", "highest_data_epoch")).otherwise(F.col("producer_epoch"))
    epoched = told.withColumn("producer_epoch", epoch)
    with_data = epoched.withColumns({name: F.when(own, F.col(name)) for name in ("data_first_offset", *DATA)})
    judged = logs.select(
        *LOG, "log_no", "authority", "tied", "log_start_offset", "log_end_offset", "log_epoch",
        "cleaner_checkpoint", "reaches_ms", "snapshot_offset", "has_log",
    )  # fmt: skip
    return (
        with_marker_before(with_data, txns)
        .join(judged, "log_no")
        .withColumn("first_offset", F.col("broker_first_offset"))
        .drop("broker_first_offset")
    )
