"""Whether one leader of its state partition wrote all records of a producer id, so that none was lost (RULES C 1)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.few import with_few

OWNER = ["capture", "producer_id"]


def one_reign(above: DataFrame, records: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the producer ids of `above` whose whole history one leader wrote: capture, producer_id, one_reign.

    From the log's start to its first record nothing is missing, and from there to its newest one all batches of the
    state partition have one leader epoch. A leader loses no record that it has answered for: what is lost is lost in
    an election or in a crash, and a new leader epoch begins at both.
    """
    theirs = with_few(records, above.select(*OWNER).distinct(), OWNER)
    bounds = theirs.groupBy(*OWNER, F.col("state_partition").alias("partition")).agg(
        F.min_by(F.struct("offset", F.coalesce(F.col("hole") == 0, F.lit(False)).alias("whole")), "offset").alias(
            "first"
        ),
        F.max("offset").alias("newest"),
    )
    states = batches.where(F.col("topic") == STATE_TOPIC).select(
        "capture", "partition", "base_offset", "last_offset", "partition_leader_epoch"
    )
    between = states.join(F.broadcast(bounds), ["capture", "partition"]).where(
        "last_offset >= first.offset AND base_offset <= newest"
    )
    epoch = F.col("partition_leader_epoch")
    one = (F.min(F.coalesce(epoch, F.lit(-1))) == F.max(epoch)) & F.min("first.whole") & (F.min(epoch) >= 0)
    each = between.groupBy(*OWNER, "partition").agg(F.coalesce(one, F.lit(False)).alias("one"))
    return each.groupBy(*OWNER).agg(F.min("one").alias("one_reign"))
