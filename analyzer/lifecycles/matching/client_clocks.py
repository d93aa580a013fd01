"""What clients' clocks say where no broker's clock does: the moment of a capture, how long a transaction is open."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.matching.rest import OPEN

AGREED = "at least: newest time that two producers agree on; no broker set one"
PACED_MS = 10_000
"""A pace is taken from batches of at least so long a time, ms."""
ELAPSED = ("others_ms", "paced_ms")
SLOWER = 10
"""How many times as fast as the batches that are here the others may have come."""


def bare(judged: DataFrame) -> DataFrame:
    """Return the captures that have no moment: nobody gave one, and no broker set a time."""
    return judged.where("captured_at IS NULL")


def with_agreed(bare: DataFrame, judged: DataFrame, batches: DataFrame, states: DataFrame) -> DataFrame:
    """Return `judged` with a moment for its `bare` captures, which have none: two producers reached it (RULES A 15).

    Of the newest timestamp of each producer id, in batches and in the snapshots (`states`), the second newest: one odd
    clock decides nothing. Producers without an id count as one.
    """
    written = batches.where("NOT is_control").select("capture", "producer_id", F.col("max_timestamp").alias("ms"))
    known = states.select("capture", "producer_id", F.col("timestamp").alias("ms"))
    seen = with_few(written.unionByName(known), bare.select("capture"), ["capture"]).where("ms > 0")
    newest = seen.groupBy("capture", "producer_id").agg(F.max("ms").alias("ms"))
    agreed = newest.groupBy("capture").agg(_second(F.sort_array(F.collect_list("ms"), asc=False)).alias("agreed_ms"))
    told = judged.join(agreed, "capture", "left")
    by_clients = F.col("captured_at").isNull() & F.col("agreed_ms").isNotNull()
    return told.select(
        "capture",
        F.coalesce("captured_at", "agreed_ms").alias("captured_at"),
        F.when(by_clients, AGREED).otherwise(F.col("captured_at_source")).alias("captured_at_source"),
    )


def untold(opens: DataFrame) -> DataFrame:
    """Return the open transactions of which no record of a coordinator tells."""
    return opens.where("authority AND has_log AND transactional_id IS NULL")


def with_elapsed(asked: DataFrame, opens: DataFrame, batches: DataFrame) -> DataFrame:
    """Return `opens` with others_ms and paced_ms of those that are `asked` about (see `elapsed`)."""
    return opens.drop(*ELAPSED).join(elapsed(asked, batches), list(OPEN), "left")


def elapsed(opens: DataFrame, batches: DataFrame) -> DataFrame:
    """Return for open transactions for how long they are open at least, by the clocks of other producers (RULES D 4).

    others_ms: from the second-oldest to the second-newest of what two or more producers stamped at later offsets; null
    for fewer. paced_ms: how long the offsets from the first open one to the log's end take ten times as fast as those
    batches came; null where they came in less than ten seconds.
    """
    asked = opens.select(*OPEN, "log_no", "log_end_offset")
    rows = batches.where("NOT is_control AND max_timestamp > 0").select(
        "log_no", "base_offset", F.col("producer_id").alias("batch_id"), "max_timestamp"
    )
    others = with_few(rows, asked, ["log_no"]).where("base_offset > first_offset AND batch_id <> producer_id")
    each = others.groupBy(*OPEN, "log_end_offset", "batch_id").agg(
        F.min("max_timestamp").alias("since_ms"), F.max("max_timestamp").alias("until_ms"),
        F.min("base_offset").alias("from_offset"), F.max("base_offset").alias("to_offset"),
    )  # fmt: skip
    since = _second(F.sort_array(F.collect_list("since_ms")))
    until = _second(F.sort_array(F.collect_list("until_ms"), asc=False))
    together = each.groupBy(*OPEN, "log_end_offset").agg(
        F.greatest(until - since, F.lit(0)).alias("others_ms"),
        (F.max("to_offset") - F.min("from_offset")).alias("offsets"),
    )
    waiting = F.col("log_end_offset") - F.col("first_offset")
    paced = F.when(
        (F.col("others_ms") >= PACED_MS) & (F.col("offsets") > 0),
        (F.col("others_ms") * (waiting / (F.col("offsets") * SLOWER))).cast("bigint"),
    )
    return together.select(*OPEN, "others_ms", paced.alias("paced_ms"))


def _second(ordered: Column) -> Column:
    """Return the second value of an array, null where there is none."""
    return F.get(ordered, F.lit(1))
