"""Each decision in each log that it names, with its marker, and the transactions that matched markers close."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.matching.pairs import DECISION
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO, partition_name, with_log


def with_markers(decided: DataFrame, matched: DataFrame, logs: DataFrame) -> DataFrame:
    """Return each decision in each log that it names, with the marker that carries it out here, or null.

    `matched` are the pairs: the producer's key, the decision's rank, marker_offset and txn_no.
    """
    marked = decided.join(matched, [*PRODUCER_NO, "rank"], "left")
    return with_log(marked.drop("capture"), logs)


def with_undelivered(decisions: DataFrame, registered: DataFrame) -> DataFrame:
    """Add how many partitions of a decision's list show no marker of it in any replica's log.

    `decisions` are few: of some producer ids all that they have, with their markers in each log.
    """
    key = ["capture", *DECISION]
    there = decisions.where("marker_offset IS NOT NULL").select(*key, "topic", "partition").distinct()
    delivered = there.groupBy(*key).agg(F.count("*").alias("delivered"))
    asked = registered.join(decisions.select(*key).distinct(), key, "left_semi")
    listed = asked.groupBy(*key).agg(F.count("*").alias("listed"))
    missing = F.coalesce("listed", F.lit(0)) - F.coalesce("delivered", F.lit(0))
    return (
        decisions.join(delivered, key, "left")
        .join(listed, key, "left")
        .withColumn("undelivered", missing.cast("int"))
        .drop("delivered", "listed")
    )


def delivered_markers(decisions: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per decision, where its marker is in some judged log, `delivered_marker`: one of them.

    Fields: topic, partition, offset, marker_ref, names (all of them, sorted). `decisions` are those in each log
    with the marker_offset that carries them out, or null.
    """
    judged = logs.where("authority").select("log_no")
    carried = with_few(decisions.where("marker_offset IS NOT NULL"), judged, ["log_no"])
    lines = txns.select(*PRODUCER_NO, "txn_no", "marker_ref")
    there = carried.join(lines, [*PRODUCER_NO, "txn_no"])
    name = partition_name()
    return (
        there.groupBy("capture", *DECISION)
        .agg(
            F.min(F.struct("topic", "partition", F.col("marker_offset").alias("offset"), "marker_ref")).alias("first"),
            F.array_sort(F.collect_set(name)).alias("names"),
        )
        .select("capture", *DECISION, F.struct("first.*", "names").alias("delivered_marker"))
    )


def closing_decisions(txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return log_no, first_offset and decided_ms of every transaction with a matched marker."""
    pairs = decisions.where("marker_offset IS NOT NULL").select(*PRODUCER_NO, "txn_no", "decided_ms")
    begun = txns.where("first_offset IS NOT NULL").select(*PRODUCER_NO, "txn_no", "first_offset")
    return begun.join(pairs, [*PRODUCER_NO, "txn_no"]).select("log_no", "first_offset", "decided_ms")


CLOSED = "marker_offset IS NOT NULL AND first_offset IS NOT NULL"
"""Which transactions have data and a marker."""


def closed_spans(txns: DataFrame, decisions: DataFrame, registered: DataFrame, hold: Hold) -> DataFrame:
    """Return the transactions with data that a matched marker closes, with the decision and the registration.

    Only those whose first batch has a timestamp before the registration, and whose registration is the first for sure.
    They are found with few columns; the others are joined to those that were found.
    """
    key, named = [*PRODUCER_NO, "txn_no"], [*PARTITION, *DECISION]
    early = hold.few(hold.in_shares("log_no", lambda only: _early(only(txns), only(decisions))))
    spans = txns.where(CLOSED).select(
        *key, "replica", "first_offset", "last_offset", "producer_epoch", "first_batch", "previous_marker_offset",
        "previous_marker", "marker_offset", "marker_ref",
    )  # fmt: skip
    return early.join(registered.select(*named, "registered_at"), named).join(spans, key)


def _early(txns: DataFrame, decisions: DataFrame) -> DataFrame:
    begun = txns.where(CLOSED).select(*PRODUCER_NO, "txn_no", F.col("first_batch.max_timestamp").alias("begun_ms"))
    sure = decisions.where("marker_offset IS NOT NULL AND registered_whole").select(
        *PRODUCER_NO, "txn_no", *PARTITION, *DECISION, "decision", "registered_ms", "registered_whole"
    )
    return begun.join(sure, [*PRODUCER_NO, "txn_no"]).where("begun_ms < registered_ms").drop("begun_ms")
