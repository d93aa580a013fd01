"""Data that a marker of no decision ended while its transaction ran: by hand, or forgotten (RULES A 12)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import COPYING_MS, SKEW_MS
from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN, TXN_OF_ID
from analyzer.lifecycles.matching.unseen import newest_running
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, PRODUCER_NO
from analyzer.tables.catalog import TOLD_MOMENTS
from analyzer.tables.unions import union_filled


def bare_decisions(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the complete decisions that did not end all of their data in a judged log that is on their list.

    Their marker ended none there, or it is not there, or a marker of no decision lies between it and the one of the
    decision before. For COMMIT alone that says enough: a marker of the other kind is an administrator's, while a COMMIT
    marker may be one that came again, which its own would tell.
    """
    in_log = Window.partitionBy(*PRODUCER_NO).orderBy("txn_no")
    skipped = F.col("txn_no") > F.coalesce(F.lag("txn_no").over(in_log), F.lit(-1)) + 1
    told = "completed_ms IS NOT NULL AND registered_ms IS NOT NULL AND history_whole"
    later = (
        decisions.where("txn_no IS NOT NULL")
        .withColumn("skipped", skipped)
        .where(f"skipped AND marked_from IS NOT NULL AND {told}")
    )
    none = decisions.where(f"marked_from IS NULL AND {told} AND (marker_offset IS NOT NULL OR decision = 'COMMIT')")
    bare = none.unionByName(later.drop("skipped"))
    return bare.join(logs.where("authority").select("log_no"), "log_no", "left_semi")


def running_inside(txns: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the transactions that are Ongoing, the last of their producer ids, and inside their timeouts."""
    judged = moments.select("capture", F.col("captured_at").alias("judged_ms"))
    ongoing = txns.where("is_last AND state = 'Ongoing'").join(judged, "capture")
    return ongoing.where("deadline_ms IS NULL OR deadline_ms > judged_ms").drop("judged_ms")


def running_lists(
    ongoing: DataFrame,
    records: DataFrame,
    registrations: DataFrame,
    copies: DataFrame,
    logs: DataFrame,
    moments: DataFrame,
) -> DataFrame:
    """Return the judged logs on the lists of those that their ids' newest records run, and up to when that is shown.

    reached_ms: of the newest record of its state partition. Or 60 s before the capture, if somebody told its moment and
    that copy is the coordinator's of then (RULES A 15). No marker from before that carries out a decision which is not
    here.
    """
    told = F.col("captured_at_source").isin(*TOLD_MOMENTS) & F.col("state_horizon_ms").isNull()
    copied = moments.select("capture", F.when(told, F.col("captured_at") - COPYING_MS).alias("copied_ms"))
    sound = copies.where("sound AND newest_here").join(copied, "capture")
    of_then = F.col("leader_here") | (F.col("lived_ms") >= F.col("copied_ms"))
    reached_ms = F.greatest("newest_ms", F.when(of_then, F.col("copied_ms")))
    reached = sound.select("capture", "state_partition", reached_ms.alias("reached_ms"))
    here = logs.where("authority").select("log_no", *LOG)
    named = newest_running(ongoing, records).join(registrations, list(TXN)).join(here, list(PARTITION))
    return named.join(reached, ["capture", "state_partition"])


def ended_earlier(
    asked: DataFrame,
    txns: DataFrame,
    decisions: DataFrame,
    moments: DataFrame,
    copies: DataFrame,
    transactions: DataFrame,
) -> DataFrame:
    """Return the data that a marker of the other kind and of no known decision ended before such a decision's marker.

    And what an ABORT marker of no decision ended of a transaction that runs (`running_lists`).
    It is the transaction's own if that marker came after the partition was registered, and no earlier transaction had
    the data's epoch, or the data was made nearer to the begin than to the decision before: a client makes its first
    batch, then has the transaction begun; a late write of an earlier one was made before that was decided
    (`transactions` are `coordinator_txns`). Where the decision's own marker is not here, or ended later data, no record
    of the id's state partition may be missing (`copies` are the `state_copies`). Where it is not here, that marker must
    be older than the decision, too: what came after the decision is judged with the data that waits. same_coordinator:
    both markers have the same coordinator epoch, so the state partition had one leader all the time, which lost no
    decision. `asked` are the `bare_decisions` and the `running_lists`, which have no decision.
    """
    own = decisions.where("txn_no IS NOT NULL").select(*PRODUCER_NO, F.col("txn_no").alias("ended_txn"))
    clocks = moments.select("capture", "shift_ms", F.coalesce("spread_ms", F.lit(SKEW_MS)).alias("apart_ms"))
    sound = copies.where("sound").select("capture", "state_partition")
    found = _with_earlier(asked, txns, sound).join(own, [*PRODUCER_NO, "ended_txn"], "left_anti")
    registered = F.col("registered_ms") + F.coalesce("shift_ms", F.lit(0)) + F.col("apart_ms")
    own_data = F.col("before_ms").isNull() | (2 * F.col("first_ms") > F.col("before_ms") + F.col("begun_ms"))
    reached = F.col("reached_ms") + F.coalesce("shift_ms", F.lit(0)) - F.col("apart_ms")
    against = F.coalesce(F.col("marker") != F.col("decision"), F.col("marker_ms") <= reached)
    meanwhile = (F.col("marker_ms") >= registered) & own_data
    return (
        found.join(F.broadcast(clocks), "capture")
        .join(_decided_before(found, transactions), list(TXN), "left")
        .where(meanwhile & (F.col("producer_epoch") == F.col("begin_epoch")) & against)
        .select(
            "log_no", *PRODUCER, *TXN_OF_ID, "txn_no", "first_offset", "last_offset", "records", "producer_epoch",
            "decision", "decided_ms", "state", "marker", F.col("earlier_offset").alias("marker_offset"),
            (F.col("earlier_coordinator") == F.col("own_coordinator")).alias("same_coordinator"),
            F.col("marker_offset").isNotNull().alias("has_own_marker"),
        )
    )  # fmt: skip


def _with_earlier(asked: DataFrame, txns: DataFrame, sound: DataFrame) -> DataFrame:
    """Return what is asked with the data that a marker ended earlier in that log; `sound` are state partitions."""
    before = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        *PRODUCER_NO, F.col("txn_no").alias("ended_txn"), "first_offset", "last_offset", "records",
        "producer_epoch", "first_ms", "marker", F.col("marker_offset").alias("earlier_offset"), "marker_ms",
        F.col("marker_coordinator_epoch").alias("earlier_coordinator"),
    )  # fmt: skip
    last = txns.select(*PRODUCER_NO, "txn_no", F.col("marker_coordinator_epoch").alias("own_coordinator"))
    running = asked.where("decision IS NULL")
    alone = asked.where("decision IS NOT NULL AND marker_offset IS NULL").join(
        sound, ["capture", "state_partition"], "left_semi"
    )
    marked = asked.where("marker_offset IS NOT NULL")
    sure = marked.where("marked_from IS NOT NULL").join(sound, ["capture", "state_partition"], "left_semi")
    here = marked.where("marked_from IS NULL").unionByName(sure).join(last, [*PRODUCER_NO, "txn_no"])
    with_own = here.withColumn("ended_txn", F.col("txn_no") - 1).join(before, [*PRODUCER_NO, "ended_txn"])
    without = alone.drop("txn_no").join(before, list(PRODUCER_NO)).where("marker_ms < decided_ms")
    aborted = running.drop("txn_no").join(before.where("marker = 'ABORT'"), list(PRODUCER_NO))
    return union_filled(with_own, without.unionByName(aborted).withColumn("txn_no", F.col("ended_txn")))


def _decided_before(found: DataFrame, transactions: DataFrame) -> DataFrame:
    """Return TXN and before_ms, when the one before it was decided, of the same producer id and epoch; else no row."""
    next_one = F.col("coordinator_txn") + 1
    earlier = transactions.select(
        *TXN[:-1],
        next_one.alias("coordinator_txn"),
        "producer_id",
        "begin_epoch",
        F.col("decided_ms").alias("before_ms"),
    )
    asked = found.select(*TXN, "producer_id", "begin_epoch").distinct()
    return asked.join(earlier, [*TXN, "producer_id", "begin_epoch"]).select(*TXN, "before_ms")


def with_decision(rows: DataFrame, found: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `ended_earlier`, with where their decision stands; `found` are the same without references."""
    refs = refs_of(found, records, "prepared_ref", "completed_ref", "latest_ref")
    told = rows.join(refs, list(TXN), "left")
    first, decided = F.col("first_batch.batch_ref"), F.coalesce("prepared_ref", "completed_ref", "latest_ref")
    named = told.withColumns({"first_ref": first, "decision_ref": decided})
    return named.drop("log_no", "first_batch", "prepared_ref", "completed_ref", "latest_ref")
