"""How long after its timestamps the data of a producer id came: records may bear the times of events (RULES A 15)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import PRODUCER_NO

OF_TXN = (*PRODUCER_NO, "txn_no")


def stamp_lags(opens: DataFrame, txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return `stamp_lag_ms`: by how much at most a transaction that ended began after all timestamps of its data here.

    It began when its coordinator had it Ongoing, and after the marker before it; that both are the brokers' times makes
    a client's clock that is slow count in the same way. 0 where none did; no row for a producer id without any that
    ended.
    """
    begun = decisions.where("marker_offset IS NOT NULL").groupBy(*OF_TXN).agg(F.max("begun_ms").alias("begun_ms"))
    in_order = Window.partitionBy(*PRODUCER_NO).orderBy("txn_no")
    after = txns.withColumn("before_ms", F.lag("marker_ms").over(in_order))
    ended = after.where("marker_offset IS NOT NULL AND last_ms IS NOT NULL").join(begun, list(OF_TXN), "left")
    late = F.greatest("begun_ms", "before_ms") - F.col("last_ms")
    known = ended.groupBy("capture", "producer_id").agg(F.max(late).alias("late_ms")).where("late_ms IS NOT NULL")
    asked = opens.select("capture", *PRODUCER_NO).join(known, ["capture", "producer_id"])
    return asked.select(*PRODUCER_NO, F.greatest("late_ms", F.lit(0)).alias("stamp_lag_ms"))
