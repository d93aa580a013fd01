"""Data of decisions that have no marker here: one row per transaction and log (RULES A 6)."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import Hold, Step
from analyzer.lifecycles.matching.pairs import DECISION, MARKER_SKEW_MS
from analyzer.lifecycles.placing import LOG, PRODUCER, PRODUCER_NO, ref
from analyzer.tables.unions import union_filled

SPAN = (*PRODUCER, "txn_no")
CLAIM = (*SPAN, *DECISION)


def unmarked(
    txns: DataFrame,
    decisions: DataFrame,
    batches: DataFrame,
    logs: DataFrame,
    moments: DataFrame,
    explained: DataFrame,
    hold: Hold,
) -> DataFrame:
    """Return the data of judged logs that no marker of its own transaction closes (log view, RULES A 2).

    Two kinds of rows. With a decision: the coordinator decided the transaction, names this partition, and no matched
    marker carries it out between the neighbouring matched ones. Without (`decision` null): the log leaves the data
    open, no decision claims it, and it is not `explained` (producers that the coordinator knows and that have
    something open for the broker too: the verdicts are about those). Columns: the log's key, txn_no, first_offset,
    last_offset, records, epochs and lines of that data; the decision; `closer`: open, later (a matched later
    transaction's marker ended it) or unmatched (a marker that belongs to no known decision), with marker,
    marker_offset, marker_ref; `parted`: other data of the same span is clearly the next transaction's.
    """
    judged = with_few(txns, logs.where("authority").select("log_no", "log_start_offset"), ["log_no"]).where(
        "first_offset IS NOT NULL AND last_offset >= log_start_offset"
    )
    claims = hold.settle(_claims(judged, decisions, moments, hold.few))
    told = _told_apart(claims, batches)
    own = told.withColumn("closer", _closer())
    free = _unclaimed(judged, claims).join(explained.select(*PRODUCER), list(PRODUCER), "left_anti")
    return hold.settle(union_filled(own, free))


def _claims(judged: DataFrame, decisions: DataFrame, moments: DataFrame, few: Step) -> DataFrame:
    """Return each decision without a marker with the spans that can hold its data, between its neighbours' markers.

    What a marker ended before the decision was made is another transaction's.
    """
    before = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(Window.unboundedPreceding, -1)
    after = Window.partitionBy(*PRODUCER_NO).orderBy("rank").rowsBetween(1, Window.unboundedFollowing)
    waiting = few(decisions.where("marker_offset IS NULL").select(*PRODUCER_NO).distinct())
    lost = (
        waiting.join(decisions, list(PRODUCER_NO))
        .withColumn("after_txn", F.last("txn_no", ignorenulls=True).over(before))
        .withColumn("by_txn", F.first("txn_no", ignorenulls=True).over(after))
        .where("marker_offset IS NULL")
        .select(
            *PRODUCER_NO, *DECISION, "rank", "after_txn", "by_txn", "decision", "decided_ms", "completed_ms",
            "begun_ms", "state", "begin_epoch", "decision_epoch", "history_whole",
        )
    )  # fmt: skip
    spans = judged.select(
        "log_no", *SPAN, F.col("first_offset").alias("span_first"), F.col("last_offset").alias("span_last"),
        F.col("producer_epoch").alias("span_epoch"),
        F.col("first_batch.max_timestamp").alias("span_ms"), "marker", "marker_offset", "marker_ms", "marker_ref",
        "marker_epoch",
    )  # fmt: skip
    inside = (F.col("after_txn").isNull() | (F.col("txn_no") > F.col("after_txn"))) & (
        F.col("by_txn").isNull() | (F.col("txn_no") <= F.col("by_txn"))
    )
    shifted = F.broadcast(moments.select("capture", "shift_ms"))
    ended_before = F.coalesce(F.col("marker_ms") + MARKER_SKEW_MS < _decided(), F.lit(False))
    several = Window.partitionBy(*SPAN)
    return (
        few(lost)
        .join(spans, list(PRODUCER_NO))
        .drop("log_no")
        .join(shifted, "capture", "left")
        .where(inside & (F.col("span_epoch") <= F.col("decision_epoch")) & ~ended_before)
        .withColumn("alone", (F.count("*").over(several) == 1) & F.col("marker_offset").isNull())
    )


def _told_apart(claims: DataFrame, batches: DataFrame) -> DataFrame:
    """Return each decision with the part of a span that was written before it was decided.

    A span may hold the data of several transactions; a batch is the first one's that was decided after the batch's
    timestamp. The producer's clock may be behind the coordinator's: by as much at least as the span's first batch lies
    before the transaction's own begin. Data that stays open and has one decision only is that one's, whatever the
    producer's clock said.
    """
    wanted = claims.select(
        *CLAIM, "rank", "alone", "span_first", "span_last", "span_ms", "begun_ms", _decided().alias("by_ms")
    )
    data = with_few(batches.where("is_transactional AND NOT is_control"), wanted, PRODUCER)
    data = data.where("base_offset BETWEEN span_first AND span_last")
    of_batch = Window.partitionBy(*SPAN, "base_offset").orderBy("rank")
    behind_ms = F.greatest(F.col("begun_ms") - F.col("span_ms"), F.lit(0))
    created = F.when(F.col("timestamp_type") == "LogAppendTime", F.col("max_timestamp")).otherwise(
        F.col("max_timestamp") + F.coalesce(behind_ms, F.lit(0))
    )
    early = data.where(F.col("alone") | (created <= F.col("by_ms")))
    first = early.withColumn("turn", F.row_number().over(of_batch)).where("turn = 1")
    line = F.struct("base_offset", "batch_ref")
    parts = first.groupBy(*CLAIM).agg(
        F.min("base_offset").alias("first_offset"),
        F.max("last_offset").alias("last_offset"),
        F.sum("count").alias("records"),
        F.min("producer_epoch").alias("producer_epoch"),
        F.max("producer_epoch").alias("highest_data_epoch"),
        F.max("partition_leader_epoch").alias("last_leader_epoch"),
        F.min(line)["batch_ref"].alias("first_ref"),
        F.max(line)["batch_ref"].alias("last_ref"),
        F.min(F.struct("base_offset", "base_sequence", "max_timestamp")).alias("first_copy_batch"),
    )
    joined = claims.drop("after_txn", "alone", "shift_ms").join(parts, list(CLAIM))
    earliest = Window.partitionBy(*PRODUCER, *DECISION).orderBy("txn_no")
    return (
        joined.withColumn("turn", F.row_number().over(earliest))
        .where("turn = 1")
        .withColumn("parted", F.col("last_offset") < F.col("span_last"))
        .drop("turn", "span_first", "span_last", "span_epoch", "span_ms")
    )


def _decided() -> Column:
    return F.col("decided_ms") + F.coalesce("shift_ms", F.lit(0))


def _closer() -> Column:
    return (
        F.when(F.col("marker_offset").isNull(), "open")
        .when(F.col("by_txn") == F.col("txn_no"), "later")
        .otherwise("unmatched")
    )


def _unclaimed(judged: DataFrame, claims: DataFrame) -> DataFrame:
    """Return the spans that the log leaves open and that no decision claims."""
    rest = judged.where("marker_offset IS NULL").join(claims.select(*SPAN).distinct(), list(SPAN), "left_anti")
    return rest.select(
        *SPAN, "first_offset", "last_offset", "records", "producer_epoch", "highest_data_epoch", "last_leader_epoch",
        F.col("first_batch.batch_ref").alias("first_ref"), F.col("last_batch.batch_ref").alias("last_ref"),
        F.struct("first_batch.base_offset", "first_batch.base_sequence", "first_batch.max_timestamp").alias(
            "first_copy_batch"
        ),
        F.lit("open").alias("closer"),
    )  # fmt: skip


def with_context(
    rows: DataFrame,
    txns: DataFrame,
    snapshots: DataFrame,
    epochs: DataFrame,
    logs: DataFrame,
    opens: DataFrame,
    seen: DataFrame,
) -> DataFrame:
    """Add what tells one cause from another (RULES A 6 b to d).

    later_epoch (epoch, offset, ref): the first leader epoch that begins above the data, before what closed it.
    snapshot_ref: a producer snapshot says that this data is ended, the newest one or one before the closing marker.
    broker_open: the broker view has it open.
    witness (capture, replica, offset, leader_epoch, ref): another copy of the same data with its marker, in another
    replica or another capture of the same log. `seen` are the placed observations.
    """
    return (
        _with_epoch(rows, epochs)
        .join(_closed_by_snapshot(rows, snapshots, logs), [*SPAN, "first_offset"], "left")
        .join(opens.select(*PRODUCER, F.lit(True).alias("is_open")), list(PRODUCER), "left")
        .withColumn("broker_open", F.coalesce("is_open", F.lit(False)))
        .drop("is_open")
        .join(_witnesses(rows, txns, _identities(seen)), [*LOG, "producer_id", "first_offset"], "left")
    )


def _with_epoch(rows: DataFrame, epochs: DataFrame) -> DataFrame:
    above = rows.select(*SPAN, "last_offset", "last_leader_epoch", "marker_offset").join(epochs, list(LOG))
    newer = above.where(
        "start_offset > last_offset AND epoch > last_leader_epoch "
        "AND (marker_offset IS NULL OR start_offset <= marker_offset)"
    )
    entry = F.struct("epoch", F.col("start_offset").alias("offset"), F.col("epoch_ref").alias("ref"))
    first = newer.groupBy(*SPAN, "last_offset").agg(F.min_by(entry, "start_offset").alias("later_epoch"))
    return rows.join(first, [*SPAN, "last_offset"], "left")


def _closed_by_snapshot(rows: DataFrame, snapshots: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the data that a later snapshot knows as ended: the newest one, or any before the closing marker."""
    wanted = rows.select(*SPAN, "first_offset", F.col("last_offset").alias("data_end"), "marker_offset").join(
        logs.select(*LOG, F.col("snapshot_offset").alias("newest")), list(LOG)
    )
    entries = snapshots.select(
        *PRODUCER, "snapshot_offset", "current_txn_first_offset", F.col("last_offset").alias("known_offset"),
        ref().alias("ref"),
    )  # fmt: skip
    in_time = F.when(F.col("marker_offset").isNull(), F.col("snapshot_offset") == F.col("newest")).otherwise(
        F.col("snapshot_offset") <= F.col("marker_offset")
    )
    ended = F.col("current_txn_first_offset").isNull() | (F.col("current_txn_first_offset") > F.col("data_end"))
    closed = wanted.join(entries, list(PRODUCER)).where(in_time & ended & F.expr(
        "snapshot_offset > data_end AND known_offset >= data_end"
    ))  # fmt: skip
    return closed.groupBy(*SPAN, "first_offset").agg(
        F.min_by("ref", F.struct(-F.col("snapshot_offset"), "ref.path")).alias("snapshot_ref")
    )


def _identities(seen: DataFrame) -> DataFrame:
    """Return the ids of each capture's cluster and topics: two captures that share one are of the same cluster."""
    told = seen.where("observed IN ('cluster_id', 'topic_id') AND text IS NOT NULL")
    return told.groupBy("capture").agg(F.collect_set("text").alias("identity"))


def _witnesses(rows: DataFrame, txns: DataFrame, identities: DataFrame) -> DataFrame:
    """Return other copies of the same data, equal in offset, sequence and timestamp, that a marker closes.

    Another capture counts only where files of both name the same cluster or topic id.
    """
    asked = rows.select(*LOG, "producer_id", "first_offset", "last_offset", "first_copy_batch", "decision").distinct()
    others = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        F.col("capture").alias("other_capture"), F.col("replica").alias("other_replica"), "topic", "partition",
        "producer_id", "first_offset", F.col("first_batch").alias("other_batch"),
        F.col("last_offset").alias("other_last"), "marker", "marker_offset", "marker_leader_epoch", "marker_ref",
    )  # fmt: skip
    elsewhere = (F.col("capture") != F.col("other_capture")) | (F.col("replica") != F.col("other_replica"))
    same = (
        (F.col("first_copy_batch.max_timestamp") == F.col("other_batch.max_timestamp"))
        & F.col("first_copy_batch.base_sequence").eqNullSafe(F.col("other_batch.base_sequence"))
        & (F.col("other_last") == F.col("last_offset"))
        & F.coalesce(F.col("marker") == F.col("decision"), F.lit(True))
    )
    here = F.col("capture") == F.col("other_capture")
    theirs = identities.select(F.col("capture").alias("other_capture"), F.col("identity").alias("other_identity"))
    found = (
        asked.join(others, ["topic", "partition", "producer_id", "first_offset"])
        .where(elsewhere & same)
        .join(identities, "capture", "left")
        .join(theirs, "other_capture", "left")
        .where(here | F.coalesce(F.arrays_overlap("identity", "other_identity"), F.lit(False)))
    )
    witness = F.struct(
        F.col("other_capture").alias("capture"), F.col("other_replica").alias("replica"),
        F.col("marker_offset").alias("offset"), "marker", F.col("marker_leader_epoch").alias("leader_epoch"),
        F.when(here, F.col("marker_ref")).alias("ref"),
    )  # fmt: skip
    order = F.struct(~here, "other_capture", "other_replica")
    return found.groupBy(*LOG, "producer_id", "first_offset").agg(F.min_by(witness, order).alias("witness"))
