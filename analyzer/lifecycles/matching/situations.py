"""What markers and the coordinator's history say of each open transaction."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.matching.pairs import DECISION
from analyzer.lifecycles.matching.timing import appended_by
from analyzer.lifecycles.placing import LOG, PRODUCER, partition_name
from analyzer.tables.unions import union_filled

NAMED = ("capture", "topic", "partition", "producer_id")


def decision_states(decided: DataFrame, matched: DataFrame) -> DataFrame:
    """Return each decision in each log that it names, with the marker that carries it out here, or null.

    undelivered: how many partitions of its list show no marker of it in any replica's log.
    """
    pairs = matched.select(*PRODUCER, *DECISION, "marker_offset", "txn_no")
    joined = decided.join(pairs, [*PRODUCER, *DECISION], "left")
    there = F.when(F.col("marker_offset").isNotNull(), partition_name())
    named = F.collect_set(there).over(Window.partitionBy("capture", *DECISION))
    delivered = F.coalesce(F.size(named), F.lit(0))
    return joined.withColumn("undelivered", F.col("listed") - delivered)


def situations(
    opens: DataFrame,
    txns: DataFrame,
    found: DataFrame,
    states: DataFrame,
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
    before = txns.select(*PRODUCER, F.col("txn_no").alias("ended_no"), F.col("marker_ms"), F.col("marker_ref"))
    matched = states.where("marker_offset IS NOT NULL")
    carried = matched.select(*PRODUCER, F.col("txn_no").alias("ended_no"), _decision().alias("ended"))
    originals = found.select(*PRODUCER, F.col("txn_no").alias("ended_no"), "original_no")
    previous = (
        opens.withColumn("ended_no", F.col("txn_no") - 1)
        .join(originals, [*PRODUCER, "ended_no"], "left")
        .withColumn("ended_no", F.coalesce("original_no", "ended_no"))
        .drop("original_no")
    )
    with_before = previous.join(before, [*PRODUCER, "ended_no"], "left").join(carried, [*PRODUCER, "ended_no"], "left")
    return (
        with_before.join(_lost(states, matched), list(PRODUCER), "left")
        .join(_running(coordinator, registered), list(NAMED), "left")
        .join(_lists(coordinator, registered), list(NAMED), "left")
        .join(_newest(coordinator), ["capture", "producer_id"], "left")
        .join(known, ["capture", "producer_id"], "left")
        .withColumn(
            "named_by_latest",
            F.array_contains("latest_txn.partitions", partition_name()),
        )
    )


def _decision() -> Column:
    return F.struct(
        "transactional_id", "state_partition", "coordinator_txn", "decision", "decided_ms", "completed_ms", "state",
        "begun_ms", "next_begun_ms", "is_last", "begin_epoch", "decision_epoch", "prepared", "completed", "rank",
        F.col("own_marker").isNotNull().alias("recovered"), "undelivered",
    )  # fmt: skip


def _lost(states: DataFrame, matched: DataFrame) -> DataFrame:
    """Return the first unmatched decision of each producer after its last matched one."""
    reached = matched.groupBy(*PRODUCER).agg(F.max("rank").alias("reached"))
    waiting = states.where("marker_offset IS NULL").join(reached, list(PRODUCER), "left")
    later = waiting.where("reached IS NULL OR rank > reached")
    return later.groupBy(*PRODUCER).agg(F.min_by(_decision(), "rank").alias("lost"), F.count("*").alias("lost_count"))


def _running(coordinator: DataFrame, registered: DataFrame) -> DataFrame:
    """Return where each running transaction has joined: its Ongoing state by producer id and partition."""
    running = coordinator.where("is_last AND state = 'Ongoing'")
    named = running.join(registered, ["capture", *DECISION])
    details = F.struct("begun_ms", "timeout_ms", "latest", "registered_ms", "registered_ref", "registered_whole",
                       "transactional_id", "state_partition")  # fmt: skip
    return named.groupBy(*NAMED).agg(F.max_by(details, details).alias("running"))


def _lists(coordinator: DataFrame, registered: DataFrame) -> DataFrame:
    """Return by producer id and partition that some transaction of the id names it."""
    named = coordinator.select("capture", *DECISION, "producer_id").join(registered, ["capture", *DECISION])
    return named.groupBy(*NAMED).agg(F.max("coordinator_txn").alias("last_named_txn"))


def _newest(coordinator: DataFrame) -> DataFrame:
    """Return of each producer id whether all its lists are known, and its newest coordinator transaction."""
    details = F.struct(
        "coordinator_txn", "state", "begun", "latest", "decision", "list_known", "partitions", "timeout_ms", "begun_ms"
    )
    last = F.max_by(details, F.struct(F.col("latest.timestamp"), F.col("latest.offset")))
    return coordinator.groupBy("capture", "producer_id").agg(
        F.min("list_known").alias("all_lists_known"),
        F.min("history_whole").alias("history_whole"),
        F.count("*").alias("coordinator_txns"),
        last.alias("latest_txn"),
    )


def witnesses(txns: DataFrame, states: DataFrame) -> DataFrame:
    """Return the first offset and the decision's time of every transaction with a matched marker."""
    pairs = states.where("marker_offset IS NOT NULL").select(*PRODUCER, "txn_no", "decided_ms")
    return (
        txns.where("first_offset IS NOT NULL")
        .join(pairs, [*PRODUCER, "txn_no"])
        .select(*LOG, "first_offset", "decided_ms")
    )


def closed_spans(txns: DataFrame, states: DataFrame) -> DataFrame:
    """Return the transactions with data that a matched marker closes, with the decision and the registration."""
    closed = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").drop("marker_offset")
    pairs = states.where("marker_offset IS NOT NULL").select(
        *PRODUCER, *DECISION, "txn_no", "marker_offset", "decision", "decided_ms", "begun_ms", "registered_ms",
        "registered_ref", "registered_whole", "prepared",
    )  # fmt: skip
    return closed.join(pairs, [*PRODUCER, "txn_no"])


def early_spans(closed: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the spans whose first batch was appended before their transaction had this partition (RULES A 7).

    `closed` and `opens` carry appended_by_ms of their first offset. The registration must be known for certain (the
    record before it is here), and the proof must outlast the clocks' uncertainty. Open data with a decision whose
    marker is missing is no slip. decision is null while the span is open.
    """
    plausible = F.col("first_batch.max_timestamp") <= F.col("appended_by_ms")
    running = opens.where("running IS NOT NULL AND lost IS NULL AND authority").select(
        *PRODUCER, "txn_no", "first_offset", "last_offset", "producer_epoch", "first_batch", "appended_by_ms",
        "spread_ms",
        "captured_at", "behind_ms",
        F.col("running.transactional_id").alias("transactional_id"),
        F.col("running.registered_ms").alias("registered_ms"),
        F.col("running.registered_ref").alias("registered_ref"),
        F.col("running.registered_whole").alias("registered_whole"),
    )  # fmt: skip
    return union_filled(running, closed.select(*running.columns, "decision", "marker_offset", "marker_ref")).where(
        _late() & plausible & F.col("registered_whole")
    )


def _late() -> Column:
    return F.col("appended_by_ms") + F.col("spread_ms") < F.col("registered_ms")


def slips(spans: DataFrame, batches: DataFrame, found: DataFrame) -> DataFrame:
    """Return these spans (`early_spans`) with slipped_first, slipped_last and slipped_records: the early batches."""
    bounds = spans.select(*PRODUCER, "txn_no", F.col("first_offset").alias("from"), F.col("last_offset").alias("to"))
    inside = batches.where("is_transactional AND NOT is_control").join(F.broadcast(bounds), list(PRODUCER))
    inside = inside.where("base_offset BETWEEN from AND to").select(
        *PRODUCER,
        "txn_no",
        F.col("base_offset").alias("first_offset"),
        F.col("last_offset").alias("batch_last"),
        "count",
    )
    moments = spans.select("capture", "behind_ms").distinct()
    timed = appended_by(inside, found, batches, moments).withColumnRenamed("first_offset", "batch_first")
    known = spans.select(*PRODUCER, "txn_no", "registered_ms", "spread_ms")
    early = timed.join(known, [*PRODUCER, "txn_no"]).where(_late())
    extent = early.groupBy(*PRODUCER, "txn_no").agg(
        F.min("batch_first").alias("slipped_first"),
        F.max("batch_last").alias("slipped_last"),
        F.sum("count").alias("slipped_records"),
    )
    return spans.join(extent, [*PRODUCER, "txn_no"])
