"""From coordinator records, snapshots and open transactions to which ids have expired, or will (KIP-98, KIP-854)."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG

TRANSACTIONAL_ID_MS = 604_800_000
"""`transactional.id.expiration.ms` by default: seven days after the id's last change."""
PRODUCER_ID_MS = 86_400_000
"""`producer.id.expiration.ms` by default, from 3.4 on; before that producer ids lived as long as transactional ids."""

ENDED = ("Empty", "CompleteCommit", "CompleteAbort")
"""Only in these states does an id expire (`TransactionStateManager.enableTransactionalIdExpiration`)."""


def expiry(
    captures: DataFrame,
    records: DataFrame,
    txns: DataFrame,
    states: DataFrame,
    opens: DataFrame,
    moments: DataFrame,
    limit: int,
) -> DataFrame:
    """Return one row per producer id: its transactional id, both expiries, and what it left open; at most `limit`.

    `states` are placed snapshots. id_status: open (a transaction runs: never expires), live, due (its time has come,
    the coordinator has not deleted it yet), expired (deleted), unknown (no record here). producer_status: open
    (a partition keeps it for an open transaction), live, due (partitions may have forgotten it). outlived: it left a
    transaction open and its id is gone, so that nobody but an administrator ends it.
    """
    ids = _ids(records)
    writes = _last_writes(txns, states)
    left = (
        opens.where("authority")
        .groupBy("capture", "producer_id")
        .agg(
            F.count("*").alias("open_transactions"),
            F.min(F.struct("topic", "partition", "first_offset")).alias("open"),
        )
    )
    joined = (
        ids.join(writes, ["capture", "producer_id"], "full")
        .join(left, ["capture", "producer_id"], "left")
        .join(_times(captures), "capture")
        .join(moments.select("capture", "captured_at", F.size("missing_states").alias("missing")), "capture")
    )
    timed = joined.withColumn("id_expires_ms", _id_expires()).withColumn(
        "producer_expires_ms", F.when(F.col("open").isNull(), F.col("last_write_ms") + F.col("producer_id_ms"))
    )
    stated = timed.withColumn("id_status", _id_status()).withColumn("producer_status", _producer_status())
    gone = (F.col("id_status") == "expired") | ((F.col("id_status") == "unknown") & (F.col("missing") == 0))
    told = stated.withColumn("outlived", F.col("open").isNotNull() & gone)
    order = Window.partitionBy("capture").orderBy(
        F.col("outlived").desc(), F.col("open").isNull(), F.coalesce("id_expires_ms", "producer_expires_ms"),
        "producer_id",
    )  # fmt: skip
    return (
        told.withColumn("turn", F.row_number().over(order))
        .withColumn("total", F.count("*").over(Window.partitionBy("capture")))
        .where(F.col("turn") <= limit)
        .select(
            "capture",
            "producer_id",
            "producer_epoch",
            "transactional_id",
            "state",
            "last_update_ms",
            "id_status",
            "id_expires_ms",
            "last_write_ms",
            "producer_status",
            "producer_expires_ms",
            F.coalesce("open_transactions", F.lit(0)).alias("open_transactions"),
            F.col("open").alias("first_open"),
            "outlived",
            "ref.path",
            "ref.line",
            F.when(F.col("ref.line").isNull(), F.col("ref.byte_offset")).alias("byte_position"),
            "total",
        )
    )


def _times(captures: DataFrame) -> DataFrame:
    """Return the expiries that hold for each capture: those of its capture.toml, else the defaults."""
    given = {
        name: F.get_json_object("manifest", f"$.timeouts.{name}").cast("bigint")
        for name in ("transactional_id_expiration_ms", "producer_id_expiration_ms")
    }
    version = F.split("kafka_version", r"\.")
    parts = [F.try_element_at(version, F.lit(index)).cast("string") for index in (1, 2)]
    number = [F.regexp_extract(part, r"^\d+", 0).cast("int") for part in parts]
    old = F.coalesce((number[0] < 3) | ((number[0] == 3) & (number[1] < 4)), F.lit(False))  # noqa: PLR2004 - 3.4
    of_id = F.coalesce(given["transactional_id_expiration_ms"], F.lit(TRANSACTIONAL_ID_MS))
    of_producer = F.coalesce(given["producer_id_expiration_ms"], F.when(old, of_id), F.lit(PRODUCER_ID_MS))
    return captures.select("capture", of_id.alias("transactional_id_ms"), of_producer.alias("producer_id_ms"))


def _ids(records: DataFrame) -> DataFrame:
    """Return the newest record of each transactional id, with the producer id that it had last."""
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
    ranked = Window.partitionBy("capture", "producer.producer_id").orderBy(F.col("newest.timestamp").desc())
    one = newest.where("producer IS NOT NULL").withColumn("turn", F.row_number().over(ranked)).where("turn = 1")
    return one.select(
        "capture", "producer.producer_id", "producer.producer_epoch", "transactional_id",
        F.coalesce("newest.tombstone", F.lit(False)).alias("tombstone"), "newest.state",
        F.coalesce("newest.last_update_ms", "newest.timestamp").alias("last_update_ms"), "newest.ref",
    )  # fmt: skip


def _last_writes(txns: DataFrame, states: DataFrame) -> DataFrame:
    """Return when each producer id wrote last, in any partition: data, markers and snapshots."""
    written = txns.select(
        "capture", "producer_id", F.greatest("last_batch.max_timestamp", "marker_ms").alias("last_write_ms")
    )
    newest = states.groupBy(*LOG).agg(F.max("snapshot_offset").alias("snapshot_offset"))
    kept = states.join(newest, [*LOG, "snapshot_offset"]).select(
        "capture", "producer_id", F.col("timestamp").alias("last_write_ms")
    )
    both = written.unionByName(kept).where("producer_id >= 0")
    return both.groupBy("capture", "producer_id").agg(F.max("last_write_ms").alias("last_write_ms"))


def _id_expires() -> Column:
    ended = F.col("state").isin(*ENDED) & ~F.col("tombstone")
    return F.when(F.col("tombstone"), F.col("last_update_ms")).when(
        ended, F.col("last_update_ms") + F.col("transactional_id_ms")
    )


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
        F.when(F.col("open").isNotNull(), "open")
        .when(F.col("producer_expires_ms") <= F.col("captured_at"), "due")
        .when(F.col("producer_expires_ms").isNotNull(), "live")
    )
