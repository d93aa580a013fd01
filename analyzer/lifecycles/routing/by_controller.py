"""What the controllers' log says of an expansion: its moment, and which broker works by which count (RULES E 4)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.logs.authority import leaders
from analyzer.lifecycles.placing import PARTITION

TOPIC = ("capture", "topic")
SHOWN = 5
"""Ids of a broker that are named at most."""


def with_moment(
    windows: DataFrame, rows: DataFrame, seen: DataFrame, counts: DataFrame, broker_counts: DataFrame
) -> DataFrame:
    """Add to rows of `cutovers` the last expansion by the controllers' log, and the brokers by the count they use.

    `rows` are those of `routing`, `seen` the placed observations.
    """
    grown = counts.where("previous_count IS NOT NULL AND changed_ms IS NOT NULL")
    newest = Window.partitionBy(*TOPIC).orderBy(F.col("offset").desc())
    last = grown.withColumn("turn", F.row_number().over(newest)).where("turn = 1").select(
        *TOPIC, F.col("changed_ms").alias("expanded_ms"), F.col("previous_count").alias("expanded_from"),
        F.col("partition_count").alias("expanded_to"), F.col("ref").alias("expanded_ref"),
    )  # fmt: skip
    ids = _ids_of_leaders(rows, seen)
    counted = broker_counts.where("works_by IS NOT NULL").join(ids, [*TOPIC, "broker"], "left")
    broker = F.struct("broker", "works_by", "started_ms", F.coalesce("ids", F.lit(0)).alias("ids"), "some_ids", "ref")
    listed = counted.groupBy(*TOPIC).agg(F.array_sort(F.collect_list(broker)).alias("brokers"))
    return windows.join(last, list(TOPIC), "left").join(listed, list(TOPIC), "left")


def by_start(serving: DataFrame, seen: DataFrame, broker_counts: DataFrame) -> DataFrame:
    """Return who serves each state partition, corrected by when its leader started.

    A leader that started after the expansion works by the new count, and one that started before it serves what the
    old count put there.
    """
    started = broker_counts.where((F.col("topic") == STATE_TOPIC) & F.col("works_by").isNotNull()).select(
        "capture", "broker", (F.col("works_by") == F.col("count_now")).alias("knows_new")
    )
    led = _leaders(seen).join(started, ["capture", "broker"]).select(*PARTITION, "knows_new")
    joined = serving.join(led, list(PARTITION), "left")
    return joined.withColumn("served", F.coalesce(~F.col("knows_new"), "served")).withColumn(
        "leader_by_new", F.coalesce("knows_new", "leader_by_new")
    ).drop("knows_new")  # fmt: skip


def _leaders(seen: DataFrame) -> DataFrame:
    return leaders(seen).select(*PARTITION, F.col("leader").cast("int").alias("broker"))


def _ids_of_leaders(rows: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the live ids that only the old count explains, by the broker that leads their partition."""
    here = rows.where("by_old_only AND alive").join(_leaders(seen), list(PARTITION))
    named = F.array_sort(F.collect_set("id"))
    return here.groupBy(*TOPIC, "broker").agg(
        F.countDistinct("id").alias("ids"), F.concat_ws(", ", F.slice(named, 1, SHOWN)).alias("some_ids")
    )
