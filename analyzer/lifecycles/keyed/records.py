"""The keyed records of each partition, where each key lies, and how far timestamps are out of order."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.logs.authority import in_order
from analyzer.lifecycles.once import once
from analyzer.lifecycles.placing import LOG, placed
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few
from analyzer.tables.unions import among

TOPIC = ("capture", "topic")
PARTITION = (*TOPIC, "partition")
EXPANSION = (*TOPIC, "new_count")
"""One expansion of a topic: it ended with so many partitions."""
RECORD = (
    "timestamp", "key_digest", "key_sample", "key_murmur2", "key_crc32", "producer_id", "producer_epoch",
    "is_transactional",
)  # fmt: skip


def judged_places(facts: DataFrame, places: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the places of the copy of each partition whose keyed records count.

    Of several copies the judged one counts (RULES A 1). If its keys were not printed, of those of the newest leader
    epoch the copy with the most keys does.
    """
    named = places.where("topic IS NOT NULL AND partition IS NOT NULL")
    copies = placed(facts.select("file_id", "section"), named).groupBy(*LOG).agg(F.count("*").alias("keyed"))
    standing = copies.join(logs.select(*LOG, "authority", "log_epoch"), list(LOG))
    judged = first_of_each(standing, PARTITION, in_order(F.col("authority"), "log_epoch", "keyed"), 1)
    return with_few(named, judged.select(*LOG), LOG)


def keyed_records(facts: DataFrame, places: DataFrame) -> DataFrame:
    """Return one row per keyed record, however often it was dumped: PARTITION, replica, offset and RECORD.

    `places` are `judged_places`. A damaged key may give an offset a second record.
    """
    rows = placed(facts, places, "log_no")
    return once(rows, ("log_no", "key_murmur2"), *map(F.asc_nulls_last, RECORD)).select(*LOG, "offset", *RECORD)


def key_homes(records: DataFrame) -> DataFrame:
    """Return rows of `key_homes`: the records of each key in each partition, and the oldest and newest timestamp."""
    return records.groupBy(*PARTITION, "key_digest", "key_murmur2", "key_crc32").agg(
        F.count("*").alias("records"), F.min("timestamp").alias("first_ms"), F.max("timestamp").alias("last_ms")
    )


def delivered(moved: DataFrame, txns: DataFrame, grown: DataFrame) -> DataFrame:
    """Return the records without those of transactions that an ABORT marker ends: no read_committed reader gets them.

    `txns` are `partition_txns`, `grown` the topics that were expanded.
    """
    ends = with_few(txns.where("marker_offset IS NOT NULL"), grown.select(*TOPIC).distinct(), TOPIC)
    ends = ends.select(*LOG, "producer_id", F.col("marker_offset").alias("offset"), "marker")
    order = Window.partitionBy(*LOG, "producer_id").orderBy(F.desc("offset"))
    up_to_next = order.rowsBetween(Window.unboundedPreceding, 0)
    inside = F.coalesce("is_transactional", F.lit(False))
    ended = among(moved.where(inside), ends, marker=F.last("marker", ignorenulls=True).over(up_to_next))
    given = ended.where("NOT coalesce(marker = 'ABORT', false)").select(*moved.columns)
    return moved.where(~inside).unionByName(given)


def disorder(batches: DataFrame, keyed: DataFrame) -> DataFrame:
    """Return disorder_ms for each topic: how much older than an earlier batch of its log a batch can be.

    CreateTime is the producer's own, and may be the time of an event long ago. Of two records in different partitions,
    one is surely later only if its timestamp is later by more than this.
    """
    order = Window.partitionBy(*LOG).orderBy("base_offset")
    own = with_few(batches, keyed.select(*TOPIC).distinct(), TOPIC)
    older_by = F.max("max_timestamp").over(order) - F.col("max_timestamp")
    rows = own.where("max_timestamp >= 0 AND NOT is_control").select(*TOPIC, older_by.alias("older_by"))
    return rows.groupBy(*TOPIC).agg(F.max("older_by").alias("disorder_ms"))


def key_hash() -> Column:
    """Return the number that the topic's partitioner takes modulo the count."""
    return F.when(F.col("partitioner") == "crc32", F.col("key_crc32")).otherwise(F.col("key_murmur2").cast("bigint"))
