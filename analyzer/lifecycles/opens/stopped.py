"""Which state partitions are of the same moment as open data: a broker that was stopped flushed both (RULES A 15)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.placing import LOG, PRODUCER_NO


def stopped_with(opens: DataFrame, seen: DataFrame, logs: DataFrame) -> DataFrame:
    """Return stopped_states: the state partitions whose copies a clean stop of the data's broker wrote to their ends.

    A stop flushes every log and writes the recovery points, which no log here has beyond or below its end. While a
    broker runs, a recovery point stays where the last segment began. `seen` are the placed observations.
    """
    points = seen.where("observed = 'recovery_point' AND topic IS NOT NULL").groupBy(*LOG).agg(
        F.max("number").alias("recovered")
    )
    ended = logs.where("has_log").join(points, list(LOG), "left").select(
        *LOG, F.coalesce(F.col("recovered") == F.col("log_end_offset"), F.lit(False)).alias("at_end")
    )
    states = F.collect_set(F.when(F.col("topic") == STATE_TOPIC, F.col("partition")))
    brokers = ended.groupBy("capture", "replica").agg(F.min("at_end").alias("stopped"), states.alias("stopped_states"))
    asked = opens.select(*PRODUCER_NO, "capture", "replica")
    told = asked.join(F.broadcast(brokers.where("stopped")), ["capture", "replica"])
    return told.select(*PRODUCER_NO, "stopped_states")
