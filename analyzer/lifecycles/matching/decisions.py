"""Each decision in each log that it names, with its marker, and the transactions that matched markers close."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.matching.pairs import DECISION
from analyzer.lifecycles.placing import LOG, PRODUCER


def with_markers(decided: DataFrame, matched: DataFrame) -> DataFrame:
    """Return each decision in each log that it names, with the marker that carries it out here, or null.

    undelivered: how many partitions of its list show no marker of it in any replica's log.
    """
    pairs = matched.select(*PRODUCER, *DECISION, "marker_offset", "txn_no")
    joined = decided.join(pairs, [*PRODUCER, *DECISION], "left")
    there = joined.where("marker_offset IS NOT NULL").select("capture", *DECISION, "topic", "partition").distinct()
    counted = there.groupBy("capture", *DECISION).agg(F.count("*").cast("int").alias("delivered"))
    return (
        joined.join(counted, ["capture", *DECISION], "left")
        .withColumn("undelivered", F.col("listed") - F.coalesce("delivered", F.lit(0)))
        .drop("delivered")
    )


def closing_decisions(txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the first offset and the decision's time of every transaction with a matched marker."""
    pairs = decisions.where("marker_offset IS NOT NULL").select(*PRODUCER, "txn_no", "decided_ms")
    return (
        txns.where("first_offset IS NOT NULL")
        .join(pairs, [*PRODUCER, "txn_no"])
        .select(*LOG, "first_offset", "decided_ms")
    )


def closed_spans(txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the transactions with data that a matched marker closes, with the decision and the registration."""
    closed = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").drop("marker_offset")
    pairs = decisions.where("marker_offset IS NOT NULL").select(
        *PRODUCER, *DECISION, "txn_no", "marker_offset", "decision", "decided_ms", "begun_ms", "registered_ms",
        "registered_ref", "registered_whole", "prepared",
    )  # fmt: skip
    return closed.join(pairs, [*PRODUCER, "txn_no"])
