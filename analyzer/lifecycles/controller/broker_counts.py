"""Which broker works by which partition count of an internal topic: a broker reads it when it starts (RULES E 4)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.topics import INTERNAL_TOPICS


def broker_counts(events: DataFrame, counts: DataFrame) -> DataFrame:
    """Return rows of `broker_counts`, of internal topics that were expanded inside the controllers' log.

    A broker that started before the topic was created has the first count: the topic is created with the setting that
    the broker then works by. The count of a start before the log begins is not known.
    """
    internal = counts.where(F.col("topic").isin(*INTERNAL_TOPICS))
    now = internal.groupBy("capture", "topic", "topic_id").agg(
        F.max(F.struct("offset", "partition_count"))["partition_count"].alias("count_now"),
        F.max(F.col("previous_count").isNotNull()).alias("expanded"),
    )
    order = Window.partitionBy("capture", "broker").orderBy(F.col("offset").desc())
    starts = events.where("event = 'registered'").withColumn("turn", F.row_number().over(order)).where("turn = 1")
    last = events.groupBy("capture", "broker").agg(F.max_by("fenced", "offset").alias("fenced"))
    started = starts.select(
        "capture", "broker", F.col("offset").alias("started_at"), F.col("changed_ms").alias("started_ms"), "ref"
    ).join(last, ["capture", "broker"])  # fmt: skip
    steps = internal.select(
        "capture", "topic_id", "offset", "partition_count", F.col("previous_count").isNull().alias("first"),
        F.col("changed_ms").isNotNull().alias("dated"),
    )  # fmt: skip
    by_start = (
        started.join(now.where("expanded"), "capture")
        .join(steps, ["capture", "topic_id"])
        .groupBy("capture", "topic", "broker", "count_now", "started_ms", "fenced", "ref")
        .agg(
            F.max_by("partition_count", F.when(F.col("offset") <= F.col("started_at"), F.col("offset"))).alias("read"),
            F.max(F.when(F.col("first") & F.col("dated"), F.col("partition_count"))).alias("first_count"),
        )
    )
    known = F.when(F.col("started_ms").isNotNull(), F.coalesce("read", "first_count"))
    return by_start.select("capture", "topic", "broker", known.alias("works_by"), "count_now", "started_ms", "fenced",
                           "ref")  # fmt: skip
