"""How long after its timestamps the data of a producer id came: records may bear the times of events (RULES A 15)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.timeouts import LONGEST_TIMEOUT_MS
from analyzer.lifecycles.placing import PRODUCER_NO

OF_TXN = (*PRODUCER_NO, "txn_no")


def own_lags(asked: DataFrame, txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return stamp_lag_ms of each of these producer ids of which a transaction ended: capture, producer_id.

    The most by which one began after all timestamps of its data, ms; 0 where none did. It began when its coordinator
    had it Ongoing, and after the producer id's marker before it in the log; where neither is known, not longer before
    its marker than a timeout may be. Brokers set these times: a client's slow clock counts as much.
    """
    ids = asked.select("capture", "producer_id").distinct()
    return _most(txns.join(F.broadcast(ids), ["capture", "producer_id"], "left_semi"), decisions, "producer_id")


def lagless(opens: DataFrame, lags: DataFrame) -> DataFrame:
    """Return the open transactions whose producer id has none of `own_lags`."""
    return opens.select("capture", *PRODUCER_NO).join(lags, ["capture", "producer_id"], "left_anti")


def lags_of_logs(untold: DataFrame, txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the same of `lagless`: capture, producer_id, by the other producer ids of its log."""
    logs = untold.select("log_no").distinct()
    others = _most(txns.join(F.broadcast(logs), "log_no", "left_semi"), decisions, "log_no").drop("capture")
    told = untold.join(others, "log_no").groupBy("capture", "producer_id")
    return told.agg(F.max("stamp_lag_ms").alias("stamp_lag_ms"))


def _most(txns: DataFrame, decisions: DataFrame, key: str) -> DataFrame:
    begun = decisions.where("marker_offset IS NOT NULL").groupBy(*OF_TXN).agg(F.max("begun_ms").alias("begun_ms"))
    in_order = Window.partitionBy(*PRODUCER_NO).orderBy("txn_no")
    after = txns.withColumn("before_ms", F.lag("marker_ms").over(in_order))
    ended = after.where("marker_offset IS NOT NULL AND last_ms IS NOT NULL").join(begun, list(OF_TXN), "left")
    began = F.coalesce(F.greatest("begun_ms", "before_ms"), F.col("marker_ms") - LONGEST_TIMEOUT_MS)
    late = F.greatest(began - F.col("last_ms"), F.lit(0))
    known = ended.groupBy("capture", key).agg(F.max(late).alias("stamp_lag_ms"))
    return known.where("stamp_lag_ms IS NOT NULL")
