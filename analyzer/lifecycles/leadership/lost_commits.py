"""Committed transactions that no copy of a partition has: acknowledged data that is gone (RULES E 5)."""

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN_OF_ID
from analyzer.lifecycles.logs.leader_epochs import CLEANED
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER_NO, partition_name
from analyzer.stages.combining import first_of_each
from analyzer.tables.unions import union_filled

FIRST = Window.unboundedPreceding

OF_CLAIM = ("producer_id", *TXN_OF_ID)
CLAIM = (*PARTITION, *OF_CLAIM)


def lost_suspects(
    decisions: DataFrame, txns: DataFrame, unmarked: DataFrame, damage: DataFrame, logs: DataFrame
) -> DataFrame:
    """Return the commits that every copy of a partition lacks, with the judged copy, which is undamaged.

    Either no copy has a marker of them, or the judged one has it at `own_offset`, and it ends no data there.
    """
    suspects = _without_trace(decisions, txns, unmarked)
    judged = logs.where("authority AND has_log")
    judged = judged.select(*LOG, "log_start_offset", "first_segment", "log_end_offset", "tail_missing")
    broken = damage.where("damage <> 'zero_tail'").select(*PARTITION).distinct()
    found = suspects.join(judged.join(broken, list(PARTITION), "left_anti"), list(PARTITION))
    empty = decisions.where("marker_offset IS NOT NULL AND marked_from IS NULL")
    epochs = txns.select(*PRODUCER_NO, "txn_no", F.col("marker_leader_epoch").alias("own_leader_epoch"))
    own = empty.join(epochs, [*PRODUCER_NO, "txn_no"]).select(
        *LOG, *OF_CLAIM, F.col("marker_offset").alias("own_offset"), "own_leader_epoch"
    )
    joined = found.join(own, [*LOG, *OF_CLAIM], "left")
    return joined.where(F.col("own_offset").isNotNull() | ~F.col("marked")).drop("marked")


def lost_commits(
    suspects: DataFrame, decisions: DataFrame, txns: DataFrame, batches: DataFrame, epochs: DataFrame
) -> DataFrame:
    """Return a row per committed transaction and partition: where it should be, and the leader epoch that cut it off.

    The coordinator's clock orders it between two transactions of other decisions whose markers are here, or the log's
    begin; between these the judged copy has every offset, never cleaned and undamaged, and none of them is its own; a
    leader epoch begins there. Its own marker, where it ends no data, stands for the later one's.
    """
    led_again = epochs.where("epoch > 0")
    mine = suspects.join(led_again.select(*LOG).distinct(), list(LOG), "left_semi")
    told = decisions.join(mine.select(*LOG).distinct(), list(LOG), "left_semi")
    return _contiguous(_cut(_bounded(_between(mine, told, txns)), led_again), batches)


def _without_trace(decisions: DataFrame, txns: DataFrame, unmarked: DataFrame) -> DataFrame:
    """Return the commits whose data every copy of a partition lacks, of producers whose data there is all matched.

    `marked`: some copy has the marker. One without data tells nothing where only it shows the partition listed, and
    nothing of groups: a client that has no positions to commit registers their partition all the same.
    """
    complete = decisions.where("decision = 'COMMIT' AND state = 'CompleteCommit' AND completed_ms IS NOT NULL")
    telling = (F.col("topic") != OFFSETS_TOPIC) & F.col("own_marker").isNull()
    empty = F.col("marker_offset").isNull() | (F.col("marked_from").isNull() & telling)
    somewhere = complete.where(~empty).select(*CLAIM)
    nowhere = complete.where(empty).join(somewhere, list(CLAIM), "left_anti")
    absent = nowhere.groupBy(*CLAIM).agg(
        *[F.max(name).alias(name) for name in ("begun_ms", "decided_ms", "completed_ms", "decision_epoch")],
        F.max(F.col("marker_offset").isNotNull()).alias("marked"),
    )
    matched = decisions.where("marker_offset IS NOT NULL").select(*PRODUCER_NO, "txn_no")
    strange = txns.join(matched, [*PRODUCER_NO, "txn_no"], "left_anti").select(*PARTITION, "producer_id").distinct()
    held = unmarked.where("decision IS NOT NULL").select(*CLAIM).distinct()
    return absent.join(strange, [*PARTITION, "producer_id"], "left_anti").join(held, list(CLAIM), "left_anti")


def _between(suspects: DataFrame, decisions: DataFrame, txns: DataFrame) -> DataFrame:
    """Add the markers next to a transaction in the judged copy: the last before it; its own, or the first after it."""
    lines = txns.select(*PRODUCER_NO, "txn_no", "marker_leader_epoch")
    others = (
        decisions.where("marker_offset IS NOT NULL")
        .join(lines, [*PRODUCER_NO, "txn_no"])
        .select(
            *LOG, "decided_ms", "completed_ms", "marker_offset", "marker_leader_epoch",
            F.col("producer_id").alias("marker_producer_id"),
        )
    )  # fmt: skip
    begun = suspects.select(*LOG, *OF_CLAIM, F.col("begun_ms").alias("at"))
    ended = suspects.select(*LOG, *OF_CLAIM, (-F.col("completed_ms")).alias("at"))
    earlier = _last_seen(begun, others.select(*LOG, "marker_offset", F.col("completed_ms").alias("at")), F.max)
    later = _last_seen(ended, others.select(*LOG, "marker_offset", (-F.col("decided_ms")).alias("at")), F.min)
    sides = earlier.withColumn("is_later", F.lit(0)).unionByName(later.withColumn("is_later", F.lit(1)))
    marker = F.struct("marker_offset", "marker_leader_epoch", "marker_producer_id")
    told = sides.join(others.drop("decided_ms", "completed_ms"), [*LOG, "marker_offset"])
    beside = told.groupBy(*LOG, *OF_CLAIM).agg(
        F.max(F.when(F.col("is_later") == 0, marker)).alias("before"),
        F.min(F.when(F.col("is_later") == 1, marker)).alias("first_after"),
    )  # fmt: skip
    own = F.struct(
        F.col("own_offset").alias("marker_offset"), F.col("own_leader_epoch").alias("marker_leader_epoch"),
        F.col("producer_id").alias("marker_producer_id"),
    )  # fmt: skip
    after = F.when(F.col("own_offset").isNotNull(), own).otherwise(F.col("first_after"))
    placed = suspects.join(beside, [*LOG, *OF_CLAIM], "left").withColumn("after", after)
    return placed.drop("own_leader_epoch", "first_after")


def _last_seen(asked: DataFrame, markers: DataFrame, best: Callable[[str], Column]) -> DataFrame:
    """Return the best marker_offset of those of its log with a smaller `at`, for each that is asked about and has one.

    One pass over both in order: each with each were as many pairs as the square of a log's transactions.
    """
    both = union_filled(asked, markers.where("at IS NOT NULL"))
    so_far = Window.partitionBy(*LOG).orderBy("at", F.col("marker_offset").isNotNull()).rowsBetween(FIRST, 0)
    seen = both.withColumn("nearest", best("marker_offset").over(so_far)).where("marker_offset IS NULL")
    return seen.where("nearest IS NOT NULL").select(*LOG, *OF_CLAIM, F.col("nearest").alias("marker_offset"))


def _bounded(rows: DataFrame) -> DataFrame:
    """Return the rows that a marker or an end of the log bounds on both sides, with the offsets of these."""
    whole_start = (F.col("log_start_offset") == 0) & (F.col("first_segment") == 0)
    whole_end = F.col("after").isNotNull() | ~F.col("tail_missing")
    known = rows.where((F.col("before").isNotNull() | whole_start) & whole_end)
    bounded = known.withColumn("low", F.coalesce("before.marker_offset", F.lit(-1)))
    return bounded.withColumn("high", F.coalesce("after.marker_offset", "log_end_offset"))


def _contiguous(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the rows between whose markers no offset is missing and nothing was cleaned."""
    cleaned = F.coalesce(F.expr(CLEANED), F.lit(False)).alias("cleaned")
    inside = batches.select(*LOG, "base_offset", "last_offset", cleaned)
    counted = (
        rows.select(*CLAIM, "replica", "low", "high")
        .join(inside, list(LOG))
        .where("base_offset > low AND last_offset < high")
        .groupBy(*CLAIM)
        .agg(F.sum(F.col("last_offset") - F.col("base_offset") + 1).alias("offsets"), F.max("cleaned").alias("cleaned"))
    )
    joined = rows.join(counted, list(CLAIM), "left")
    full = F.coalesce("offsets", F.lit(0)) == F.col("high") - F.col("low") - 1
    return joined.where(full & ~F.coalesce("cleaned", F.lit(False)))


def _cut(rows: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the rows with a leader epoch that begins between their markers; the first of a log has epoch 0."""
    begun = epochs.select(*LOG, "epoch", "start_offset", "epoch_ref")
    since = F.coalesce("before.marker_leader_epoch", F.lit(0))
    until = F.coalesce("after.marker_leader_epoch", F.col("epoch"))
    between = F.col("start_offset").between(F.col("low"), F.col("high"))
    inside = (F.col("epoch") > since) & (F.col("epoch") <= until) & between
    first = F.struct(F.col("start_offset").alias("offset"), "epoch", F.col("epoch_ref").alias("ref"))
    plain = [name for name in rows.columns if name not in ("before", "after", "own_offset")]
    return (
        rows.join(begun, list(LOG))
        .where(inside)
        .groupBy(*plain)
        .agg(
            F.min(first).alias("cut"),
            F.max("epoch").alias("last_epoch"),
            *[F.max(name).alias(name) for name in ("before", "after")],
            F.max("own_offset").isNotNull().alias("empty_marker"),
        )
    )


def with_elections(rows: DataFrame, elected: DataFrame, brokers: DataFrame, quorum: DataFrame) -> DataFrame:
    """Add the unclean election that took the records, or the crash, and drop what that log explains otherwise.

    Without the controllers' log, a later marker has to show that the copy reaches beyond the transaction. With it, a
    partition that had no unclean election since the transaction began has lost nothing in one, and a topic that was
    created after it never had it. A broker that restarted without a controlled shutdown after the decision and led
    again may have lost what it had not flushed; a later marker has to show that too.
    """
    told = F.struct(
        "leader_epoch", "leader_id", "previous_leader_id", "previous_isr", "previous_elr", "changed_ms", "ref"
    )
    mine = elected.select(*PARTITION, "unclean", "topic_created_ms", told.alias("told"))
    since = F.coalesce("before.marker_leader_epoch", F.lit(-1))
    inside = (F.col("told.leader_epoch") > since) & (F.col("told.leader_epoch") <= F.col("last_epoch"))
    taking = inside & F.col("unclean") & (F.col("told.changed_ms") >= F.col("begun_ms") - SKEW_MS)
    key = [*CLAIM, "replica"]
    crash = F.struct(F.col("changed_ms").alias("crashed_ms"), F.col("broker").alias("crashed_broker"), "ref")
    crashes = brokers.where("crashed AND changed_ms IS NOT NULL").select("capture", crash.alias("crash"))
    same = F.col("crash.crashed_broker") == F.col("told.leader_id")
    leading_again = inside & same & F.col("crash.crashed_ms").between(F.col("decided_ms"), F.col("told.changed_ms"))
    found = (
        rows.join(mine, list(PARTITION))
        .join(crashes, "capture", "left")
        .groupBy(*key)
        .agg(
            F.min(F.when(taking, F.col("told"))).alias("election"),
            F.min(F.when(leading_again, F.col("crash"))).alias("crash"),
            F.max("topic_created_ms").alias("topic_created_ms"),
        )
    )
    log = quorum.where("complete").select("capture", "from_start", F.col("first_ms").alias("told_from_ms"))
    joined = rows.join(found, key, "left").join(log, "capture", "left")
    covered = F.coalesce(F.col("from_start") | (F.col("told_from_ms") <= F.col("begun_ms")), F.lit(False))
    newer = F.coalesce(F.col("topic_created_ms") > F.col("begun_ms"), F.lit(False))
    untold = F.col("after").isNotNull() & (~covered | F.col("crash").isNotNull())
    return joined.where(~newer & (F.col("election").isNotNull() | untold))


def by_id(rows: DataFrame, delivered: DataFrame, records: DataFrame) -> DataFrame:
    """Return rows of `lost_commits`, without the markers' lines: the transactions of an id that a cut took are one."""
    places = delivered.select("capture", *TXN_OF_ID, "names")
    key = ["capture", *TXN_OF_ID]
    refs = refs_of(rows, records, "completed_ref")
    named = rows.join(places, key, "left").join(refs, key, "left")
    of_cut = (*LOG, "transactional_id", "producer_id", "cut.offset")
    counted = named.withColumn("lost_transactions", F.count("*").over(Window.partitionBy(*of_cut)))
    markers = [
        F.col(f"{side}.marker_{name}").alias(f"{side}_{name}")
        for side in ("before", "after")
        for name in ("offset", "producer_id")
    ]
    return (
        first_of_each(counted, of_cut, ("decided_ms",), 1)
        .select(
            *LOG, "transactional_id", "producer_id", F.col("cut.offset").alias("cut_offset"),
            F.col("decision_epoch").cast("int").alias("producer_epoch"), "lost_transactions", "decided_ms",
            "completed_ms", "completed_ref", F.col("cut.epoch").alias("cut_epoch"), F.col("cut.ref").alias("cut_ref"),
            *markers, "empty_marker", F.array_remove("names", partition_name()).alias("elsewhere"), "election", "crash",
        )
    )  # fmt: skip
