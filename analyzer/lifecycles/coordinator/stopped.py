"""Which brokers were stopped: their logs, and the state partitions among them, are of one moment (RULES A 15)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.topics import METADATA_TOPIC, STATE_TOPIC
from analyzer.lifecycles.placing import LOG


def stopped_brokers(seen: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the brokers whose logs a clean stop wrote to their ends: capture, replica, stopped_states.

    A stop flushes every log and writes the recovery points, of which none here lies elsewhere than at its log's end.
    While a broker runs, a recovery point stays where the last segment began. stopped_states: the partitions of
    __transaction_state among its logs whose judged copy is there: a replica that its leader waits for has every record
    before the client may write. The controllers' log has no recovery point. `seen` are the placed observations.
    """
    points = (
        seen.where("observed = 'recovery_point' AND topic IS NOT NULL")
        .groupBy(*LOG)
        .agg(F.max("number").alias("recovered"))
    )
    ended = (
        logs.where(F.col("has_log") & (F.col("topic") != METADATA_TOPIC))
        .join(points, list(LOG), "left")
        .select(
            *LOG, "authority", F.coalesce(F.col("recovered") == F.col("log_end_offset"), F.lit(False)).alias("at_end")
        )
    )
    judged = (F.col("topic") == STATE_TOPIC) & F.col("authority")
    states = F.collect_set(F.when(judged, F.col("partition")))
    brokers = ended.groupBy("capture", "replica").agg(F.min("at_end").alias("stopped"), states.alias("stopped_states"))
    return brokers.where("stopped").select("capture", "replica", "stopped_states")


def stopped_clusters(stopped: DataFrame, quorum: DataFrame, events: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the captures of which every broker was stopped, and none is shown to have started again (RULES A 15).

    `quorum` are the `quorum_logs`, `events` the `broker_events`: each broker that they know is here and stopped, and
    its own copy of the controllers' log has its last start: no log dir was copied between two runs of its broker.
    """
    known = quorum.where("complete AND undecoded_records = 0").select("capture")
    started = F.max(F.when(F.col("event") == "registered", F.col("offset"))).alias("started_at")
    last = events.groupBy("capture", F.col("broker").cast("string").alias("replica")).agg(
        F.max_by("event", "offset").alias("event"), started
    )
    own = (
        logs.where(F.col("topic") == METADATA_TOPIC)
        .groupBy("capture", "replica")
        .agg(F.max("log_end_offset").alias("own_end"))
    )
    here = stopped.select("capture", "replica").join(own, ["capture", "replica"]).withColumn("here", F.lit(True))
    told = last.where("event != 'unregistered'").join(here, ["capture", "replica"], "left")
    ended = F.coalesce(F.col("here") & (F.coalesce("started_at", F.lit(-1)) < F.col("own_end")), F.lit(False))
    every = told.groupBy("capture").agg(F.min(ended).alias("ended"))
    return every.where("ended").select("capture").join(known, "capture", "left_semi")
