"""Finalized features and dynamic settings over time."""

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from analyzer.lifecycles.controller.records import integer, of_type, text

RESOURCES = {2: "topic", 4: "broker", 8: "broker_logger", 16: "client_metrics", 32: "group"}
"""Names of ConfigResource.Type by id."""


def feature_levels(records: DataFrame) -> DataFrame:
    """Return rows of `feature_levels`. kraft.version is finalized by a control record of the quorum (KIP-853)."""
    ordinary = of_type(records, "FEATURE_LEVEL_RECORD").where("fields IS NOT NULL")
    quorum = of_type(records, "KRAFT_VERSION").where("fields IS NOT NULL")
    told = ordinary.select(
        "capture", text("name").alias("feature"), integer("featureLevel").alias("feature_level"), "offset",
        "changed_ms", "ref",
    ).unionByName(
        quorum.select(
            "capture", F.lit("kraft.version").alias("feature"), integer("kRaftVersion").alias("feature_level"),
            "offset", "changed_ms", "ref",
        )
    )  # fmt: skip
    order = Window.partitionBy("capture", "feature").orderBy("offset")
    return told.select(
        "capture", "feature", "feature_level", F.lag("feature_level").over(order).alias("previous_level"), "offset",
        "changed_ms", *_next(order), "ref",
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
    return told.unionByName(ended).select(
        "capture", "resource_type", "resource", "config", "setting",
        F.lag("setting").over(order).alias("previous_setting"), "offset", "changed_ms", *_next(order), "ref",
    )  # fmt: skip


def _next(order: WindowSpec) -> list[Column]:
    return [F.lead("offset").over(order).alias("next_offset"), F.lead("changed_ms").over(order).alias("next_ms")]
