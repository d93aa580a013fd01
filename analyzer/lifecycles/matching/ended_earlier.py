"""Data that a marker against the later decision ended while its transaction ran: by hand, or forgotten (RULES A 12)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.moments import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN, TXN_OF_ID
from analyzer.lifecycles.placing import PRODUCER, PRODUCER_NO


def bare_decisions(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the complete decisions whose marker in a judged log ended no data, although the log is on their list."""
    told = "completed_ms IS NOT NULL AND registered_ms IS NOT NULL AND marker_offset IS NOT NULL"
    bare = decisions.where(f"marked_from IS NULL AND history_whole AND {told}")
    return bare.join(logs.where("authority").select("log_no"), "log_no", "left_semi")


def ended_earlier(bare: DataFrame, txns: DataFrame, decisions: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the data before such a marker that a marker of the other kind and of no known decision ended.

    It is the transaction's own if that marker came after the partition was registered, and the data was made after the
    transaction began: a late write of an earlier one was made before that. same_coordinator: both markers have the same
    coordinator epoch, so the state partition had one leader all the time, which lost no decision.
    """
    before = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        *PRODUCER_NO, (F.col("txn_no") + 1).alias("txn_no"), "first_offset", "last_offset", "records",
        "producer_epoch", "first_ms", "marker", F.col("marker_offset").alias("earlier_offset"), "marker_ms",
        F.col("marker_coordinator_epoch").alias("earlier_coordinator"),
    )  # fmt: skip
    last = txns.select(*PRODUCER_NO, "txn_no", F.col("marker_coordinator_epoch").alias("own_coordinator"))
    own = decisions.where("txn_no IS NOT NULL").select(*PRODUCER_NO, (F.col("txn_no") + 1).alias("txn_no"))
    clocks = moments.select("capture", "shift_ms", F.coalesce("spread_ms", F.lit(SKEW_MS)).alias("apart_ms"))
    key = [*PRODUCER_NO, "txn_no"]
    found = bare.join(before, key).join(last, key).join(own, key, "left_anti")
    registered = F.col("registered_ms") + F.coalesce("shift_ms", F.lit(0)) + F.col("apart_ms")
    meanwhile = (F.col("marker_ms") >= registered) & (F.col("first_ms") >= F.col("begun_ms"))
    return (
        found.join(F.broadcast(clocks), "capture")
        .where(meanwhile & (F.col("producer_epoch") == F.col("begin_epoch")) & (F.col("marker") != F.col("decision")))
        .select(
            "log_no", *PRODUCER, *TXN_OF_ID, "txn_no", "first_offset", "last_offset", "records", "producer_epoch",
            "decision", "decided_ms", "state", "marker", F.col("earlier_offset").alias("marker_offset"),
            (F.col("earlier_coordinator") == F.col("own_coordinator")).alias("same_coordinator"),
        )
    )  # fmt: skip


def with_decision(rows: DataFrame, found: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `ended_earlier`, with where their decision stands; `found` are the same without references."""
    refs = refs_of(found, records, "prepared_ref", "completed_ref")
    told = rows.join(refs, list(TXN), "left")
    first, decided = F.col("first_batch.batch_ref"), F.coalesce("prepared_ref", "completed_ref")
    named = told.withColumns({"first_ref": first, "decision_ref": decided})
    return named.drop("log_no", "first_batch", "prepared_ref", "completed_ref")
