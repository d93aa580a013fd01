"""Which transactional ids and producer ids have expired, or will (RULES C 13, KIP-98, KIP-854)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.settings import ID_EXPIRES_MS, PRODUCER_ID_EXPIRES_MS
from analyzer.kafka.versions import OWN_EXPIRATION
from analyzer.lifecycles.placing import LOG
from analyzer.lifecycles.producers.tables import EXPIRY
from analyzer.lifecycles.released import are_since
from analyzer.stages.combining import first_of_each

ENDED = ("Empty", "CompleteCommit", "CompleteAbort")
"""An id expires in these states only (`TransactionStateManager.enableTransactionalIdExpiration`)."""


def expiry(
    captures: DataFrame,
    records: DataFrame,
    txns: DataFrame,
    snapshots: DataFrame,
    opens: DataFrame,
    moments: DataFrame,
    expirations: DataFrame,
    limit: int,
) -> DataFrame:
    """Return rows of `expiry`, one per producer id, at most `limit` for each capture (RULES C 13).

    `snapshots` are placed `producer_states`, `expirations` those that are set dynamically. The statuses are

    - of the id: open (a transaction runs, so it does not expire), live, due (its time has come, and the coordinator has
      not deleted it yet), expired (deleted), unknown (no record of it is here);
    - of the producer id: open (a partition keeps it for an open transaction), live, due (partitions may have forgotten
      it).

    `outlived`: it left a transaction open and its id is gone, so only an administrator can end that transaction.
    """
    left_open = opens.where("authority").groupBy("capture", "producer_id").agg(
        F.count("*").alias("left_open"), F.min(F.struct("topic", "partition", "first_offset")).alias("first_open")
    )  # fmt: skip
    joined = (
        _ids(records)
        .join(_last_writes(txns, snapshots), ["capture", "producer_id"], "full")
        .join(left_open, ["capture", "producer_id"], "left")
        .join(_times(captures, expirations), "capture")
        .join(moments.select("capture", "captured_at", F.size("missing_states").alias("missing")), "capture")
    )
    return _first(_with_status(joined), limit).select(*EXPIRY.names)


def _with_status(rows: DataFrame) -> DataFrame:
    """Add when both ids expire, their statuses, and whether a transaction outlived its id."""
    ended = F.col("state").isin(*ENDED) & ~F.col("tombstone")
    id_expires = F.when(F.col("tombstone"), F.col("last_update_ms")).when(
        ended, F.col("last_update_ms") + F.col("transactional_id_ms")
    )
    producer_expires = F.when(F.col("first_open").isNull(), F.col("last_write_ms") + F.col("producer_id_ms"))
    gone = (F.col("id_status") == "expired") | ((F.col("id_status") == "unknown") & (F.col("missing") == 0))
    return (
        rows.withColumn("id_expires_ms", id_expires)
        .withColumn("producer_expires_ms", producer_expires)
        .withColumn("id_status", _id_status())
        .withColumn("producer_status", _producer_status())
        .withColumn("outlived", F.col("first_open").isNotNull() & gone)
        .withColumn("open_transactions", F.coalesce("left_open", F.lit(0)))
        .withColumn("path", F.col("ref.path"))
        .withColumn("line", F.col("ref.line"))
        .withColumn("byte_position", F.when(F.col("ref.line").isNull(), F.col("ref.byte_offset")))
    )


def _first(rows: DataFrame, limit: int) -> DataFrame:
    """Return the first rows of each capture: those that outlived their id, then those with something open."""
    counted = rows.withColumn("total", F.count("*").over(Window.partitionBy("capture")))
    expires = F.coalesce("id_expires_ms", "producer_expires_ms")
    order = (F.desc("outlived"), F.col("first_open").isNull(), expires, "producer_id")
    return first_of_each(counted, ("capture",), order, limit)


def _times(captures: DataFrame, expirations: DataFrame) -> DataFrame:
    """Return how long ids live in each capture: as set dynamically, by its capture.toml, or the defaults."""
    given = {
        name: F.get_json_object("manifest", f"$.timeouts.{name}").cast("bigint")
        for name in ("transactional_id_expiration_ms", "producer_id_expiration_ms")
    }
    of_id = F.coalesce(given["transactional_id_expiration_ms"], F.lit(ID_EXPIRES_MS))
    by_file = F.coalesce(
        given["producer_id_expiration_ms"], F.when(~are_since(OWN_EXPIRATION), of_id), F.lit(PRODUCER_ID_EXPIRES_MS)
    )
    of_producer = F.when(F.col("expires_everywhere"), F.col("longest_ms")).otherwise(F.greatest(by_file, "longest_ms"))
    return captures.join(expirations, "capture", "left").select(
        "capture", of_id.alias("transactional_id_ms"), of_producer.alias("producer_id_ms")
    )


def _ids(records: DataFrame) -> DataFrame:
    """Return the newest record of each transactional id, with its last producer id."""
    at = F.struct("timestamp", "state_partition", "offset")
    live = F.when(F.col("producer_id") >= 0, at)
    newest = (
        records.where("transactional_id IS NOT NULL")
        .groupBy("capture", "transactional_id")
        .agg(
            F.max_by(F.struct("tombstone", "state", "timestamp", "last_update_ms", "ref"), at).alias("newest"),
            F.max_by(F.struct("producer_id", "producer_epoch"), live).alias("producer"),
        )
    )
    of_producer = ("capture", "producer.producer_id")
    one = first_of_each(newest.where("producer IS NOT NULL"), of_producer, (F.desc("newest.timestamp"),), 1)
    return one.select(
        "capture", "producer.producer_id", "producer.producer_epoch", "transactional_id",
        F.coalesce("newest.tombstone", F.lit(False)).alias("tombstone"), "newest.state",
        F.coalesce("newest.last_update_ms", "newest.timestamp").alias("last_update_ms"), "newest.ref",
    )  # fmt: skip


def _last_writes(txns: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return when each producer id wrote last, in any partition, by data, markers and snapshots."""
    written = txns.select("capture", "producer_id", F.greatest("last_ms", "marker_ms").alias("last_write_ms"))
    newest = snapshots.groupBy(*LOG).agg(F.max("snapshot_offset").alias("snapshot_offset"))
    kept = snapshots.join(newest, [*LOG, "snapshot_offset"])
    kept = kept.select("capture", "producer_id", F.col("timestamp").alias("last_write_ms"))
    both = written.unionByName(kept).where("producer_id >= 0")
    return both.groupBy("capture", "producer_id").agg(F.max("last_write_ms").alias("last_write_ms"))


def _id_status() -> Column:
    return (
        F.when(F.col("transactional_id").isNull(), "unknown")
        .when(F.col("tombstone"), "expired")
        .when(F.col("id_expires_ms").isNull(), "open")
        .when(F.col("id_expires_ms") <= F.col("captured_at"), "due")
        .otherwise("live")
    )


def _producer_status() -> Column:
    return (
        F.when(F.col("first_open").isNotNull(), "open")
        .when(F.col("producer_expires_ms") <= F.col("captured_at"), "due")
        .when(F.col("producer_expires_ms").isNotNull(), "live")
    )
