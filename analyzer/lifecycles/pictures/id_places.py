"""How many ids of an internal topic are in each of its partitions, and which partition count put them there."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def id_places(located: DataFrame) -> DataFrame:
    """Return a row for each partition of an expanded topic: its ids, and those that one count alone explains."""
    expanded = located.where("alive AND how IN ('two', 'three', 'unused')")
    return expanded.groupBy("capture", "topic", "partition").agg(
        F.count("*").alias("ids"),
        F.count_if("by_old_only").alias("by_old_only"),
        F.count_if("by_new_only").alias("by_new_only"),
    )
