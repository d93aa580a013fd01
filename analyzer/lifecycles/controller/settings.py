"""Features and settings: by the controllers' log over time, and those that bear on transactions, as tools told them."""

import re

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.settings import FEATURES, OF_TOPICS, PRODUCER_ID_EXPIRATION, SHARE_ISOLATION, WATCHED
from analyzer.lifecycles.controller.records import integer, of_type, text, until
from analyzer.lifecycles.placing import ref

RESOURCES = {2: "topic", 4: "broker", 8: "broker_logger", 16: "client_metrics", 32: "group"}
"""Names of ConfigResource.Type by id."""
FEATURE = "feature"
"""The resource type of the finalized level of a feature."""
_SETTING = r"^(?:(\S*): )?([^\s,;]*)$"
"""`text` of an observed setting: its value, after the broker's id unless it is a topic's."""
_LISTED = r"Configs:(?:.*,|\s*){name}=([^=]*?)(?:,[A-Za-z0-9._-]+=.*)?$"
"""The value of a setting in a line of kafka-topics.sh: a list as `compact,delete` goes on to the next name."""


def _features(records: DataFrame) -> DataFrame:
    """Return the finalized levels of features; kraft.version has a control record of the quorum (KIP-853)."""
    rows = of_type(records, "FEATURE_LEVEL_RECORD", "KRAFT_VERSION").where("fields IS NOT NULL")
    of_quorum = F.col("record_type") == "KRAFT_VERSION"
    return rows.select(
        "capture", F.lit(FEATURE).alias("resource_type"), F.lit("").alias("resource"),
        F.when(of_quorum, "kraft.version").otherwise(text("name")).alias("config"),
        F.coalesce(integer("featureLevel"), integer("kRaftVersion")).cast("string").alias("setting"), "offset",
        "changed_ms", "ref",
    )  # fmt: skip


def dynamic_configs(records: DataFrame, topics: DataFrame) -> DataFrame:
    """Return rows of `dynamic_configs`; the settings of a topic end with it."""
    kind = integer("resourceType")
    name = F.coalesce(*[F.when(kind == number, word) for number, word in RESOURCES.items()], kind.cast("string"))
    told = of_type(records, "CONFIG_RECORD").where("fields IS NOT NULL").select(
        "capture", name.alias("resource_type"), text("resourceName").alias("resource"), text("name").alias("config"),
        text("value").alias("setting"), "offset", "changed_ms", "ref",
    )  # fmt: skip
    removed = topics.where("removed_offset IS NOT NULL").select(
        "capture", F.col("topic").alias("resource"), F.lit("topic").alias("resource_type"), "removed_offset",
        "removed_ms",
    )  # fmt: skip
    ended = (
        told.join(removed, ["capture", "resource", "resource_type"])
        .where("removed_offset > offset")
        .groupBy("capture", "resource_type", "resource", "config", "removed_offset")
        .agg(F.max("removed_ms").alias("changed_ms"), F.max_by("ref", "offset").alias("ref"))
        .select(
            "capture", "resource_type", "resource", "config", F.lit(None).cast("string").alias("setting"),
            F.col("removed_offset").alias("offset"), "changed_ms", "ref",
        )
    )  # fmt: skip
    order = Window.partitionBy("capture", "resource_type", "resource", "config").orderBy("offset")
    return told.unionByName(ended).unionByName(_features(records)).select(
        "capture", "resource_type", "resource", "config", "setting",
        F.lag("setting").over(order).alias("previous_setting"), "offset", "changed_ms", *until(order), "ref",
    )  # fmt: skip


def known_settings(configs: DataFrame, seen: DataFrame) -> DataFrame:
    """Return rows of `known_settings`; `seen` are the placed observations."""
    of_brokers = F.col("config").isin(*WATCHED, *OF_TOPICS) & F.col("resource_type").isin("topic", "broker")
    of_groups = (F.col("config") == SHARE_ISOLATION) & (F.col("resource_type") == "group")
    levels = (F.col("resource_type") == FEATURE) & F.col("config").isin(*FEATURES)
    dynamic = configs.where(of_brokers | of_groups | levels).select(
        "capture", F.lit(True).alias("dated"), "resource_type", "resource", "config", "setting",
        F.col("changed_ms").alias("from_ms"), F.col("next_ms").alias("until_ms"), "ref",
    )  # fmt: skip
    return dynamic.unionByName(_asked(seen)).unionByName(_listed(seen))


def _asked(seen: DataFrame) -> DataFrame:
    """Return what kafka-configs.sh and kafka-features.sh said, as of when they were asked."""
    told = seen.where(
        ((F.col("observed") == "setting") & F.col("name").isin(*WATCHED, *OF_TOPICS))
        | ((F.col("observed") == "feature_level") & F.col("name").isin(*FEATURES))
    )
    level = F.col("observed") == "feature_level"
    of_topic = F.col("topic").isNotNull()
    return _undated(
        told,
        F.when(level, FEATURE).when(of_topic, "topic").otherwise("broker"),
        F.when(level, "").when(of_topic, F.col("topic")).otherwise(_part(1)),
        F.col("name"),
        F.when(level | of_topic, F.col("text")).otherwise(_part(2)),
    )


def _listed(seen: DataFrame) -> DataFrame:
    """Return what kafka-topics.sh --describe listed behind `Configs:`, as of when it was asked."""
    each = [
        F.struct(
            F.lit(name).alias("config"),
            F.regexp_extract("text", _LISTED.format(name=re.escape(name)), 1).alias("setting"),
        )
        for name in (*WATCHED, *OF_TOPICS)
    ]
    told = seen.where((F.col("observed") == "partition_count") & F.col("text").contains("Configs:"))
    rows = told.withColumn("listed", F.explode(F.array(*each))).where(F.col("listed.setting") != "")
    return _undated(rows, F.lit("topic"), F.col("topic"), F.col("listed.config"), F.col("listed.setting"))


def _undated(rows: DataFrame, kind: Column, whose: Column, config: Column, value: Column) -> DataFrame:
    """Return settings as of when somebody asked for them."""
    moment = F.lit(None).cast("bigint")
    return rows.select(
        "capture", F.lit(False).alias("dated"), kind.alias("resource_type"), whose.alias("resource"),
        config.alias("config"), value.alias("setting"), moment.alias("from_ms"), moment.alias("until_ms"),
        ref().alias("ref"),
    )  # fmt: skip


def _part(group: int) -> Column:
    return F.regexp_extract("text", _SETTING, group)


def producer_id_expirations(known: DataFrame) -> DataFrame:
    """Return per capture how long brokers keep an idle producer id, ms: the longest now, and the shortest ever told.

    `expires_everywhere`: a default for all brokers is set, so that no other broker may have Kafka's own. The setting is
    dynamic, so the controllers' log dates it (KIP-854). A capture of which nothing is known has no row.
    """
    rows = known.where((F.col("config") == PRODUCER_ID_EXPIRATION) & (F.col("resource_type") == "broker"))
    value = F.col("setting").try_cast("bigint")
    now = F.col("until_ms").isNull() & value.isNotNull()
    return (
        rows.where(value.isNotNull())
        .groupBy("capture")
        .agg(
            F.max(F.when(now, value)).alias("longest_ms"),
            F.min(value).alias("shortest_ms"),
            F.max(now & (F.col("resource") == "")).alias("expires_everywhere"),
        )
    )
