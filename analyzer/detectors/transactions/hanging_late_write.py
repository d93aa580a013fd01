"""Records of a transaction reached the partition after the marker that ended it.

How it looks
  9..13  data    producer 1 epoch 0
  14     ABORT   producer 1 epoch 0      <- the transaction ends here
  18..20 data    producer 1 epoch 0      <- and continues: nothing will end it
  __transaction_state: CompleteAbort (or CompleteCommit), no partitions.
  The partition leader takes 18..20 for the start of a new transaction.

Why it happens
  A Produce request was delayed in the network or in the broker's queue and
  was appended after the coordinator had written the markers: the client had
  timed out and ended the transaction, or the coordinator ended it at
  transaction.timeout.ms. Without verification the leader does not check that
  the transaction still runs (KAFKA-12671).

What waits
  read_committed readers stop at the LSO, the first late offset. The cleaner
  does not pass it in a compacted topic. read_uncommitted readers are not
  affected.

Is an abort safe
  If the id's last decision was ABORT: yes, it loses nothing.
  If it was COMMIT: the client may believe that the late records are committed.
  Save them, abort, produce them again.
  Not if the id has begun a new transaction since the capture. Check first:
    kafka-transactions.sh --bootstrap-server ... describe --transactional-id ID

How sure
  certain   the marker's transaction is the id's last one in the coordinator's
            records, or the data is older than the start of the next one
  likely    compaction took the marker's transaction from the coordinator's
            records; the data's own timestamps lie before the start of the id's
            last transaction, and no log here has a marker in between
  undecided the capture has no record of the id (the report names the
            __transaction_state partition to dump), or it is so fresh that
            this may be a transaction that the state files do not show yet

What it is not
  The next transaction of a healthy producer. The same epoch, a sequence that
  continues, or a CreateTime before the marker proves nothing: a healthy next
  transaction often shows all three. Data of a higher epoch than the marker's
  own transaction belongs to the next one (transaction.version 2).
  hanging_never_registered (TXN003): the partition was never in the
  transaction. slipped_into_next_transaction (TXN011): a later marker of the
  same id ended the records, so wrong data is visible and nothing hangs.

What would refute it
  An Ongoing record of the id after the marker that names this partition.

Versions
  Up to 3.5, and later versions with transaction.partition.verification.enable
  off. 3.6 introduced the check (KIP-890), 3.7 for __consumer_offsets. 3.9 and
  4.1 answer late records with INVALID_TXN_STATE.

See also
  KIP-890, KAFKA-12671; txn-forensics explain TXN003, TXN011
  Rules: A 10 c, D 2.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, causes, conditions
from analyzer.detectors.certainty import by_decision, certainty, copied_after
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step, Sure, Way
from analyzer.detectors.subject import OfOpenData, evidence_of
from analyzer.detectors.wording import by_number, offsets, producer
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfOpenData):
    """Data after the marker of its own transaction, and no later marker of the id."""

    transactional_id: str
    marker: str
    marker_offset: int
    marker_ms: int
    marker_ref: Ref | None
    decision: str
    decided_ms: int | None
    decision_ref: Ref | None
    is_last: bool
    appended_by_ms: int | None
    next_begun_ms: int | None
    idle_until_ms: int | None
    newest_ms: int | None
    state_ref: Ref | None
    state_newest_ms: int | None


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions that began after the marker of the id's last, or then current, transaction.

    Certain: that transaction is the id's last one, or the data was appended before the next began (RULES A 10).
    Likely: compaction took its records, and the data's own timestamps say so (RULES D 2 c).
    """
    return evidence_of(
        Evidence,
        conditions.of_kind(conditions.judged(opens), "hanging_late_write", "idle_write"),
        **conditions.subject(),
        marker="previous_marker",
        marker_offset="previous_marker_offset",
        decision=F.coalesce("ended.decision", "previous_marker"),
        decided_ms="ended.decided_ms",
        decision_ref=F.coalesce("ended_refs.prepared_ref", "ended_refs.completed_ref", "rest.ref"),
        is_last=F.coalesce("ended.is_last", F.lit(False)),
        next_begun_ms="ended.next_begun_ms",
        idle_until_ms=F.expr("CASE WHEN judgement.kind = 'idle_write' THEN idle_until_ms END"),
        newest_ms="last_batch.max_timestamp",
        state_ref="newest.ref",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    records, own = actions.lost(e), by_number(e.records, "its", "their")
    return Explanation(
        headline=f"{records} of {e.transactional_id} came after {own} own {e.marker} marker",
        label="written after the marker",
        confidence="certain" if e.idle_until_ms is None else "likely",
        steps=_steps(e),
        cause=(causes.delayed(e.topic), *causes.unverified(e.topic)),
        refuted_by=f"a record of {e.transactional_id} after the marker that says Ongoing and names this partition",
        otherwise=_other(e),
        since_ms=e.marker_ms,
        certainty=_certainty(e),
        action=_action(e),
    )


def _certainty(e: Evidence) -> tuple[Sure, ...]:
    told: Confidence = "likely" if e.idle_until_ms is not None else "certain"
    copied = copied_after(e.captured_at, e.newest_ms, e.state_newest_ms)
    proven = e.decision if e.idle_until_ms is None else None
    return certainty(
        ("certain", f"the id has no open transaction that could own it, and {copied}", e.state_ref),
        (told, f"the {e.marker} marker of the same producer comes before the data", e.marker_ref),
        by_decision(proven, e.decision_ref, e.topic),
    )


def _steps(e: Evidence) -> tuple[Step, ...]:
    marker = Step(f"the {e.marker} marker is at offset {e.marker_offset}, {moment(e.marker_ms)}", e.marker_ref)
    follow = Step(
        f"{offsets(e.first_offset, e.last_offset)} came after it, same {producer(e.producer_id, e.producer_epoch)}",
        e.first_ref,
    )
    if e.idle_until_ms is not None:
        began = f"before the id's last transaction began ({moment(e.idle_until_ms)})"
        made = f"they date from {moment(e.newest_ms)}, {began}"
        none = f"no log here has a marker of producer {e.producer_id} in between: the id had no transaction then"
        return marker, follow, Step(made, e.decision_ref), Step(none)
    decided = Step(f"the coordinator decided {e.decision} at {moment(e.decided_ms)}", e.decision_ref)
    if e.is_last:
        last = f"nothing of producer {e.producer_id} follows, and its coordinator has no later transaction"
        return decided, marker, follow, Step(f"{last}: nothing will end it", e.state_ref)
    by = f"they were appended by {moment(e.appended_by_ms)}, before the id's next transaction began "
    return decided, marker, follow, Step(f"{by}({moment(e.next_begun_ms)})", e.last_ref)


def _other(e: Evidence) -> str | None:
    if e.is_last:
        return None
    never = "to which this partition was never added (TXN003)"
    if e.idle_until_ms is None:
        return f"records of a later transaction, {never}; the action is the same"
    return f"records of a transaction whose marker is missing and {never}"


def _action(e: Evidence) -> Action:
    if e.decision == "ABORT" and e.idle_until_ms is None:
        return actions.as_decided(e, "The coordinator decided ABORT", None)
    if e.decision == "COMMIT":
        return actions.perhaps_commit(e, "The id's last decision was COMMIT", None, "COMMIT")
    told = "The records probably belong to the transaction of that marker, but the files do not prove it"
    return actions.perhaps_commit(e, told, None)


DETECTOR = Detector("TXN002", "critical", Way(("opens",), Evidence, find, explain), verdict=True)
