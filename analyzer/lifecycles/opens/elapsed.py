"""How long a transaction has been open at least, by clients' clocks, where no broker's clock tells it (RULES D 4)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.matching.client_clocks import second
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.stages.few import with_few

PACED_MS = 10_000
"""A pace is taken only from batches that span at least this long, ms."""
TIMES_AS_FAST = 10
"""How many times as fast as the batches that are here the others may have come."""


def untold(opens: DataFrame) -> DataFrame:
    """Return the open transactions in judged logs of which no record of a coordinator tells."""
    return opens.where("authority AND has_log AND transactional_id IS NULL")


def elapsed(opens: DataFrame, batches: DataFrame) -> DataFrame:
    """Return for open transactions for how long they are open at least, by the clocks of other producers (RULES D 4).

    others_ms: from the second-oldest to the second-newest of what two or more producers stamped at later offsets; null
    for fewer. paced_ms: how long the offsets from the first open one to the log's end take ten times as fast as those
    batches came; null where they came in less than ten seconds.
    """
    asked = opens.select(*PRODUCER_NO, "first_offset", "log_end_offset")
    rows = batches.where("NOT is_control AND max_timestamp > 0")
    rows = rows.select("log_no", "base_offset", F.col("producer_id").alias("batch_id"), "max_timestamp")
    others = with_few(rows, asked, ["log_no"]).where("base_offset > first_offset AND batch_id <> producer_id")
    each = others.groupBy(*PRODUCER_NO, "first_offset", "log_end_offset", "batch_id").agg(
        F.min("max_timestamp").alias("since_ms"), F.max("max_timestamp").alias("until_ms"),
        F.min("base_offset").alias("from_offset"), F.max("base_offset").alias("to_offset"),
    )  # fmt: skip
    since = second(F.sort_array(F.collect_list("since_ms")))
    until = second(F.sort_array(F.collect_list("until_ms"), asc=False))
    together = each.groupBy(*PRODUCER_NO, "first_offset", "log_end_offset").agg(
        F.when(until.isNotNull(), F.greatest(until - since, F.lit(0))).alias("others_ms"),
        (F.max("to_offset") - F.min("from_offset")).alias("offsets"),
    )
    waiting = F.col("log_end_offset") - F.col("first_offset")
    paced = F.when(
        (F.col("others_ms") >= PACED_MS) & (F.col("offsets") > 0),
        (F.col("others_ms") * (waiting / (F.col("offsets") * TIMES_AS_FAST))).cast("bigint"),
    )
    return together.select(*PRODUCER_NO, "others_ms", paced.alias("paced_ms"))
