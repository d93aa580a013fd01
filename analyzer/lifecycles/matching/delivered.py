"""Where decisions were delivered, and where not."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.placing import PRODUCER_NO, partition_name
from analyzer.stages.few import with_few


def with_undelivered(decisions: DataFrame, registered: DataFrame) -> DataFrame:
    """Add how many partitions of a decision's list show no marker of it in any replica's log.

    `decisions` are few: of some producer ids all that they have, with their markers in each log.
    """
    key = ["capture", *TXN_OF_ID]
    there = decisions.where("marker_offset IS NOT NULL").select(*key, "topic", "partition").distinct()
    delivered = there.groupBy(*key).agg(F.count("*").alias("delivered"))
    asked = registered.join(decisions.select(*key).distinct(), key, "left_semi")
    listed = asked.groupBy(*key).agg(F.count("*").alias("listed"))
    missing = F.coalesce("listed", F.lit(0)) - F.coalesce("delivered", F.lit(0))
    return (
        decisions.join(delivered, key, "left")
        .join(listed, key, "left")
        .withColumn("undelivered", missing.cast("int"))
        .drop("delivered", "listed")
    )


def delivered_markers(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per decision, where its marker is in some judged log: one of these markers, and `names`, of all the logs.

    Columns: topic, partition, marker_offset, log_no and producer_id of that marker; names, sorted.

    `decisions` are those in each log with the marker_offset that carries them out, or null.
    """
    judged = logs.where("authority").select("log_no")
    carried = with_few(decisions.where("marker_offset IS NOT NULL"), judged, ["log_no"])
    one = F.struct("topic", "partition", "marker_offset", *PRODUCER_NO)
    return (
        carried.groupBy("capture", *TXN_OF_ID)
        .agg(F.min(one).alias("first"), F.array_sort(F.collect_set(partition_name())).alias("names"))
        .select("capture", *TXN_OF_ID, "first.*", "names")
    )


def told_marker(delivered: DataFrame) -> DataFrame:
    """Return the few `delivered_markers` as one column, `delivered_marker`, with where each stands.

    Fields: topic, partition, offset, marker_ref, names.
    """
    marker = F.struct("topic", "partition", F.col("marker_offset").alias("offset"), "marker_ref", "names")
    return delivered.select("capture", *TXN_OF_ID, marker.alias("delivered_marker"))
