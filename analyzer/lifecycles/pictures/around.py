"""What surrounds a finding: batches, transactions of its partition and of its id, coordinator states, leader epochs."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

BEFORE, AFTER = 60, 90
"""Batches are taken up to how many offsets before and after a target; a report draws what fits."""
OWN, OTHERS, ELSEWHERE, STATES, EPOCHS = 6, 8, 12, 8, 4
"""Rows taken for each finding: transactions of its producer, of others, of its id elsewhere, states, leader epochs.

States are taken before and after it.
"""
NEAR_OFFSETS, NEAR_MS = 2_000, 3_600_000
"""How far from a finding its neighbours are looked for."""

BAR = (
    "producer_id", "producer_epoch", "first_offset", "last_offset", "records", "bytes",
    "first_ms", "last_ms", "marker", "marker_offset", "marker_ms",
)  # fmt: skip
"""What a picture shows of a partition's transaction."""


def neighbours(targets: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches near each target (capture, topic, partition, first_offset), of every replica."""
    around = targets.withColumnRenamed("first_offset", "target")
    near = (F.col("last_offset") >= F.col("target") - BEFORE) & (F.col("base_offset") <= F.col("target") + AFTER)
    return with_few(batches, around, PARTITION).where(near).select(
        *LOG, "target", "base_offset", "last_offset", "producer_id", "is_control", "is_transactional", "marker"
    )  # fmt: skip


def dated(targets: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the targets (capture, topic, partition, replica, transactional_id, producer_id, target) with `at_ms`.

    That is the time of the data at the target offset; null where the log does not show it.
    """
    held = txns.select(*LOG, "producer_id", "first_offset", "last_offset", "first_ms")
    keys = [*LOG, "producer_id"]
    inside = F.col("target").between(F.col("first_offset"), F.col("last_offset"))
    found = targets.join(held, keys).where(inside).groupBy(*keys, "target").agg(F.min("first_ms").alias("at_ms"))
    return targets.join(found, [*keys, "target"], "left")


def bars(targets: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the transactions next to each target, of every replica: its producer's, and other producers'."""
    around = targets.select(*PARTITION, "target", F.col("producer_id").alias("whose"))
    away = F.abs(F.coalesce("first_offset", "marker_offset") - F.col("target"))
    inside = F.col("target").between(F.col("first_offset"), F.col("last_offset"))
    near = with_few(txns, around, PARTITION).where((away <= NEAR_OFFSETS) | inside)
    ranked = first_of_each(
        near.withColumn("own", F.col("producer_id").eqNullSafe(F.col("whose"))),
        (*LOG, "target", "own"), (away, "producer_id", "txn_no"), max(OWN, OTHERS),
    )  # fmt: skip
    most = F.when(F.col("own"), F.lit(OWN)).otherwise(F.lit(OTHERS))
    return ranked.where(F.col("turn") <= most).select(*LOG, *BAR)


def bars_elsewhere(targets: DataFrame, txns: DataFrame, registrations: DataFrame) -> DataFrame:
    """Return the transactions of each target's id in the other partitions that its coordinator registered."""
    asked = targets.where("transactional_id IS NOT NULL AND at_ms IS NOT NULL")
    ids = F.broadcast(asked.select("capture", "transactional_id", "producer_id", "at_ms").distinct())
    places = registrations.select(*PARTITION, "transactional_id").distinct().join(ids, ["capture", "transactional_id"])
    away = F.abs(F.col("first_ms") - F.col("at_ms"))
    near = with_few(txns, places, [*PARTITION, "producer_id"]).where(away <= NEAR_MS)
    of_id = ("capture", "transactional_id", "producer_id", "at_ms")
    return first_of_each(near, of_id, (away, "topic", "partition", "replica"), ELSEWHERE).select(*LOG, *BAR)


def states(targets: DataFrame, records: DataFrame) -> DataFrame:
    """Return the coordinator's records of each target's id around its time; its newest ones where that is unknown."""
    asked = targets.where("transactional_id IS NOT NULL").groupBy("capture", "transactional_id")
    ids = asked.agg(F.min("at_ms").alias("at_ms"))
    away = F.coalesce(F.abs(F.col("timestamp") - F.col("at_ms")), -F.col("timestamp"))
    later = F.coalesce(F.col("timestamp") >= F.col("at_ms"), F.lit(False)).alias("later")
    near = with_few(records, ids, ["capture", "transactional_id"]).select("*", later)
    return first_of_each(near, ("capture", "transactional_id", "later"), (away, F.desc("offset")), STATES).select(
        "capture", "transactional_id", "state_partition", "offset", "timestamp", "tombstone", "state", "producer_id",
        "producer_epoch", "partitions",
    )  # fmt: skip


def epoch_starts(targets: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return where the leader epochs next to each target start, in every replica."""
    near = epochs.join(F.broadcast(targets.select(*PARTITION, "target").distinct()), list(PARTITION))
    away = F.abs(F.col("start_offset") - F.col("target"))
    return first_of_each(near, (*LOG, "target"), (away, "epoch"), EPOCHS).select(*LOG, "epoch", "start_offset")
