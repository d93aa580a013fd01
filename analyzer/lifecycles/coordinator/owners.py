"""Whose each producer id is, by the coordinator's records: transactional id, highest epoch, newest record."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def owners(records: DataFrame) -> DataFrame:
    """Return the highest epoch and the newest record of each producer id that a transactional id has or is given.

    A share of the records gives partial rows; `producers` puts them together.
    """
    named = records.where("transactional_id IS NOT NULL AND producer_id IS NOT NULL")
    rotated = records.where("next_producer_id >= 0").select(
        "capture", F.col("next_producer_id").alias("producer_id"), "transactional_id", "offset", "state_partition",
        F.lit(0).alias("producer_epoch"), "state", "timestamp", "ref",
    )  # fmt: skip
    rows = named.select(*rotated.columns).unionByName(rotated)
    row = F.struct("timestamp", "offset", "state", "ref", "state_partition")
    return rows.groupBy("capture", "producer_id", "transactional_id").agg(
        F.max("producer_epoch").alias("highest_epoch"), F.max_by(row, row).alias("newest")
    )


def producers(owned: DataFrame) -> DataFrame:
    """Return rows of `producers`: the transactional id, highest epoch and newest record of each producer id."""
    named = owned.groupBy("capture", "producer_id", "transactional_id").agg(
        F.max("highest_epoch").alias("highest_epoch"), F.max_by("newest", "newest").alias("newest")
    )
    return named.groupBy("capture", "producer_id").agg(
        F.max_by("transactional_id", F.struct("newest.timestamp", "newest.offset")).alias("transactional_id"),
        F.max("highest_epoch").alias("highest_epoch"),
        F.max_by("newest", "newest").alias("newest"),
        F.count("*").alias("ids"),
    )
