"""Captures of clusters that have no topic __transaction_state: no transaction was ever begun on them."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.build import Lifecycles


def without_state_topic(lifecycles: Lifecycles) -> DataFrame:
    """Return the captures whose cluster has no such topic, with the file that tells (`never_told`).

    A coordinator creates it when the first producer with a transactional id looks for one. It is not there if the
    controllers' log, known as a whole, has no record of it, or if kafka-topics.sh described all topics without it.
    Nothing may contradict: a transaction, or a file or line about a partition of the topic.
    """
    logs, controller = lifecycles.logs, lifecycles.controller
    whole = controller.logs.where("complete AND undecoded_records = 0").select("capture").distinct()
    known = controller.topics.where(F.col("topic") == STATE_TOPIC).select("capture").distinct()
    first = controller.records.groupBy("capture").agg(F.min("ref.path").alias("never_told"))
    by_controller = whole.join(known, "capture", "left_anti").join(first, "capture")
    by_tool = _all_described(logs.observations)
    contradicted = (
        logs.txns.select("capture")
        .union(logs.places.where(F.col("topic") == STATE_TOPIC).select("capture"))
        .union(logs.observations.where(F.col("topic") == STATE_TOPIC).select("capture"))
        .union(lifecycles.coordinator.records.select("capture"))
    )
    told = by_controller.select("capture", "never_told").union(by_tool.select("capture", "never_told"))
    return told.join(contradicted.distinct(), "capture", "left_anti").groupBy("capture").agg(
        F.min("never_told").alias("never_told")
    )  # fmt: skip


def _all_described(seen: DataFrame) -> DataFrame:
    """Return the captures of which a file has the answer to kafka-topics.sh --describe for every topic."""
    asked = seen.where("observed = 'all_topics'").select("capture", "path", F.col("line").alias("asked_line"))
    answers = seen.where("observed = 'partition_count' AND line IS NOT NULL").select("capture", "path", "line")
    answered = asked.join(answers, ["capture", "path"]).where("line > asked_line")
    return answered.groupBy("capture").agg(
        F.min(F.concat("path", F.lit(":"), F.col("asked_line").cast("string"))).alias("never_told")
    )  # fmt: skip
