"""From stored keys to one row per keyed record of each partition's judged copy, and to where each key lies."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG, placed

TOPIC = ("capture", "topic")
PARTITION = (*TOPIC, "partition")
RECORD = (
    "timestamp", "key_digest", "key_sample", "key_murmur2", "key_crc32", "producer_id", "producer_epoch",
    "is_transactional",
)  # fmt: skip


def keyed_records(facts: DataFrame, places: DataFrame, logs: DataFrame) -> DataFrame:
    """Return one row per keyed record: PARTITION, replica, offset and RECORD, however often it was dumped.

    Of several copies of a partition the judged one counts (RULES A 1), or where nobody printed its keys the one with
    the most.
    """
    rows = placed(facts, places).where("topic IS NOT NULL AND partition IS NOT NULL")
    copies = rows.groupBy(*LOG).agg(F.count("*").alias("keyed"))
    rank = Window.partitionBy(*PARTITION).orderBy(F.col("authority").desc(), F.col("keyed").desc(), "replica")
    judged = (
        copies.join(logs.select(*LOG, "authority"), list(LOG))
        .withColumn("turn", F.row_number().over(rank))
        .where("turn = 1")
        .select(*LOG)
    )
    return (
        rows.join(F.broadcast(judged), list(LOG))
        .groupBy(*LOG, "offset")
        .agg(*[F.min(name).alias(name) for name in RECORD])
    )


def key_homes(records: DataFrame) -> DataFrame:
    """Return one row per key and partition: how many records, and when the first and the last were written."""
    return records.groupBy(*PARTITION, "key_digest", "key_murmur2", "key_crc32").agg(
        F.count("*").alias("records"),
        F.min("timestamp").alias("first_ms"),
        F.max("timestamp").alias("last_ms"),
    )


def disorder(batches: DataFrame, keyed: DataFrame) -> DataFrame:
    """Return per topic how far timestamps lag behind those before them in the log at most: `disorder_ms`.

    CreateTime is the producer's own, and may be the time of an event long ago: what lies in another partition is
    surely later only beyond this.
    """
    order = Window.partitionBy(*LOG).orderBy("base_offset")
    own = batches.join(F.broadcast(keyed.select(*TOPIC).distinct()), list(TOPIC), "left_semi")
    behind = F.max("max_timestamp").over(order) - F.col("max_timestamp")
    rows = own.where("max_timestamp >= 0 AND NOT is_control").select(*TOPIC, behind.alias("behind"))
    return rows.groupBy(*TOPIC).agg(F.max("behind").alias("disorder_ms"))


def key_hash() -> Column:
    """Return what the partitioner of the topic takes modulo the count."""
    return F.when(F.col("partitioner") == "crc32", F.col("key_crc32")).otherwise(F.col("key_murmur2").cast("bigint"))
