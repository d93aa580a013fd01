"""What changed in a cluster, in one list: elections, brokers that came and went, settings, features, the quorum."""

import functools

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

NAMES = ("topic", "partition", "broker", "subject", "was", "now")


def quorum_events(
    partitions: DataFrame,
    topics: DataFrame,
    counts: DataFrame,
    brokers: DataFrame,
    leaders: DataFrame,
    features: DataFrame,
    configs: DataFrame,
) -> DataFrame:
    """Return rows of `quorum_events`, but for what a checkpoint tells without a time."""
    elected = partitions.where("change = 'changed' AND elected AND coalesce(leader_id <> previous_leader_id, unclean)")
    kind = F.when(F.col("unclean"), "unclean_election").when(F.col("leader_id") < 0, "no_leader").otherwise("election")
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
        _rows(features, F.lit("feature"), subject="feature", was="previous_level", now="feature_level"),
        _rows(
            configs.withColumn("about", F.concat_ws(" ", "resource_type", F.nullif("resource", F.lit("")), "config"))
            .where("NOT (setting <=> previous_setting)"),
            F.lit("setting"), subject="about", was="previous_setting", now="setting",
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
