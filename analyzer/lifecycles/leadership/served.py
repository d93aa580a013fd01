"""Which partition of __transaction_state served a producer id whose own records are not here, by its markers."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import STATE_TOPIC

OF_PRODUCER = ("capture", "producer_id")


def served_by(elected: DataFrame, txns: DataFrame, logs: DataFrame, seen: DataFrame, known: DataFrame) -> DataFrame:
    """Return rows of `served_by` (RULES E 6), with the offset of the newest marker instead of where it stands.

    `known` are the producer ids of __transaction_state. A marker carries the leader epoch that its state partition had
    then, so only partitions fit that had those epochs at those moments. Where no partition fits all markers of a
    producer id, it has no row.
    """
    judged = logs.where("authority").select("log_no")
    marked = txns.where("marker_coordinator_epoch IS NOT NULL AND marker_ms IS NOT NULL").join(judged, "log_no")
    unknown = marked.join(known.select(*OF_PRODUCER), list(OF_PRODUCER), "left_anti")
    spans = unknown.groupBy(*OF_PRODUCER, F.col("marker_coordinator_epoch").alias("leader_epoch")).agg(
        F.count("*").alias("markers"),
        F.min("marker_ms").alias("first_ms"),
        F.max(F.struct("marker_ms", "topic", "partition", "marker_offset", "log_no")).alias("newest"),
    )
    reigns = elected.where(F.col("topic") == STATE_TOPIC).select(
        "capture", "leader_epoch", "partition", "leader_id", F.col("changed_ms").alias("since_ms"), "led_until_ms"
    )
    inside = (F.coalesce("since_ms", F.lit(0)) - SKEW_MS <= F.col("first_ms")) & F.coalesce(
        F.col("newest.marker_ms") <= F.col("led_until_ms") + SKEW_MS, F.lit(True)
    )
    reign = F.struct("since_ms", "leader_id")
    fitting = (
        spans.join(reigns, ["capture", "leader_epoch"])
        .where(inside)
        .groupBy(*OF_PRODUCER, "partition")
        .agg(
            F.sum("markers").alias("fitting"),
            F.max(F.struct("newest", reign.alias("reign"))).alias("newest"),
        )
    )
    total = spans.groupBy(*OF_PRODUCER).agg(F.sum("markers").alias("markers"))
    return (
        fitting.join(total, list(OF_PRODUCER))
        .where("fitting = markers")
        .groupBy(*OF_PRODUCER, "markers")
        .agg(
            F.array_sort(F.collect_set("partition")).alias("state_partitions"),
            F.max("newest").alias("newest"),
            F.count("*").alias("fits"),
        )
        .join(_names(seen), list(OF_PRODUCER), "left")
        .select(
            *OF_PRODUCER, "transactional_id", "markers", "state_partitions",
            F.when(F.col("fits") == 1, F.col("newest.reign.leader_id")).alias("coordinator"),
            F.when(F.col("fits") == 1, F.col("newest.reign.since_ms")).alias("since_ms"),
            *[F.col(f"newest.newest.{name}").alias(name) for name in ("marker_ms", "marker_offset", "log_no")],
        )
    )  # fmt: skip


def _names(seen: DataFrame) -> DataFrame:
    """Return the transactional ids of producer ids, by pasted output of kafka-transactions.sh."""
    told = seen.where("observed = 'transaction' AND name IS NOT NULL AND number IS NOT NULL")
    return told.groupBy("capture", F.col("number").alias("producer_id")).agg(F.max("name").alias("transactional_id"))
