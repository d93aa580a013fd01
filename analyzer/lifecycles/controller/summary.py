"""What a report says of the controllers' log as a whole, and its events, bounded."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

MOST_EVENTS = 5_000
"""Events of a capture that are kept for its report, those that are rare first, then the newest."""
RARE = ("unclean_election", "partitions_added", "restarted", "fenced", "quorum_leader", "feature", "setting")


def quorum_summary(logs: DataFrame, reigns: DataFrame) -> DataFrame:
    """Return a row per capture with a controllers' log: how far it reaches, and how many markers agree with it."""
    counted = reigns.groupBy("capture").agg(
        F.sum("markers").alias("markers"),
        F.sum(F.when(~F.col("consistent"), F.col("markers")).otherwise(0)).alias("strange_markers"),
        F.min(
            F.when(
                ~F.col("consistent"), F.struct("first_marker", "coordinator_epoch", "expected_epoch", "state_partition")
            )
        ).alias("strange"),
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
    order = Window.partitionBy("capture").orderBy(F.desc_nulls_last("waiting"), "producer_id")
    ranked = served.join(waiting, ["capture", "producer_id"], "left").withColumn("turn", F.row_number().over(order))
    return ranked.where(F.col("turn") <= MOST_SERVED).drop("turn", "waiting")


def newest_events(events: DataFrame) -> DataFrame:
    """Return the events of each capture, at most MOST_EVENTS; `some_left_out` says whether there are more."""
    order = Window.partitionBy("capture").orderBy((~F.col("event").isin(*RARE)).cast("int"), F.col("offset").desc())
    every = Window.partitionBy("capture")
    counted = events.withColumn("some_left_out", F.count("*").over(every) > MOST_EVENTS)
    return counted.withColumn("turn", F.row_number().over(order)).where(F.col("turn") <= MOST_EVENTS).drop("turn")
