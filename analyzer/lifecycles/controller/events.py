"""The controllers' log as a report tells it: what changed in the cluster, in one list, and the log as a whole."""

import functools

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.controller.records import integer, of_type
from analyzer.lifecycles.controller.settings import FEATURE
from analyzer.stages.combining import first_of_each

NAMES = ("topic", "partition", "broker", "subject", "was", "now")


def quorum_events(
    partitions: DataFrame,
    topics: DataFrame,
    counts: DataFrame,
    brokers: DataFrame,
    configs: DataFrame,
    records: DataFrame,
) -> DataFrame:
    """Return rows of `quorum_events`, but for what a checkpoint tells without a time.

    Each quorum epoch begins with a LEADER_CHANGE control record (KIP-595), whose fields some tools do not print.
    """
    leaders = of_type(records, "LEADER_CHANGE").withColumn("controller", integer("leaderId"))
    elected = partitions.where("change = 'changed' AND elected AND coalesce(leader_id <> previous_leader_id, unclean)")
    kind = F.when(F.col("unclean"), "unclean_election").when(F.col("leader_id") < 0, "no_leader").otherwise("election")
    of_feature = F.col("resource_type") == FEATURE
    about = F.concat_ws(" ", "resource_type", F.nullif("resource", F.lit("")), "config")
    parts = (
        _rows(elected, kind, topic="topic", partition="partition", broker="leader_id", was="previous_leader_id"),
        _rows(topics, F.lit("topic_created"), topic="topic"),
        _rows(
            topics.where("removed_offset IS NOT NULL").selectExpr(
                "capture", "topic", "removed_offset AS offset", "removed_ms AS changed_ms", "ref"
            ),
            F.lit("topic_deleted"), topic="topic",
        ),
        _rows(
            counts.where("previous_count IS NOT NULL"), F.lit("partitions_added"), topic="topic",
            was="previous_count", now="partition_count",
        ),
        _rows(
            brokers.where("event <> 'changed'"),
            F.when(F.col("restart"), "restarted").otherwise(F.col("event")), broker="broker",
        ),
        _rows(leaders, F.lit("quorum_leader"), broker="controller", now="quorum_epoch"),
        _rows(
            configs.withColumn("about", F.when(of_feature, F.col("config")).otherwise(about))
            .where(of_feature | ~F.col("setting").eqNullSafe(F.col("previous_setting"))),
            F.when(of_feature, FEATURE).otherwise("setting"), subject="about", was="previous_setting", now="setting",
        ),
    )  # fmt: skip
    return functools.reduce(DataFrame.unionByName, parts).where("changed_ms IS NOT NULL")


def _rows(rows: DataFrame, event: Column, **columns: str) -> DataFrame:
    """Return these rows as events, with their own columns under the given names."""
    types = {"partition": "int", "broker": "int"}
    named = [
        (F.col(columns[name]) if name in columns else F.lit(None)).cast(types.get(name, "string")).alias(name)
        for name in NAMES
    ]
    return rows.select("capture", "offset", "changed_ms", event.alias("event"), *named, "ref")


MOST_EVENTS = 5_000
"""Events of a capture that are kept for its report, those that are rare first, then the newest."""
RARE = ("unclean_election", "partitions_added", "restarted", "fenced", "quorum_leader", "feature", "setting")


def quorum_summary(logs: DataFrame, reigns: DataFrame) -> DataFrame:
    """Return a row per capture with a controllers' log: how far it reaches, and how many markers agree with it."""
    strange = F.struct("first_marker", "coordinator_epoch", "expected_epoch", "state_partition")
    counted = reigns.groupBy("capture").agg(
        F.sum("markers").alias("markers"),
        F.sum(F.when(~F.col("consistent"), F.col("markers")).otherwise(0)).alias("strange_markers"),
        F.min(F.when(~F.col("consistent"), strange)).alias("strange"),
    )
    return logs.join(counted, "capture", "left")


def asked_of_quorum(seen: DataFrame) -> DataFrame:
    """Return what kafka-metadata-quorum.sh said: the leader, its epoch and the high watermark. `seen` are placed."""
    return seen.where(F.col("observed").isin("quorum_leader", "quorum_epoch", "quorum_high_watermark")).groupBy(
        "capture", "observed"
    ).agg(F.max("number").alias("number"))  # fmt: skip


MOST_SERVED = 1_000
"""Producer ids of a capture whose coordinator is told by their markers, those with open transactions first."""


def first_served(served: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the rows of `served_by` of each capture, at most MOST_SERVED."""
    waiting = opens.select("capture", "producer_id", F.lit(1).alias("waiting")).distinct()
    ranked = served.join(waiting, ["capture", "producer_id"], "left")
    order = [F.desc_nulls_last("waiting"), F.col("producer_id")]
    return first_of_each(ranked, ["capture"], order, MOST_SERVED).drop("turn", "waiting")


def newest_events(events: DataFrame) -> DataFrame:
    """Return the events of each capture, at most MOST_EVENTS; `some_left_out` says whether there are more."""
    every = Window.partitionBy("capture")
    counted = events.withColumn("some_left_out", F.count("*").over(every) > MOST_EVENTS)
    order = [(~F.col("event").isin(*RARE)).cast("int"), F.desc("offset")]
    return first_of_each(counted, ["capture"], order, MOST_EVENTS).drop("turn")
