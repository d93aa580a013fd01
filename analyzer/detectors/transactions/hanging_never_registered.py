"""Records of a transaction are in a partition that was never added to it.

How it looks
  payments-1
  0..6   data    producer 2 epoch 0      <- open, no marker of producer 2
  payments-0
  16..20 data    producer 2 epoch 0
  21     COMMIT  producer 2 epoch 0      <- the transaction ended, only here
  __transaction_state: every Ongoing and Prepare record of the id lists
  payments-0, none lists payments-1.

Why it happens
  The client produced without a successful AddPartitionsToTxn for the partition
  (a bug, a retry in the wrong order), or the coordinator lost its record of
  it. Or a Java producer from 2.8.0 on used a buffer again and sent a batch to
  the wrong topic (KAFKA-19012): the topic that it was meant for then has a
  sequence gap (PID003) of that producer at the same time. Markers go to the
  listed partitions only. Without verification the leader accepts such data.

What waits
  read_committed readers stop at the LSO, the first of these records. The
  cleaner does not pass it in a compacted topic.

Is an abort safe
  If the transaction was aborted: yes, it loses nothing.
  If it was committed: NO. The client believes that these records are committed,
  and kafka-transactions.sh can only write ABORT: save them, abort, produce
  them again.
  If the id runs a transaction now, wait until it ends and check again:
    kafka-transactions.sh --bootstrap-server ... describe --transactional-id ID

How sure
  certain   all partition lists of the id are in the capture, and no marker of
            the producer was ever written here
  likely    a later transaction's list is known and lacks the partition
  possible  no state partition is missing, yet none has a record of the id: it
            expired or was compacted away
  undecided the list was compacted away: a Complete record names no partitions

What it is not
  hanging_late_write (TXN002): the partition was in the transaction, and the
  marker came first. Once the list is compacted away, the two cannot always be
  told apart; the action is the same.
  in_flight: a partition is added just before its first records arrive, so
  state files that are older than the data lack it.

What would refute it
  An Ongoing or Prepare record of the id that names this partition.

Versions
  Up to 3.5, and later versions with transaction.partition.verification.enable
  off. 3.6 introduced the check (KIP-890), 3.7 for __consumer_offsets. 3.9 and
  4.1 answer such records with INVALID_TXN_STATE. KAFKA-19012 is fixed in the
  Java clients 3.9.2, 4.0.2, 4.1.2 and 4.2.0.

See also
  KIP-890, KIP-98, KAFKA-19012; txn-forensics explain TXN002, PID003
  Rules: A 10 a and d.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, causes, conditions
from analyzer.detectors.certainty import by_decision, certainty, copied_after
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step, Sure, Way
from analyzer.detectors.subject import OfOpenData, evidence_of
from analyzer.detectors.wording import by_number


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfOpenData):
    """Data in a partition that no transaction of its producer id has on its list."""

    named_nowhere: bool
    history_whole: bool
    coordinator_txns: int
    latest_state: str | None
    latest_decision: str | None
    latest_ref: Ref | None
    newest_ms: int | None
    state_newest_ms: int | None
    list_ref: Ref | None
    previous_marker_offset: int | None


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions whose partition is on no list that they can belong to (RULES A 10)."""
    return evidence_of(
        Evidence,
        conditions.judged(opens).where("judgement.kind = 'hanging_never_registered' OR judgement.unknown_id"),
        **conditions.subject(),
        named_nowhere=F.col("last_named_txn").isNull(),
        history_whole=F.coalesce("history_whole", F.lit(False)),
        coordinator_txns=F.coalesce("coordinator_txns", F.lit(0)),
        latest_state="latest_txn.state",
        latest_decision="latest_txn.decision",
        latest_ref="latest_txn_refs.latest_ref",
        newest_ms="last_batch.max_timestamp",
        list_ref="latest_txn_refs.begun_ref",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    records = actions.lost(e)
    wrote = Step(f"{e.wrote} as part of a transaction; no marker follows", e.first_ref)
    are = by_number(e.records, "is", "are")
    return Explanation(
        headline=f"{records} of {e.who} {are} in a partition never added to its transaction",
        label="transactional.id unknown" if e.transactional_id is None else "partition never added",
        confidence=_confidence(e),
        steps=(wrote, *_lists(e)),
        cause=(causes.unlisted(e.topic), *causes.misdirected(e.topic), *causes.unverified(e.topic)),
        refuted_by=f"a record of {e.who} in __transaction_state that names {e.place}",
        otherwise="a batch that came after its transaction had ended (TXN002); the action is the same"
        if not e.named_nowhere
        else None,
        settled_by=None if e.transactional_id else "an older copy of __transaction_state, from before the id expired",
        certainty=_certainty(e),
        action=_action(e),
    )


def _certainty(e: Evidence) -> tuple[Sure, ...]:
    sure = _confidence(e)
    if e.transactional_id is None:
        hangs = "no state partition knows its producer id, so nothing will end it"
    else:
        copied = copied_after(e.captured_at, e.newest_ms, e.state_newest_ms)
        hangs = f"the id's newest record ({e.latest_state}) does not name it, so no marker will come, and {copied}"
    return certainty(
        ("certain" if sure != "possible" else "likely", hangs, e.latest_ref),
        (sure, "no transaction that the data can belong to includes this partition", e.list_ref),
        by_decision(e.latest_decision, e.latest_ref, e.topic),
    )


def _confidence(e: Evidence) -> Confidence:
    if e.transactional_id is None:
        return "possible"
    return "certain" if e.named_nowhere and e.history_whole and e.previous_marker_offset is None else "likely"


def _lists(e: Evidence) -> tuple[Step, ...]:
    if e.transactional_id is None:
        return (
            Step("every partition of __transaction_state is here and no record in them has this producer id: the "
                 "transactional id expired, or its records were compacted away"),
        )  # fmt: skip
    if e.named_nowhere:
        every = f"none of its {e.coordinator_txns} transactions in __transaction_state includes"
        text = f"{'its only transaction does not include' if e.coordinator_txns == 1 else every} this partition"
    else:
        text = "its transaction after the last marker here does not include this partition"
    return (
        Step(text, e.list_ref),
        Step(f"the id's newest record, {e.latest_state}, does not name it: no marker will come", e.latest_ref),
    )


def _action(e: Evidence) -> Action:
    if e.latest_decision == "ABORT":
        return actions.as_decided(e, f"The last decision of {e.who} was ABORT", e.latest_state)
    told = "The id's last decision was COMMIT" if e.latest_decision == "COMMIT" else "What was decided is not known"
    return actions.perhaps_commit(e, told, e.latest_state, e.latest_decision)


DETECTOR = Detector("TXN003", "critical", Way(("opens",), Evidence, find, explain), verdict=True)
