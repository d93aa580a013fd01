"""Coordinators that answer nobody: find-hanging takes what such a one runs for hanging (RULES F 10)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.settings import AUTHORIZER
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.placing import at_line


def silent_coordinators(unled: DataFrame, log_lines: DataFrame) -> DataFrame:
    """Return for each capture where it says that not every coordinator answered: `silent_by`, file and line.

    A partition of __transaction_state without a leader has no coordinator. A coordinator that did not describe an id
    may not be up, or not allow the asker to see it; either way it is not among those that find-hanging lists.
    """
    without = unled.where(F.col("topic") == STATE_TOPIC).select("capture", F.lit(0), "unled_by")
    failed = log_lines.where("says = 'not_answered' AND transactional_id IS NOT NULL")
    told = without.union(failed.select("capture", F.lit(1), at_line())).toDF("capture", "turn", "by")
    return told.groupBy("capture").agg(F.min(F.struct("turn", "by"))["by"].alias("silent_by"))


def all_coordinators(seen: DataFrame, log_lines: DataFrame, places: DataFrame) -> DataFrame:
    """Return for each capture by what every coordinator was there, and answers whoever asks (RULES F 10 a).

    `led`: the texts that show a leader for each partition of __transaction_state, of as many as they say there are:
    path, file and line, and when collect.sh wrote them; null for none. `open_by`: file and line by which no broker
    here has an authorizer, so that no answer leaves out what its asker may not see.
    """
    told = seen.where((F.col("topic") == STATE_TOPIC) & F.col("observed").isin("partition_count", "partition_leader"))
    leads = F.col("observed") == "partition_leader"
    texts = told.groupBy("capture", "path").agg(
        F.min(F.when(~leads, F.col("number"))).alias("fewest"),
        F.max(F.when(~leads, F.col("number"))).alias("most"),
        F.countDistinct(F.when(leads, F.col("partition"))).alias("named"),
        F.min(F.when(leads, F.coalesce("number", F.lit(-1)))).alias("lowest"),
        F.min("line").alias("line"),
    )
    written = places.where("copied_at IS NOT NULL").groupBy("capture", "path").agg(F.max("copied_at").alias("written"))
    led = (
        texts.where("fewest = most AND named = most AND lowest >= 0")
        .join(written, ["capture", "path"], "left")
        .groupBy("capture")
        .agg(F.collect_list(F.struct("path", at_line().alias("led_by"), "written")).alias("led"))
    )
    return led.join(_open(seen, log_lines), "capture", "full")


def led_beside() -> Column:
    """By what every coordinator was there when find-hanging asked: of the same text, or of the same collect.sh.

    A leader that another day's text names may have been away since.
    """
    near = f"one.path = hanging_ref.path OR abs(one.written - hanging_at) <= {COPYING_MS}"
    return F.expr(f"array_min(transform(filter(led, one -> coalesce({near}, false)), one -> one.led_by))")


def _open(seen: DataFrame, log_lines: DataFrame) -> DataFrame:
    """Return the captures in which a broker has no authorizer, and none has one: `open_by`."""
    told = seen.where((F.col("observed") == "setting") & (F.col("name") == AUTHORIZER)).select(
        "capture", (~F.col("text").rlike(r"^\S*: ?(null)?$")).alias("guarded"), at_line().alias("open_by")
    )
    refused = log_lines.where("says = 'no_authorizer'")
    refused = refused.select("capture", F.lit(False).alias("guarded"), at_line().alias("open_by"))
    every = told.unionByName(refused).groupBy("capture")
    rows = every.agg(F.max("guarded").alias("guarded"), F.min("open_by").alias("open_by"))
    return rows.where("NOT guarded").select("capture", "open_by")
