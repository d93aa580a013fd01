"""The batches around a few offsets, in every copy of their logs: what a report draws."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.placing import PARTITION

BEFORE, AFTER = 60, 90
"""How many offsets before and after the target are taken; a report draws what fits."""


def neighbourhood(targets: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches near each target (capture, topic, partition, first_offset), of every replica."""
    around = targets.withColumnRenamed("first_offset", "target")
    near = with_few(batches, around, PARTITION)
    return near.where(
        (F.col("last_offset") >= F.col("target") - BEFORE) & (F.col("base_offset") <= F.col("target") + AFTER)
    ).select(
        "capture", "topic", "partition", "replica", "target", "base_offset", "last_offset", "producer_id", "is_control",
        "is_transactional", "marker",
    )  # fmt: skip
