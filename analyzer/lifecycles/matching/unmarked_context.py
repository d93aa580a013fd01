"""What tells one cause of unmarked data from another: leader epochs, snapshots, other copies (RULES A 6 b to d)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.matching.unmarked import SPAN
from analyzer.lifecycles.placing import LOG, PRODUCER, ref


def with_context(
    rows: DataFrame, epochs: DataFrame, snapshots: DataFrame, logs: DataFrame, opens: DataFrame, witnesses: DataFrame
) -> DataFrame:
    """Add what tells one cause from another (RULES A 6 b to d).

    later_epoch (epoch, offset, ref): the first leader epoch that begins above the data, before what closed it.
    snapshot_ref: a producer snapshot says that this data is ended, the newest one or one before the closing marker.
    broker_open: the broker view has it open.
    witness (capture, replica, offset, leader_epoch, ref): another copy of the same data with its marker, in another
    replica or another capture of the same log.
    """
    return (
        _with_epoch(rows, epochs)
        .join(_closed_by_snapshot(rows, snapshots, logs), [*SPAN, "first_offset"], "left")
        .join(opens.select(*PRODUCER, F.lit(True).alias("is_open")), list(PRODUCER), "left")
        .withColumn("broker_open", F.coalesce("is_open", F.lit(False)))
        .drop("is_open")
        .join(witnesses, [*LOG, "producer_id", "first_offset"], "left")
    )


def _with_epoch(rows: DataFrame, epochs: DataFrame) -> DataFrame:
    above = rows.select(*SPAN, "last_offset", "last_leader_epoch", "marker_offset").join(epochs, list(LOG))
    newer = above.where(
        "start_offset > last_offset AND epoch > last_leader_epoch "
        "AND (marker_offset IS NULL OR start_offset <= marker_offset)"
    )
    entry = F.struct("epoch", F.col("start_offset").alias("offset"), F.col("epoch_ref").alias("ref"))
    first = newer.groupBy(*SPAN, "last_offset").agg(F.min_by(entry, "start_offset").alias("later_epoch"))
    return rows.join(first, [*SPAN, "last_offset"], "left")


def _closed_by_snapshot(rows: DataFrame, snapshots: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the data that a later snapshot knows as ended: the newest one, or any before the closing marker."""
    wanted = rows.select(*SPAN, "first_offset", F.col("last_offset").alias("data_end"), "marker_offset").join(
        logs.select(*LOG, F.col("snapshot_offset").alias("newest")), list(LOG)
    )
    entries = snapshots.select(
        *PRODUCER, "snapshot_offset", "current_txn_first_offset", F.col("last_offset").alias("known_offset"),
        ref().alias("ref"),
    )  # fmt: skip
    in_time = F.when(F.col("marker_offset").isNull(), F.col("snapshot_offset") == F.col("newest")).otherwise(
        F.col("snapshot_offset") <= F.col("marker_offset")
    )
    ended = F.col("current_txn_first_offset").isNull() | (F.col("current_txn_first_offset") > F.col("data_end"))
    closed = wanted.join(entries, list(PRODUCER)).where(in_time & ended & F.expr(
        "snapshot_offset > data_end AND known_offset >= data_end"
    ))  # fmt: skip
    return closed.groupBy(*SPAN, "first_offset").agg(
        F.min_by("ref", F.struct(-F.col("snapshot_offset"), "ref.path")).alias("snapshot_ref")
    )


def copies_elsewhere(rows: DataFrame, txns: DataFrame) -> DataFrame:
    """Return other copies of the same data, equal in offset and timestamp, that a marker closes."""
    asked = rows.select(*LOG, "producer_id", "first_offset", "last_offset", "first_copy_batch", "decision").distinct()
    others = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        "log_no", F.col("capture").alias("other_capture"), F.col("replica").alias("other_replica"), "topic",
        "partition", "producer_id", "first_offset", F.col("first_ms").alias("other_ms"),
        F.col("last_offset").alias("other_last"), "marker", "marker_offset", "marker_leader_epoch",
    )  # fmt: skip
    elsewhere = (F.col("capture") != F.col("other_capture")) | (F.col("replica") != F.col("other_replica"))
    alike = (
        (F.col("first_copy_batch.max_timestamp") == F.col("other_ms"))
        & (F.col("other_last") == F.col("last_offset"))
        & F.coalesce(F.col("marker") == F.col("decision"), F.lit(True))
    )
    return asked.join(others, ["topic", "partition", "producer_id", "first_offset"]).where(elsewhere & alike)


def witnesses(told: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the best of `copies_elsewhere` whose sequence is equal as well.

    Another capture counts only where files of both name the same cluster or topic id. `told` has other_batch and
    marker_ref, `seen` are the placed observations.
    """
    same = F.col("first_copy_batch.base_sequence").eqNullSafe(F.col("other_batch.base_sequence"))
    here = F.col("capture") == F.col("other_capture")
    ids = seen.where("observed IN ('cluster_id', 'topic_id') AND text IS NOT NULL")
    identities = ids.groupBy("capture").agg(F.collect_set("text").alias("identity"))
    theirs = identities.select(F.col("capture").alias("other_capture"), F.col("identity").alias("other_identity"))
    found = (
        told.where(same)
        .join(identities, "capture", "left")
        .join(theirs, "other_capture", "left")
        .where(here | F.coalesce(F.arrays_overlap("identity", "other_identity"), F.lit(False)))
    )
    witness = F.struct(
        F.col("other_capture").alias("capture"), F.col("other_replica").alias("replica"),
        F.col("marker_offset").alias("offset"), "marker", F.col("marker_leader_epoch").alias("leader_epoch"),
        F.when(here, F.col("marker_ref")).alias("ref"),
    )  # fmt: skip
    order = F.struct(~here, "other_capture", "other_replica")
    return found.groupBy(*LOG, "producer_id", "first_offset").agg(F.min_by(witness, order).alias("witness"))
