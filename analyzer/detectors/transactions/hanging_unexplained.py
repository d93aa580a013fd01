"""Nothing will end this transaction, and the files no longer show why it hangs.

How it looks
  __transaction_state, compacted: one record of the id is left
    state=CompleteCommit producerId=7 txnLastUpdateTimestamp=10:00:05
  orders-0
  40..44 data    producer 7 epoch 3      <- open, no marker after it
  90     COMMIT  producer 9 epoch 0      10:04:11

Why it happens
  A running transaction has an Ongoing record, and a Complete record means
  that all markers are written. If an id is at rest and has open data, the
  data hangs. Compaction removed the partition lists, so the causes that
  remain cannot be told apart: a late write (TXN002), a partition that was
  never registered (TXN003), a marker lost in a truncation (TXN008), a marker
  that the cleaner removed (TXN007), an id that was forgotten (TXN014).
  Without any record of the coordinator, only the age counts: no client may
  ask for a timeout above transaction.max.timeout.ms.

What waits
  read_committed readers stop at the LSO, the first of these records. The
  cleaner does not pass it in a compacted topic.

Is an abort safe
  Yes, if the last decision is ABORT, of the same producer id and epoch, and
  a broker's clock (a marker before the data, LogAppendTime) shows that the
  data came after that transaction began. Yes, if it came after its producer
  id had a higher epoch: nobody can commit what is of an older one. Otherwise
  it may be of an earlier transaction that was committed: save the records
  first. kafka-transactions.sh can only write ABORT.

How sure
  certain   the id is at rest, and the copies of the partition and of the id's
            state partition both reach far enough to prove it, or its epoch was
            raised before; or no record of the coordinator is here, and it is
            older than the limit that the capture gives, on brokers before 4.1
  likely    the capture has no record of the coordinator, and the transaction
            is older than transaction.max.timeout.ms allows, by default or on
            brokers that may know two-phase commit: by a time of a broker, by
            the clocks of two other producers at later offsets, or by its own
            where the number of later offsets agrees; or only a producer
            snapshot shows it
  possible  the same, by the producer's own timestamps alone
  undecided the copies may be older than what would have ended it

What it is not
  in_flight, completing: an Ongoing or Prepare record is the id's newest.
  hanging_late_write (TXN002) and the like: the files still show the cause.

What would refute it
  A marker of the producer id in a newer copy of the partition, or an Ongoing
  record of the id in a newer copy of its state partition.

Versions
  All. A two-phase-commit id (4.1 and newer) may stay open without a limit.

See also
  KIP-98, KIP-664, KIP-890, KIP-939; txn-forensics explain TXN002, TXN003
  Rules: D 1, D 3, D 4, D 5.
"""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, conditions, id_blocks
from analyzer.detectors.answers import hanging
from analyzer.detectors.certainty import by_decision, certainty
from analyzer.detectors.model import Action, Detector, Explanation, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.transactions import lost_decision, unexplained as words
from analyzer.detectors.transactions.unexplained import Unexplained
from analyzer.detectors.wording import by_number, span
from analyzer.kafka.clocks import SKEW_MS
from analyzer.tables.catalog import TOLD_MOMENTS


def find(opens: DataFrame, unmarked: DataFrame, blocks: DataFrame, answered: DataFrame) -> DataFrame:
    """Return the open transactions of ids at rest, and those older than any timeout, where nothing tells why."""
    cleaned = lost_decision.cleaned_away(unmarked, opens).select(*conditions.PRODUCER)
    same = F.expr("rest.producer_id = producer_id AND rest.producer_epoch = highest_data_epoch")
    state = F.col("rest.state")
    # The cleaner passes only data of which the broker has nothing open. A producer snapshot that has it open is from
    # after that: the broker read the log again without the marker.
    passed = (F.col("cleaner_checkpoint") > F.col("last_offset")) & F.col("snapshot_ref").isNull()
    appended_ms = F.col("earlier_ms") - F.coalesce("spread_ms", F.lit(SKEW_MS))
    of_it = F.coalesce(appended_ms >= F.col("latest_txn.begun_ms"), F.lit(False))
    aborted = same & (state == "CompleteAbort") & of_it
    decision = F.when(same & (state == "CompleteCommit"), "COMMIT").when(aborted, "ABORT")
    resting = conditions.of_kind(conditions.judged_or_snapshot(opens), "hanging_unexplained")
    aged = _of_nobody(opens.where("judgement.aged_by IS NOT NULL"), answered)
    hanging = resting.unionByName(aged)
    judged = ("written_ms", "open_since_ms", "aged_by", "open_for_ms", "has_data", "outlived")
    return evidence_of(
        Unexplained,
        id_blocks.with_block(hanging, blocks).join(cleaned, list(conditions.PRODUCER), "left_anti"),
        **conditions.subject(),
        **{f"rest_{name}": f"rest.{name}" for name in ("kind", "ms", "state", "producer_id", "ref")},
        **{name: f"judgement.{name}" for name in judged},
        rest_epoch="rest.producer_epoch",
        state_partition="rest.state_partition",
        decision=decision,
        previous_marker_ms="marker_ms",
        previous_marker_ref="marker_ref",
        after_ms="earlier_ms",
        given_epoch="highest_epoch",
        given_by_ms="newest.timestamp",
        given_ref="newest.ref",
        moment_told=F.col("captured_at_source").isin(*TOLD_MOMENTS),
        new_leader_epoch=F.coalesce(F.col("log_epoch") > F.col("last_leader_epoch"), F.lit(False)),
        cleaned=F.coalesce(passed, F.lit(False)),
        forgotten=F.coalesce(F.col("highest_data_epoch") > F.col("highest_epoch"), F.lit(False)),
    )


def _of_nobody(aged: DataFrame, answered: DataFrame) -> DataFrame:
    """Return those that no coordinator answered to run or to end: what is decided is not to be aborted (RULES F 4).

    With transaction.version 2 the decision raises the epoch.
    """
    key = ["capture", "topic", "partition", "producer_id"]
    under_way = answered.where("standing IN ('running', 'prepared', 'terminated') AND topic IS NOT NULL").select(
        *key, (F.col("producer_epoch") - F.when(F.col("state") != "Ongoing", 1).otherwise(0)).alias("from_epoch")
    )
    least = under_way.groupBy(*key).agg(F.min("from_epoch").alias("from_epoch"))
    both = aged.join(least, key, "left")
    epoch = F.coalesce("producer_epoch", "snapshot_epoch")
    return both.where(~F.coalesce(epoch >= F.col("from_epoch"), F.lit(False))).drop("from_epoch")


def explain(e: Unexplained) -> Explanation:
    """Put the finding into words."""
    records = actions.lost(e)
    have, them = by_number(e.records, "has", "have"), by_number(e.records, "it", "them")
    if e.rest_kind is None:
        age = span(e.open_for_ms or 0)
        headline = f"{records} of {e.who} {have} been open for {age}, longer than any timeout allows"
    else:
        headline = f"{records} of {e.who} {by_number(e.records, 'is open', 'are open')}, and nothing will end {them}"
    return Explanation(
        headline=headline,
        label="cause unknown" if e.outlived is None else "of a fenced producer",
        confidence=words.confidence(e),
        steps=(
            Step(words.data(e), e.first_ref),
            *(words.rest(e) if e.rest_kind else words.age(e)),
            *id_blocks.steps(e, e.written_ms),
            *words.late(e),
        ),
        cause=words.causes(e),
        refuted_by=words.refuted(e),
        otherwise=words.otherwise(e),
        settled_by=words.settled(e),
        certainty=certainty(
            (words.confidence(e), words.rests_on(e), e.rest_ref),
            ("possible", "the causes that remain are listed below", None)
            if e.outlived is None
            else ("certain", "its epoch was raised before it came", e.given_ref),
            by_decision(e.decision, e.rest_ref, e.topic),
        ),
        action=_action(e),
    )


def _action(e: Unexplained) -> Action:
    if e.rest_kind is None:
        these = "its records" if e.records is None else f"the {actions.lost(e)}"
        summary = (
            f"Ask the cluster first. If it still calls this transaction hanging, save {these}, then abort: an "
            "abort discards records that the producer may believe are committed."
        )
        return actions.save_then_abort(e, summary, None)
    if e.outlived is not None:
        gone = f"No producer can commit what is of epoch {e.producer_epoch}, which was raised before"
        return actions.abort(e, f"{gone}: {actions.NOTHING_LOST}.", e.rest_state)
    if e.decision == "ABORT":
        why = f"The last decision of {e.who} was ABORT, with this producer id and epoch"
        return actions.as_decided(e, why, e.rest_state)
    if e.decision == "COMMIT":
        return actions.perhaps_commit(e, "The last decision of the id was COMMIT", e.rest_state, "COMMIT")
    told = "What was decided is not known"
    if e.rest_state == "CompleteAbort":
        told = "The id's last decision was ABORT, but these records may be of an earlier transaction that was committed"
    return actions.perhaps_commit(e, told, e.rest_state)


DETECTOR = Detector(
    "TXN013",
    "critical",
    Way(
        ("opens",),
        Unexplained,
        find,
        explain,
        beside=("unmarked", "producer_id_blocks", "answered"),
        needs=("batches",),
    ),
    verdict=True,
    others=(hanging.ANSWERED,),
)
