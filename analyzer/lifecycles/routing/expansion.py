"""From where ids lie to what an expansion of their topic would do to each of them, and to each broker."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

UNFINISHED = ("Ongoing", "PrepareCommit", "PrepareAbort")


def moved(held: DataFrame, leaders: DataFrame, old: int, new: int) -> DataFrame:
    """Return one row per id of one capture and topic, under a count of old now and of new afterwards.

    `held` are rows of `routing` of that topic; `leaders` the logs' authority replicas. Columns: id, now, then, moves,
    lies (the partition of its newest record), broker (who leads it), state, producer_id, partitions (of its
    transaction), unfinished (an expansion would orphan it if it moves).
    """
    newest = (
        held.where("alive")
        .groupBy("topic", "id", "hash")
        .agg(F.max(F.struct("latest", "partition")).alias("newest"))
        .select(
            "topic",
            "id",
            (F.col("hash") % old).cast("int").alias("now"),
            (F.col("hash") % new).cast("int").alias("then"),
            F.col("newest.partition").alias("lies"),
            F.col("newest.latest.state").alias("state"),
            F.col("newest.latest.producer_id").alias("producer_id"),
            F.col("newest.latest.partitions").alias("partitions"),
        )
    )
    led = leaders.where("authority").select("topic", F.col("partition").alias("lies"), F.col("replica").alias("broker"))
    return (
        newest.join(led, ["topic", "lies"], "left")
        .withColumn("moves", F.col("now") != F.col("then"))
        .withColumn("unfinished", F.coalesce(F.col("state").isin(*UNFINISHED), F.lit(False)))
    )


def by_broker(moves: DataFrame) -> DataFrame:
    """Return per broker how many ids it serves, how many of them move, and how many of those are unfinished."""
    return moves.groupBy("broker").agg(
        F.count("*").alias("ids"),
        F.count_if("moves").alias("moving"),
        F.count_if(F.col("moves") & F.col("unfinished")).alias("orphaned"),
        F.countDistinct(F.when(F.col("moves"), F.col("lies"))).alias("partitions"),
    )
