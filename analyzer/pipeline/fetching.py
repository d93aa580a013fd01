"""What to collect or read next of a capture: the plan of its unread segments, in the order in which to take them."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def first_to_fetch(rows: DataFrame, most: int) -> DataFrame:
    """Return the plan's rows of each capture: the smallest partition of each step first, at most so many.

    `total` counts them all.
    """
    together = Window.partitionBy("capture", "step", "topic", "partition")
    order = Window.partitionBy("capture").orderBy(
        "step", "partition_bytes", "topic", "partition", "replica", "segment"
    )  # fmt: skip
    ranked = rows.withColumn("partition_bytes", F.coalesce(F.sum("bytes").over(together), F.lit(0)))
    ranked = ranked.withColumn("turn", F.row_number().over(order))
    counted = ranked.withColumn("total", F.count("*").over(Window.partitionBy("capture")))
    return counted.drop("partition_bytes").where(F.col("turn") <= most)
