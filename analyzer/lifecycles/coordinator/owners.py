"""Whose each producer id is, by the coordinator's records; which two ids have, which are at their last epoch."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.transaction_states import LAST_EPOCH
from analyzer.lifecycles.coordinator.record_refs import with_ref_at
from analyzer.lifecycles.coordinator.transactions import ID, rotation


def owners(records: DataFrame) -> DataFrame:
    """Return the highest epoch and the newest record of each producer id that a transactional id has or is given.

    A share of the records gives partial rows; `producers` puts them together.
    """
    named = records.where("transactional_id IS NOT NULL AND producer_id IS NOT NULL")
    rotated = records.where("next_producer_id >= 0").select(
        "capture", F.col("next_producer_id").alias("producer_id"), "transactional_id", "offset", "state_partition",
        F.lit(0).alias("producer_epoch"), "state", "timestamp", "ref",
    )  # fmt: skip
    before = named.where(rotation()).withColumns(
        {"producer_id": F.col("previous_producer_id"), "producer_epoch": F.lit(LAST_EPOCH)}
    )
    rows = named.select(*rotated.columns).unionByName(rotated).unionByName(before.select(*rotated.columns))
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


def several_owners(known: DataFrame) -> DataFrame:
    """Return the rows of `producers` that more than one transactional id was given."""
    return known.where("ids > 1").select("capture", "producer_id", "ids")


def shared_producer_ids(shared: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `shared_producer_ids`: the two transactional ids that had it last, the newer one first."""
    theirs = records.where("transactional_id IS NOT NULL").join(shared, ["capture", "producer_id"])
    at = F.struct("timestamp", "offset", "state_partition", "ref")
    newest = theirs.groupBy("capture", "producer_id", "ids", "transactional_id").agg(F.max_by(at, at).alias("at"))
    one = F.struct("at", "transactional_id")
    two = F.reverse(F.array_sort(F.collect_list(one)))
    pairs = newest.groupBy("capture", "producer_id", "ids").agg(two.alias("two")).where(F.size("two") > 1)
    mine, other = F.col("two")[0], F.col("two")[1]
    return pairs.select(
        "capture", "producer_id", mine["transactional_id"].alias("transactional_id"), "ids",
        other["transactional_id"].alias("other_id"), mine["at"]["state_partition"].alias("state_partition"),
        mine["at"]["ref"].alias("ref"), other["at"]["ref"].alias("other_ref"),
        other["at"]["state_partition"].alias("other_state_partition"),
    )  # fmt: skip


def exhausted_ids(txns: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `exhausted_ids`: newest transaction of its id, Ongoing, with a timeout, at the last epoch."""
    ends = records.groupBy(*ID).agg(F.max("offset").alias("newest_offset"))
    last = txns.where((F.col("state") == "Ongoing") & (F.col("decision_epoch") == LAST_EPOCH))
    running = last.where("deadline_ms IS NOT NULL").join(ends, list(ID)).where("latest_at = newest_offset")
    told = with_ref_at(running, "newest_offset", records, "ref")
    return told.select("capture", "state_partition", "transactional_id", "producer_id", "deadline_ms", "ref")
