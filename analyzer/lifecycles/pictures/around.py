"""What surrounds a finding: transactions of its partition and of its id, coordinator states, leader epochs."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.placing import LOG

PLACE = ("capture", "topic", "partition")
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
    around = targets.select(*PLACE, "target", F.col("producer_id").alias("whose"))
    starts = F.coalesce("first_offset", "marker_offset")
    near = with_few(txns, around, PLACE).where(
        (F.abs(starts - F.col("target")) <= NEAR_OFFSETS)
        | F.col("target").between(F.col("first_offset"), F.col("last_offset"))
    )
    own = F.col("producer_id").eqNullSafe(F.col("whose"))
    ranked = near.withColumn("own", own).withColumn(
        "turn", _turn([*LOG, "target", "own"], F.abs(starts - F.col("target")), "producer_id", "txn_no")
    )
    most = F.when(F.col("own"), F.lit(OWN)).otherwise(F.lit(OTHERS))
    return ranked.where(F.col("turn") <= most).select(*LOG, *BAR)


def bars_elsewhere(targets: DataFrame, txns: DataFrame, registrations: DataFrame) -> DataFrame:
    """Return the transactions of each target's id in the other partitions that its coordinator registered."""
    asked = targets.where("transactional_id IS NOT NULL AND at_ms IS NOT NULL")
    ids = F.broadcast(asked.select("capture", "transactional_id", "producer_id", "at_ms").distinct())
    places = registrations.select(*PLACE, "transactional_id").distinct().join(ids, ["capture", "transactional_id"])
    away = F.abs(F.col("first_ms") - F.col("at_ms"))
    near = with_few(txns, places, [*PLACE, "producer_id"]).where(away <= NEAR_MS)
    turn = _turn(["capture", "transactional_id", "producer_id", "at_ms"], away, "topic", "partition", "replica")
    return near.withColumn("turn", turn).where(F.col("turn") <= ELSEWHERE).select(*LOG, *BAR)


def states(targets: DataFrame, records: DataFrame) -> DataFrame:
    """Return the coordinator's records of each target's id around its time; its newest ones where that is unknown."""
    asked = targets.where("transactional_id IS NOT NULL").groupBy("capture", "transactional_id")
    ids = asked.agg(F.min("at_ms").alias("at_ms"))
    away = F.coalesce(F.abs(F.col("timestamp") - F.col("at_ms")), -F.col("timestamp"))
    turn = _turn(["capture", "transactional_id", "later"], away, F.desc("offset"))
    later = F.coalesce(F.col("timestamp") >= F.col("at_ms"), F.lit(False)).alias("later")
    near = with_few(records, ids, ["capture", "transactional_id"]).select("*", later).withColumn("turn", turn)
    return near.where(F.col("turn") <= STATES).select(
        "capture", "transactional_id", "state_partition", "offset", "timestamp", "tombstone", "state", "producer_id",
        "producer_epoch", "partitions",
    )  # fmt: skip


def epoch_starts(targets: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return where the leader epochs next to each target start, in every replica."""
    around = F.broadcast(targets.select(*PLACE, "target").distinct())
    turn = _turn([*LOG, "target"], F.abs(F.col("start_offset") - F.col("target")), "epoch")
    near = epochs.join(around, list(PLACE)).withColumn("turn", turn)
    return near.where(F.col("turn") <= EPOCHS).select(*LOG, "epoch", "start_offset")


def _turn(keys: list[str], *order: Column | str) -> Column:
    return F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
