"""What markers and the coordinator's history say of each open transaction (RULES A 5, 6, 10)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.matching.delivered import with_undelivered
from analyzer.lifecycles.pairing.decided import histories, history_whole, markers, with_original
from analyzer.lifecycles.placing import PRODUCER_NO

NAMED = ("capture", "topic", "partition", "producer_id")


def with_history(
    opens: DataFrame,
    txns: DataFrame,
    repeated: DataFrame,
    decisions: DataFrame,
    coordinator: DataFrame,
    registered: DataFrame,
    known: DataFrame,
) -> DataFrame:
    """Return the open transactions with everything that the verdicts ask about them (RULES A 5, 6, 10).

    ids: transactional_id, highest_epoch, newest (the id's newest record). lost: the first decision after the last
    matched marker that names this log and has no marker here. ended: the decision that the marker before this
    transaction carried out, or repeats. running: the producer id's newest coordinator transaction, if Ongoing and with
    this partition.
    lists: all_lists_known, history_whole, last_named_txn (the last that names this partition), named_by_latest.
    """
    ids = F.broadcast(opens.select("capture", "producer_id").distinct())
    txns, decisions, coordinator = (
        rows.join(ids, ["capture", "producer_id"], "left_semi") for rows in (txns, decisions, coordinator)
    )
    decisions = with_undelivered(decisions, registered)
    matched = decisions.where("marker_offset IS NOT NULL")
    newest = _newest(coordinator)
    committed = _committed(txns, repeated, matched)
    asked = opens.select("log_no", *NAMED, "txn_no")
    of_txn = ["capture", *TXN_OF_ID]
    named = coordinator.select(*of_txn, "producer_id").join(registered, of_txn)
    last_named = named.groupBy(*NAMED).agg(F.max("coordinator_txn").alias("last_named_txn"))
    latest = newest.select("capture", "producer_id", *[F.col(f"latest_txn.{name}").alias(name) for name in TXN_OF_ID])
    named_by_latest = latest.join(registered, of_txn).select(*NAMED, F.lit(True).alias("named_by_latest")).distinct()
    told = (
        _with_ended(asked, txns, repeated, matched)
        .join(_lost(decisions, matched), list(PRODUCER_NO), "left")
        .join(_running(coordinator, registered, committed), list(NAMED), "left")
        .join(committed, ["capture", "producer_id"], "left")
        .join(last_named, list(NAMED), "left")
        .join(newest, ["capture", "producer_id"], "left")
        .join(named_by_latest, list(NAMED), "left")
        .join(known, ["capture", "producer_id"], "left")
        .withColumn(
            "named_by_latest",
            F.when(F.col("latest_txn.state_partition").isNotNull(), F.coalesce("named_by_latest", F.lit(False))),
        )
    )
    return opens.join(told.drop("capture", "topic", "partition", "txn_no"), list(PRODUCER_NO))


def _with_ended(opens: DataFrame, txns: DataFrame, repeated: DataFrame, matched: DataFrame) -> DataFrame:
    """Add the marker before each transaction, or the one that it repeats, and the decision that it carried out.

    marker_offset and marker_ms are those of that marker, ended_epoch is the highest of the data that it ended.
    """
    key = [*PRODUCER_NO, "ended_no"]
    ended_no = F.col("txn_no").alias("ended_no")
    originals = with_original(markers(txns), repeated).select(*PRODUCER_NO, ended_no, "original_no")
    epoch = F.col("highest_data_epoch").alias("ended_epoch")
    before = txns.select(*PRODUCER_NO, ended_no, "marker_offset", "marker_ms", epoch)
    carried = matched.select(*PRODUCER_NO, ended_no, _decision().alias("ended"))
    previous = (
        opens.withColumn("ended_no", F.col("txn_no") - 1)
        .join(originals, key, "left")
        .withColumn("ended_no", F.coalesce("original_no", "ended_no"))
        .drop("original_no")
    )
    return previous.join(before, key, "left").join(carried, key, "left")


def _decision() -> Column:
    return F.struct(
        "transactional_id", "state_partition", "coordinator_txn", "decision", "decided_ms", "completed_ms", "state",
        "begun_ms", "next_begun_ms", "is_last", "begin_epoch", "decision_epoch", "rank",
        F.col("own_marker").isNotNull().alias("recovered"), "undelivered",
    )  # fmt: skip


def _lost(decisions: DataFrame, matched: DataFrame) -> DataFrame:
    """Return the first unmatched decision of each producer after its last matched one."""
    reached = matched.groupBy(*PRODUCER_NO).agg(F.max("rank").alias("reached"))
    waiting = decisions.where("marker_offset IS NULL").join(reached, list(PRODUCER_NO), "left")
    later = waiting.where("reached IS NULL OR rank > reached")
    first = F.min_by(_decision(), "rank").alias("lost")
    return later.groupBy(*PRODUCER_NO).agg(first, F.count("*").alias("lost_count"))


def _committed(txns: DataFrame, repeated: DataFrame, matched: DataFrame) -> DataFrame:
    """Return the newest COMMIT marker of each producer id in any log that carries out no decision known here.

    Only a coordinator writes such a marker (admin tools abort), and after it has written the decision.
    """
    key = [*PRODUCER_NO, "original_no"]
    theirs = with_original(markers(txns), repeated).where("marker = 'COMMIT'")
    known = matched.select(*PRODUCER_NO, F.col("txn_no").alias("original_no"))
    alone = theirs.join(known, key, "left_anti")
    return alone.groupBy("capture", "producer_id").agg(F.max("marker_ms").alias("commit_ms"))


def _running(coordinator: DataFrame, registered: DataFrame, committed: DataFrame) -> DataFrame:
    """Return where each running transaction has joined: its Ongoing state by producer id and partition.

    committed_ms: a COMMIT marker of its producer id from after it began, so it is decided and these records are older.
    Where the decisions before it may be compacted away, only if clocks that are apart do not make it one of theirs.
    """
    told = committed.join(histories(coordinator), ["capture", "producer_id"])
    margin = F.when(F.col("history_whole"), 0).otherwise(SKEW_MS)
    running = (
        coordinator.where("is_last AND state = 'Ongoing'")
        .join(told, ["capture", "producer_id"], "left")
        .withColumn("committed_ms", F.when(F.col("commit_ms") > F.col("begun_ms") + margin, F.col("commit_ms")))
    )
    named = running.join(registered, ["capture", *TXN_OF_ID])
    details = F.struct(
        "begun_ms", "timeout_ms", "deadline_ms", "registered_ms", "registered_at", "registered_whole",
        *TXN_OF_ID, "committed_ms", "begin_epoch",
    )  # fmt: skip
    return named.groupBy(*NAMED).agg(F.max_by(details, details).alias("running"))


def _newest(coordinator: DataFrame) -> DataFrame:
    """Return of each producer id whether all its lists are known, and its newest coordinator transaction."""
    details = F.struct(
        "coordinator_txn", "state", "decision", "list_known", "transactional_id", "state_partition", "timeout_ms",
        "deadline_ms", "begun_ms",
    )  # fmt: skip
    order = F.struct("latest_ms", "latest_at", "state_partition", "transactional_id")
    return coordinator.groupBy("capture", "producer_id").agg(
        F.min("list_known").alias("all_lists_known"), history_whole(), F.count("*").alias("coordinator_txns"),
        F.max_by(details, order).alias("latest_txn"),
    )  # fmt: skip
