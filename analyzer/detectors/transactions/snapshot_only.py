"""A transaction is open only in a producer snapshot: its data is no longer in the log.

How it looks
  orders-0, log start offset 27
  00000000000000000058.snapshot
    producerId: 1 ... currentTxnFirstOffset: OptionalLong[7] ... lastOffset: 9

Why it happens
  A transaction hung or ran long, and retention or DeleteRecords removed its
  segment. The broker keeps the open transaction in memory and in its
  snapshots, so a restart does not help.

What waits
  The LSO cannot be below the log start, so read_committed readers stop at the
  log start offset and see nothing after it until the transaction ends.

Is an abort safe
  Yes, if the coordinator has ended the transaction or does not know it: the
  data is gone, so nothing can be lost. kafka-transactions.sh abort accepts the
  old start offset although it is deleted. If the coordinator says Ongoing, ask
  its owner, and let the coordinator end the transaction: its marker frees this
  partition too. An abort could tear it: the producer may still be writing, or
  may commit what it wrote elsewhere, from a checkpoint (Flink) or in two
  phases. Without the coordinator's records, get them first.

How sure
  certain   the newest snapshot at or below the log end names the open
            transaction, the log starts above its last offset, and the
            coordinator's records say whether it still runs
  likely    they are not here, and by the snapshot and by a marker or the
            times of other producers after it, it is older than any timeout
  possible  they are not here, and it may run inside its timeout, or only its
            client's clock says that it is older; or only some of the replicas
            that may lead have it open: the leader's answer to
            describe-producers settles that (both severity warning)

What it is not
  hanging_late_write (TXN002) and the like: the data is still in the log. A
  snapshot that is older than the marker: the batches after it count.

What would refute it
  A newer snapshot, or a describe-producers output, without the entry.

Versions
  All that write currentTxnFirstOffset (0.11 and newer).

See also
  KIP-664; txn-forensics explain TXN002
  Rules: A 9.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, conditions
from analyzer.detectors.certainty import RESUMES, Part, certainty, undecided
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step, Sure, Way, step_if
from analyzer.detectors.subject import OfData, evidence_of
from analyzer.detectors.wording import counted, producer
from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfData):
    """An open transaction that only a producer snapshot remembers; `told`: the coordinator's records can say of it."""

    log_start_offset: int
    log_end_offset: int
    snapshot_offset: int | None
    snapshot_ref: Ref | None
    running: bool
    told: bool
    timeout_at: int | None
    endless: bool | None
    captured_at: int
    state_ref: Ref | None
    gone: str
    disputed: bool
    aged: bool
    by_client: bool


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions without any data at or above the log start offset (RULES A 9)."""
    limit = F.col("max_timeout_ms") + COPYING_MS
    by_others = (F.col("others_ms") > limit) | (F.col("paced_ms") > limit)
    by_brokers = F.col("captured_at") - F.col("later_marker_ms") > limit
    shown = F.coalesce(by_others, F.lit(False)) | F.coalesce(by_brokers, F.lit(False))
    old = F.coalesce(F.col("captured_at") - F.col("snapshot_ms") > limit, F.lit(False))
    return evidence_of(
        Evidence,
        conditions.remembered(opens),
        **conditions.subject(),
        records=F.lit(None).cast("bigint"),
        running=F.col("running").isNotNull(),
        told="judgement.coordinator_told",
        timeout_at="running.deadline_ms",
        endless=F.col("running.timeout_ms") == NO_TIMEOUT_MS,
        state_ref=F.coalesce("running_refs.latest_ref", "newest.ref"),
        aged=old & shown,
        by_client=old & ~shown,
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    after = e.log_end_offset - e.log_start_offset
    waits = f"it holds back {counted(after, 'offset')}" if after else "what is written next will wait for it"
    kept = "the broker keeps the producer's state, even across a clean restart"
    return Explanation(
        headline=f"a transaction of {e.who} is open from offset {e.first_offset}, which is no longer in the log",
        label="records no longer in the log",
        confidence=_confidence(e),
        severity="info" if _in_time(e) else "warning" if _confidence(e) == "possible" else None,
        steps=(
            Step(
                f"the newest snapshot has {producer(e.producer_id, e.producer_epoch)} open from offset "
                f"{e.first_offset}, last offset {e.last_offset}",
                e.snapshot_ref,
            ),
            Step(_proof(e, waits)),
            *_state(e),
        ),
        cause=(f"retention or DeleteRecords removed the data of a transaction that was still open; {kept}",),
        refuted_by=f"a newer snapshot, or describe-producers, without producer {e.producer_id}",
        settled_by=_settled(e),
        certainty=() if _in_time(e) else _certainty(e),
        action=_action(e),
    )


def _proof(e: Evidence, waits: str) -> str:
    if e.gone == "below start":
        return f"the log begins at offset {e.log_start_offset}: the LSO stands there, and {waits}"
    return f"the whole segment that covers offset {e.first_offset} is here, and that offset is not in it; {waits}"


def _confidence(e: Evidence) -> Confidence:
    """Return how sure it is that it hangs: without the coordinator's records it may run, up to any timeout."""
    if e.disputed:
        return "possible"
    return "certain" if e.told else "likely" if e.aged else "possible"


def _certainty(e: Evidence) -> tuple[Sure, ...]:
    """Return how sure it is that it hangs, why, and that an abort is safe."""
    hangs = "replicas disagree whether it is open" if e.disputed else "the newest producer snapshot has it open"
    if not (e.told or e.disputed):
        age = "longer than any timeout" if e.aged or e.by_client else "not longer than the longest timeout"
        age += " by its client's clock alone" if e.by_client else ""
        hangs = f"{hangs}, {age}, and nothing here says whether its coordinator runs it"
    safe: Part
    if e.running:
        safe = undecided("its records in other partitions", e.state_ref)
    elif e.told:
        safe = "yes", "the records are gone already: an abort loses nothing", e.snapshot_ref
    else:
        safe = "no", "the files do not show whether its coordinator still runs it", None
    return certainty(
        (_confidence(e), hangs, e.snapshot_ref), ("possible", "these files do not show why no marker came", None), safe
    )


def _settled(e: Evidence) -> str | None:
    if e.disputed:
        return (
            f"the leader's view of {e.place}: describe-producers asks it, and kafka-topics.sh --describe "
            f"--topic {e.topic} says which replica that is"
        )
    return None if e.told else STATE_TOPIC


def _state(e: Evidence) -> tuple[Step, ...]:
    told = "its coordinator has ended this transaction, or never knew this part of it"
    if e.running:
        until = "without a timeout" if e.endless else f"until {moment(e.timeout_at)}"
        told = f"its coordinator says Ongoing, {until}"
    return step_if(e.running or e.state_ref is not None, told, e.state_ref)


def _in_time(e: Evidence) -> bool:
    """Return whether the coordinator still lets the transaction run."""
    return e.running and (bool(e.endless) or (e.timeout_at is not None and e.timeout_at > e.captured_at))


def _action(e: Evidence) -> Action:
    if _in_time(e) and e.endless:
        return Action(
            kind="wait",
            word="ask the owner",
            summary=f"ASK ITS OWNER. {e.who} has no timeout (two-phase commit): its coordinator never ends it. Once "
            f"its owner commits or aborts it, the marker frees {e.place}.",
        )
    if _in_time(e):
        return Action(
            kind="wait",
            word="wait",
            summary=f"WAIT until {moment(e.timeout_at)}: the coordinator ends {e.who} by then, and its marker frees "
            f"{e.place}. If it does not, abort at offset {e.first_offset}.",
        )
    if not e.told:
        return Action(
            kind="fetch",
            word="fetch files first",
            summary="FETCH FILES FIRST: __transaction_state. If it says Ongoing, the coordinator ends the transaction, "
            f"and the marker frees {e.place}. If not, an abort loses nothing: the records are gone already.",
        )
    if e.running:
        disagree = " Replicas disagree whether this is open: abort by hand only what the leader's describe-producers "
        return Action(
            kind="abort",
            word="ask the owner",
            summary=f"ASK ITS OWNER FIRST: {RESUMES} still commits what this transaction wrote elsewhere when its job "
            "is restarted. For any other client, let the coordinator end it: its marker frees this partition too. The "
            f"records are gone from {e.place} already.{f'{disagree}shows.' if e.disputed else ''}",
            state="Ongoing",
            discards=0,
            decided="nothing",
        )
    gone = "The records are gone already, so an abort loses nothing."
    if e.disputed:
        gone = f"Replicas disagree whether this is open: abort only what describe-producers of the leader shows. {gone}"
    return dataclasses.replace(actions.abort(e, gone, None, hangs=not e.disputed), discards=0)


DETECTOR = Detector("TXN009", "critical", Way(("opens",), Evidence, find, explain, needs=("batches",)), verdict=True)
