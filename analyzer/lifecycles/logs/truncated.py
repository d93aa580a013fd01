"""The records that a truncation took out of a log: those that the copy that parted from it still has (KIP-101)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.stages.few import with_few

NAMED = 5
"""Producers that a row names at most, those with the most records first."""


def truncated(divergences: DataFrame, batches: DataFrame, txns: DataFrame) -> DataFrame:
    """Return rows of `truncated`: what a copy has of older leader epochs at or beyond the start of the next one.

    A record counts as committed if that copy has the COMMIT marker of its transaction, and as plain if it was written
    outside of transactions. A partition whose copy has nothing but markers there has no row.
    """
    cut = divergences.where("new_epoch IS NOT NULL").select(*LOG, "new_epoch", "start_offset")
    above = "NOT is_control AND base_offset >= start_offset AND partition_leader_epoch < new_epoch"
    beyond = with_few(batches, cut, LOG).where(above)
    spans = txns.where("first_offset IS NOT NULL").select(
        *PRODUCER, F.col("first_offset").alias("span_first"), F.col("last_offset").alias("span_last"),
        F.col("marker").alias("ending"),
    )  # fmt: skip
    inside = F.col("is_transactional") & F.col("base_offset").between(F.col("span_first"), F.col("span_last"))
    rows = beyond.join(spans.hint("broadcast"), list(PRODUCER), "left").where(inside | ~F.col("is_transactional"))
    each = rows.dropDuplicates([*LOG, "base_offset"])
    each = each.withColumn("held", F.coalesce("count", F.col("last_offset") - F.col("base_offset") + 1))
    plain = ~F.col("is_transactional")
    per_producer = each.groupBy(*LOG, "new_epoch", "producer_id").agg(
        F.min(F.struct("base_offset", "batch_ref")).alias("first"),
        F.max("last_offset").alias("last_offset"),
        F.sum("held").alias("held"),
        F.sum(F.when(~plain & (F.col("ending") == "COMMIT"), F.col("held")).otherwise(0)).alias("committed"),
        F.sum(F.when(plain, F.col("held")).otherwise(0)).alias("plain"),
    )
    named = F.col("producer_id") >= 0
    most = F.sort_array(F.collect_list(F.when(named, F.struct("held", "producer_id"))), asc=False)
    return (
        per_producer.groupBy(*LOG, "new_epoch")
        .agg(
            F.min("first").alias("first"),
            F.max("last_offset").alias("last_offset"),
            F.sum("held").alias("records"),
            F.sum("committed").alias("committed"),
            F.sum("plain").alias("plain"),
            F.count_if(named).alias("producers"),
            F.slice(F.transform(most, lambda one: one["producer_id"]), 1, NAMED).alias("producer_ids"),
        )
        .select(
            *LOG, "new_epoch", F.col("first.base_offset").alias("first_offset"), "last_offset", "records", "committed",
            "plain", "producers", "producer_ids", F.col("first.batch_ref").alias("first_ref"),
        )
    )  # fmt: skip
