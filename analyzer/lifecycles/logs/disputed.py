"""The open transactions that one copy of a log has and another one with the same claim to lead has not (RULES A 16)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import PARTITION, PRODUCER

OPEN = (*PRODUCER, "first_offset")


def disputed(opens: DataFrame, logs: DataFrame, txns: DataFrame) -> DataFrame:
    """Return rows of `disputed`: of `tied` copies, what is open in one and, at the same offsets, not in another.

    `opens` are `broker_opens`. The other copy has to reach beyond the first offset and to begin at or before it, or
    have a producer snapshot that would know of it. Where it has the marker at an offset that this copy does not have
    yet, both agree.
    """
    theirs = logs.where("tied").select(
        *PARTITION, F.col("replica").alias("other"), F.col("log_end_offset").alias("other_end"),
        F.col("first_offset").alias("other_begin"), F.col("snapshot_offset").alias("other_snapshot"),
    )  # fmt: skip
    own = opens.where("tied").select(*OPEN, "log_end_offset")
    sees = (F.col("other_begin") <= F.col("first_offset")) | (F.col("other_snapshot") > F.col("first_offset"))
    asked = (
        own.join(theirs, list(PARTITION))
        .where((F.col("other") != F.col("replica")) & (F.col("first_offset") < F.col("other_end")))
        .where(F.coalesce(sees, F.lit(False)))
    )
    same = [*PARTITION, "other", "producer_id", "first_offset"]
    held = opens.select(*OPEN).withColumnRenamed("replica", "other")
    ended = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        *PARTITION, F.col("replica").alias("other"), "producer_id", "first_offset", "marker_offset"
    )
    missing = asked.join(held, same, "left_anti").join(ended, same, "left")
    later = F.coalesce(F.col("marker_offset") >= F.col("log_end_offset"), F.lit(False))
    return missing.where(~later).groupBy(*OPEN).agg(F.array_sort(F.collect_set("other")).alias("not_open_on"))
