"""Who has each partition and who is in sync, by the words of kafka-topics.sh or the controllers' log (RULES E 3)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import PARTITION

NONE = "none"
"""The leader of a partition that has none."""


def in_sync(seen: DataFrame) -> DataFrame:
    """Return PARTITION, leader (`none` for none), replicas and isr, arrays of broker ids as the tool prints them.

    Pastes of several moments that differ tell nothing. `seen` are the placed observations, of which those of the
    controllers' log are in the same form.
    """
    named = seen.where("observed = 'partition_leader' AND partition IS NOT NULL")
    leader = F.coalesce(F.col("number").cast("string"), F.lit(NONE))
    told = named.select(*PARTITION, F.struct(leader.alias("leader"), _listed("Replicas"), _listed("Isr")).alias("told"))
    one = told.groupBy(*PARTITION).agg(F.count_distinct("told").alias("words"), F.max("told").alias("told"))
    return one.where("words = 1").select(*PARTITION, "told.*")


def _listed(word: str) -> Column:
    """Return the broker ids after a word, null where the line does not have it."""
    ids = F.regexp_extract("text", rf"(?:^|\s){word}: ([0-9,]*)", 1)
    return F.when(ids != "", F.split(ids, ",")).alias(word.lower())
