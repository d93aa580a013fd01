"""Captures of clusters that have no topic __transaction_state: no transaction was ever begun on them."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC


def state_topic_untold(logs: DataFrame, seen: DataFrame, topics: DataFrame, records: DataFrame) -> DataFrame:
    """Return the captures of which a file tells all topics, and not this one, with the file that tells (`never_told`).

    A coordinator creates it when the first producer with a transactional id looks for one. It is not there if the
    controllers' log, known as a whole, has no record of it, or if kafka-topics.sh described all topics without it.
    `logs`, `topics` and `records` are those of the controllers' log, `seen` the placed observations.
    """
    whole = logs.where("complete AND undecoded_records = 0").select("capture").distinct()
    known = topics.where(F.col("topic") == STATE_TOPIC).select("capture").distinct()
    first = records.groupBy("capture").agg(F.min("ref.path").alias("never_told"))
    by_controller = whole.join(known, "capture", "left_anti").join(first, "capture")
    told = by_controller.select("capture", "never_told").union(_all_described(seen).select("capture", "never_told"))
    named = seen.where(F.col("topic") == STATE_TOPIC).select("capture").distinct()
    return told.join(named, "capture", "left_anti").groupBy("capture").agg(F.min("never_told").alias("never_told"))


def without_state_topic(
    untold: DataFrame, txns: DataFrame, places: DataFrame, records: DataFrame, answers: DataFrame
) -> DataFrame:
    """Return those captures whose cluster has no such topic: no transaction, id, file or record contradicts."""
    contradicted = (
        txns.select("capture")
        .union(places.where(F.col("topic") == STATE_TOPIC).select("capture"))
        .union(records.select("capture"))
        .union(answers.where("transactional_id IS NOT NULL OR first_offset IS NOT NULL").select("capture"))
    )
    return untold.join(contradicted.distinct(), "capture", "left_anti")


def _all_described(seen: DataFrame) -> DataFrame:
    """Return the captures of which a file has the answer of kafka-topics.sh or kcat about every topic."""
    asked = seen.where("observed = 'all_topics'").select("capture", "path", F.col("line").alias("asked_line"))
    answers = seen.where("observed = 'partition_count' AND line IS NOT NULL").select("capture", "path", "line")
    answered = asked.join(answers, ["capture", "path"]).where("line > asked_line")
    return answered.groupBy("capture").agg(
        F.min(F.concat("path", F.lit(":"), F.col("asked_line").cast("string"))).alias("never_told")
    )  # fmt: skip
