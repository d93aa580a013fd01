"""Where decisions were delivered and where not, and which transactions the delivered ones close."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.logs.transactions import with_marker_before
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO, partition_name


def with_undelivered(decisions: DataFrame, registered: DataFrame) -> DataFrame:
    """Add how many partitions of a decision's list show no marker of it in any replica's log.

    `decisions` are few: of some producer ids all that they have, with their markers in each log.
    """
    key = ["capture", *TXN_OF_ID]
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


def delivered_markers(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per decision, where its marker is in some judged log: one of these markers, and `names`, of all the logs.

    Columns: topic, partition, marker_offset, log_no and producer_id of that marker; names, sorted.

    `decisions` are those in each log with the marker_offset that carries them out, or null.
    """
    judged = logs.where("authority").select("log_no")
    carried = with_few(decisions.where("marker_offset IS NOT NULL"), judged, ["log_no"])
    one = F.struct("topic", "partition", "marker_offset", *PRODUCER_NO)
    return (
        carried.groupBy("capture", *TXN_OF_ID)
        .agg(F.min(one).alias("first"), F.array_sort(F.collect_set(partition_name())).alias("names"))
        .select("capture", *TXN_OF_ID, "first.*", "names")
    )


def told_marker(delivered: DataFrame) -> DataFrame:
    """Return the few `delivered_markers` as one column, `delivered_marker`, with where each stands.

    Fields: topic, partition, offset, marker_ref, names.
    """
    marker = F.struct("topic", "partition", F.col("marker_offset").alias("offset"), "marker_ref", "names")
    return delivered.select("capture", *TXN_OF_ID, marker.alias("delivered_marker"))


def early_decisions(decisions: DataFrame) -> DataFrame:
    """Return the decisions with data that may be from before the registration, which is the first for sure.

    By the timestamp of its first batch, or by its epoch.
    """
    early = F.col("registered_whole") & (
        (F.col("marked_from_ms") < F.col("registered_ms")) | (F.col("marked_from_epoch") < F.col("begin_epoch"))
    )
    return decisions.where(early).select(
        *PRODUCER_NO, "txn_no", *PARTITION, *TXN_OF_ID, "decision", "registered_ms", "registered_whole", "begin_epoch"
    )


def closed_spans(early: DataFrame, txns: DataFrame, registered: DataFrame) -> DataFrame:
    """Return the transactions with data that the markers of `early_decisions` close, with the registration."""
    key, named = [*PRODUCER_NO, "txn_no"], [*PARTITION, *TXN_OF_ID]
    spans = txns.select(
        *key, "replica", "first_offset", "last_offset", "producer_epoch", "highest_data_epoch", "first_ms",
        "marker_offset",
    )  # fmt: skip
    return with_marker_before(early.join(registered.select(*named, "registered_at"), named).join(spans, key), txns)
