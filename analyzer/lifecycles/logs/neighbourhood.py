"""From a few offsets to the batches around them, in every copy of their logs."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

BEFORE, AFTER = 60, 90
"""How far the batches reach, in offsets; what is drawn is cut to what fits."""


def neighbourhood(batches: DataFrame, targets: DataFrame) -> DataFrame:
    """Return the batches near each target (capture, topic, partition, first_offset) of every replica."""
    around = F.broadcast(targets.withColumnRenamed("first_offset", "target"))
    near = batches.join(around, ["capture", "topic", "partition"])
    return near.where(
        (F.col("last_offset") >= F.col("target") - BEFORE) & (F.col("base_offset") <= F.col("target") + AFTER)
    ).select(
        "capture", "topic", "partition", "replica", "target", "base_offset", "last_offset", "producer_id", "is_control",
        "is_transactional", "marker",
    )  # fmt: skip
