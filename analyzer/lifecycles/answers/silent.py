"""Coordinators that answer nobody: find-hanging takes what such a one runs for hanging (RULES F 10)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC


def silent_coordinators(unled: DataFrame, log_lines: DataFrame) -> DataFrame:
    """Return for each capture where it says that not every coordinator answered: `silent_by`, file and line.

    A partition of __transaction_state without a leader has no coordinator. A coordinator that did not describe an id
    may not be up, or not allow the asker to see it; either way it is not among those that find-hanging lists.
    """
    without = unled.where(F.col("topic") == STATE_TOPIC).select("capture", F.col("unled_by").alias("silent_by"))
    failed = log_lines.where("says = 'not_answered' AND transactional_id IS NOT NULL").select(
        "capture", F.concat("path", F.lit(":"), F.col("line").cast("string")).alias("silent_by")
    )
    first = [rows.groupBy("capture").agg(F.min("silent_by").alias("silent_by")) for rows in (without, failed)]
    named = first[0].join(first[1].withColumnRenamed("silent_by", "failed_at"), "capture", "full")
    return named.select("capture", F.coalesce("silent_by", "failed_at").alias("silent_by"))
