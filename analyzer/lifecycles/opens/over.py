"""Which open transactions have ended since their log was copied, by later answers of admin tools (RULES F 8)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.answers.ordering import marked_ms
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO, placed

OF_PRODUCER = (*PARTITION, "producer_id")
OF_ID = ("capture", "transactional_id", "producer_id")


def over_of(opens: DataFrame, answers: DataFrame, places: DataFrame, times: DataFrame) -> DataFrame:
    """Return the open transactions that an answer from after the end of their log shows ended: `over`, true.

    A leader's answer has the producer id without an open transaction, and the time of a marker that is newer than all
    that brokers stamped in this log (`reach_ms` of `times`): that marker is beyond its end. Or it has one open from the
    log's end on: a producer id has one at a time in a partition. Where no time of a broker is in the log, it must begin
    at offset 0 and not be cleaned, or the marker may have been there. Or its coordinator has completed the transaction
    that the records call running, or a later one: it does so when every marker is written.
    """
    asked = opens.where("has_log").select(
        *OF_PRODUCER, "log_no", "log_start_offset", "log_end_offset", "cleaner_checkpoint", "transactional_id",
        "running.begun_ms",
    )  # fmt: skip
    told = placed(answers, places)
    complete = told.where("asked = 'describe_transaction' AND state LIKE 'Complete%' AND producer_id >= 0")
    completed = complete.groupBy(*OF_ID).agg(F.max("started_ms").alias("completed_start_ms"))
    both = (
        asked.join(F.broadcast(_of_leaders(told)), list(OF_PRODUCER), "left")
        .join(_without_row(asked, told), list(OF_PRODUCER), "left")
        .join(F.broadcast(completed), list(OF_ID), "left")
        .withColumn("ended_ms", F.coalesce("ended_ms", F.when(F.col("next_offset").isNull(), F.col("unlisted_ms"))))
        .where("ended_ms IS NOT NULL OR next_offset IS NOT NULL OR completed_start_ms IS NOT NULL")
        .join(times.select(*PRODUCER_NO, "reach_ms"), list(PRODUCER_NO), "left")
    )
    whole = (F.col("log_start_offset") == 0) & F.col("cleaner_checkpoint").isNull()
    since = F.coalesce("reach_ms", F.when(whole, F.lit(0)))
    ended, begun_later = F.col("ended_ms") > since, F.col("next_offset") >= F.col("log_end_offset")
    over = ended | begun_later | (F.col("completed_start_ms") >= F.col("begun_ms"))
    return both.where(over).select(*PRODUCER_NO, F.lit(True).alias("over"))


def _of_leaders(answers: DataFrame) -> DataFrame:
    """Return of each producer id in a partition the newest marker that a leader told, and its newest open begin."""
    leaders = "asked IN ('describe_producers', 'find_hanging')"
    told = answers.where(f"{leaders} AND topic IS NOT NULL AND partition IS NOT NULL")
    ended, begun = F.max(marked_ms()).alias("ended_ms"), F.max("first_offset").alias("next_offset")
    return told.groupBy(*OF_PRODUCER).agg(ended, begun)


def _without_row(asked: DataFrame, answers: DataFrame) -> DataFrame:
    """Return the newest marker that an answer about its partition tells which does not name the producer id."""
    told = answers.where("asked = 'describe_producers' AND topic IS NOT NULL AND partition IS NOT NULL")
    marked, named = F.max(marked_ms()).alias("marked_ms"), F.collect_set("producer_id").alias("named")
    tables = told.groupBy(*PARTITION, "path").agg(marked, named)
    without = asked.join(F.broadcast(tables), list(PARTITION)).where(~F.array_contains("named", F.col("producer_id")))
    return without.groupBy(*OF_PRODUCER).agg(F.max("marked_ms").alias("unlisted_ms"))
