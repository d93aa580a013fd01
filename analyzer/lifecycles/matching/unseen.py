"""Running transactions of captures that hold the coordinator's records and no data partition at all (RULES D 6)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.coordinator.record_refs import with_ref_at
from analyzer.lifecycles.coordinator.transactions import ID, TXN_OF_ID
from analyzer.lifecycles.logs.replicas import with_data


def unseen(
    txns: DataFrame, records: DataFrame, registrations: DataFrame, logs: DataFrame, moments: DataFrame
) -> DataFrame:
    """Return rows of `unseen`, one for each partition on the list of a transaction that its id's newest record runs."""
    named = (
        newest_running(txns, records)
        .join(with_data(logs), "capture", "left_anti")
        .join(registrations.select("capture", *TXN_OF_ID, "topic", "partition"), ["capture", *TXN_OF_ID])
    )
    told = with_ref_at(named, "latest_at", records, "state_ref")
    judged = moments.select("capture", "captured_at", "state_horizon_ms")
    return told.join(judged, "capture").select(
        "capture", "topic", "partition", "transactional_id", "state_partition", "producer_id",
        F.col("decision_epoch").alias("producer_epoch"), "begun_ms", "timeout_ms", "deadline_ms",
        "state_ref", "captured_at",
        F.coalesce("state_horizon_ms", "captured_at").alias("reached_ms"),
    )  # fmt: skip


def newest_running(txns: DataFrame, records: DataFrame) -> DataFrame:
    """Return the Ongoing transactions of `coordinator_txns` whose latest record is their id's newest anywhere."""
    everywhere = Window.partitionBy("capture", "transactional_id")
    ends = records.groupBy(*ID).agg(F.max("offset").alias("latest_at"), F.max("timestamp").alias("newest_ms"))
    newest = ends.withColumn("last_ms", F.max("newest_ms").over(everywhere)).where("newest_ms = last_ms")
    return txns.where("state = 'Ongoing'").join(newest.drop("newest_ms", "last_ms"), [*ID, "latest_at"])
