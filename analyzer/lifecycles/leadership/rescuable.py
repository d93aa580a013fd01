"""The committed records that the leader no longer has and another copy still has, until its broker truncates it."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.logs.leader_epochs import beyond, epochs_of_judged
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, PRODUCER_NO
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

SPAN = (*PRODUCER, "txn_no")
SAME = (*PARTITION, "producer_id", "first_offset", "partition_leader_epoch")
"""What names the same data in several copies."""


def cut_data(parted: DataFrame, batches: DataFrame, logs: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the transactional batches of any copy that the next leader epoch of the judged one cuts off (KIP-101).

    `parted` are `divergences`, of which only the partitions count: each copy is asked.
    """
    here = logs.join(parted.select(*PARTITION), list(PARTITION), "left_semi")
    judged = here.where("authority AND has_log")
    followers = here.where("NOT authority AND has_log").select(*LOG)
    cut = beyond(batches, followers, epochs_of_judged(judged, epochs))
    data = cut.where("is_transactional AND NOT is_control AND producer_id >= 0").drop(
        "marker", "is_transactional", "is_control"
    )
    starts = judged.select(*PARTITION, F.col("replica").alias("authority_replica"))
    return data.join(starts, list(PARTITION)).join(logs.select(*LOG, "log_no"), list(LOG))


def cut_commits(data: DataFrame, txns: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the committed ones of them, a row per transaction and copy, with their decision (RULES E 9).

    A transaction is committed if the copy has its COMMIT marker, or if its data there is open and the next decision of
    its producer id is COMMIT: the client had its answer before any marker. `spread`: it began before the cut, and the
    leader has the rest of it.
    """
    spans = txns.join(data.select(*PRODUCER).distinct(), list(PRODUCER), "left_semi").where("first_offset IS NOT NULL")
    own = spans.select(
        *SPAN, F.col("first_offset").alias("span_first"), F.col("last_offset").alias("span_last"), "producer_epoch",
        "marker", "marker_offset", "marker_epoch", "first_ms", "last_ms",
    )  # fmt: skip
    inside = with_few(data, own, PRODUCER).where("base_offset BETWEEN span_first AND span_last")
    line = F.struct("base_offset", "batch_ref", "partition_leader_epoch")
    cut = F.min(F.struct("start_offset", "new_epoch", "epoch_ref")).alias("cut")
    parts = inside.groupBy(*SPAN, "log_no", "authority_replica").agg(
        F.min(line).alias("first"), cut, F.max("last_offset").alias("last_offset"),
        F.sum(F.coalesce("count", F.col("last_offset") - F.col("base_offset") + 1)).alias("records"),
        F.min("span_first").alias("span_first"),
        *[F.first(name).alias(name) for name in ("producer_epoch", "marker", "marker_offset", "first_ms", "last_ms")],
    )  # fmt: skip
    told = parts.withColumns(
        {
            "first_offset": F.col("first.base_offset"),
            "first_ref": F.col("first.batch_ref"),
            "partition_leader_epoch": F.col("first.partition_leader_epoch"),
            **{name: F.col(f"cut.{name}") for name in ("start_offset", "new_epoch", "epoch_ref")},
        }
    ).drop("first", "cut")
    return _decided(told, decisions).withColumn("spread", F.col("span_first") < F.col("start_offset"))


def _decided(rows: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the committed rows with the coordinator's decision: that of their marker, or the next one without."""
    named = (*TXN_OF_ID, "decision", "decided_ms")
    key = [*PRODUCER_NO, "txn_no"]
    matched = decisions.where("marker_offset IS NOT NULL").select(*key, *named)
    marked = rows.where("marker = 'COMMIT'").join(matched, key, "left")
    last = Window.partitionBy(*PRODUCER_NO)
    matched_rank = F.when(F.col("marker_offset").isNotNull(), F.col("rank"))
    ranked = decisions.withColumn("matched", F.max(matched_rank).over(last))
    waiting = ranked.where("marker_offset IS NULL AND (matched IS NULL OR rank > matched)")
    first = first_of_each(waiting, PRODUCER_NO, ("rank",), 1)
    following = first.select(*PRODUCER_NO, *named, "begun_ms", "decision_epoch")
    fits = (
        (F.col("decision") == "COMMIT")
        & (F.col("producer_epoch") <= F.col("decision_epoch"))
        & (F.coalesce("begun_ms", "first_ms") <= F.col("first_ms") + SKEW_MS)
        & (F.col("last_ms") <= F.col("decided_ms") + SKEW_MS)
    )
    open_ = rows.where("marker_offset IS NULL").join(following, list(PRODUCER_NO)).where(fits)
    return marked.unionByName(open_.drop("begun_ms", "decision_epoch"))


def rescuable(rows: DataFrame, logs: DataFrame, producers: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `rescuable`, without the markers' lines: each transaction once, in the copy with most of it.

    `also_on` are the other copies that have its first batch too; `records` are the coordinator's.
    """
    copies = rows.join(logs.select(*LOG, "log_end_offset"), list(LOG))
    held = copies.withColumn("holders", F.array_sort(F.collect_set("replica").over(Window.partitionBy(*SAME))))
    best = (F.desc("records"), F.col("marker_offset").isNull(), F.desc("log_end_offset"), "replica")
    once = first_of_each(held, SAME, best, 1)
    ids = producers.select("capture", "producer_id", F.col("transactional_id").alias("known_id"))
    refs = refs_of(once.where("coordinator_txn IS NOT NULL"), records, "prepared_ref", "completed_ref")
    told = once.join(ids, ["capture", "producer_id"], "left").join(refs, ["capture", *TXN_OF_ID], "left")
    return told.select(
        *LOG, "log_no", "producer_id", "txn_no", F.coalesce("transactional_id", "known_id").alias("transactional_id"),
        "producer_epoch", "first_offset", "last_offset", "records", "spread", "first_ref", "marker_offset",
        "decided_ms", F.coalesce("prepared_ref", "completed_ref").alias("decision_ref"),
        F.array_except("holders", F.array("replica")).alias("also_on"), "authority_replica", "new_epoch",
        "start_offset", "epoch_ref",
    )  # fmt: skip
