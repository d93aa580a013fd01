"""What an expansion of an internal topic would do to each of its ids, and to each broker."""

from pyspark.sql import DataFrame, functions as F

UNFINISHED = ("Ongoing", "PrepareCommit", "PrepareAbort")


def moved(held: DataFrame, leaders: DataFrame, old: int, new: int) -> DataFrame:
    """Return one row per id of one topic and capture, under `old` partitions now and `new` partitions afterwards.

    `held` are rows of `held_ids` of that topic; `leaders` are rows of `logs`. Columns: id, now, then (its partitions),
    moves, lies (the partition of its newest record), broker (the leader of that one), state, producer_id, partitions
    (of its transaction), unfinished (an expansion would orphan it if it moves).
    """
    newest = (
        held.where("alive")
        .groupBy("topic", "id", "hash")
        .agg(F.max(F.struct("last_record", "partition")).alias("newest"))
        .select(
            "topic",
            "id",
            (F.col("hash") % old).cast("int").alias("now"),
            (F.col("hash") % new).cast("int").alias("then"),
            F.col("newest.partition").alias("lies"),
            F.col("newest.last_record.state").alias("state"),
            F.col("newest.last_record.producer_id").alias("producer_id"),
            F.col("newest.last_record.partitions").alias("partitions"),
        )
    )
    led = leaders.where("authority").select("topic", F.col("partition").alias("lies"), F.col("replica").alias("broker"))
    return (
        newest.join(led, ["topic", "lies"], "left")
        .withColumn("moves", F.col("now") != F.col("then"))
        .withColumn("unfinished", F.coalesce(F.col("state").isin(*UNFINISHED), F.lit(False)))
    )


def by_broker(moves: DataFrame) -> DataFrame:
    """Return, for each broker, how many ids it serves, how many of them move, and how many of those are unfinished."""
    return moves.groupBy("broker").agg(
        F.count("*").alias("ids"),
        F.count_if("moves").alias("moving"),
        F.count_if(F.col("moves") & F.col("unfinished")).alias("orphaned"),
        F.countDistinct(F.when(F.col("moves"), F.col("lies"))).alias("partitions"),
    )
