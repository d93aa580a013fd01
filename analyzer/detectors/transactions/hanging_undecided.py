"""A transaction is open beyond its own timeout, and its coordinator still says Ongoing.

How it looks
  __transaction_state, newest records of the id:
    state=Ongoing partitions=[orders-0] txnTimeoutMs=60000
    txnLastUpdateTimestamp of the first one + txnTimeoutMs is long past
  orders-0
  40..44 data    producer 7 epoch 3      <- open, no marker after it

Why it happens
  The coordinator ends overdue transactions itself. It did not end this one:
  its partition of __transaction_state has no leader or is loading, or the
  brokers look for the id in another one (orphan_state, RTE004). Before 4.3 one
  overdue id at epoch 32767 stops the check for every id of its coordinator.

What waits
  read_committed readers stop at the LSO, the first offset of the transaction,
  in every partition that the Ongoing record names and that holds its data. The
  cleaner does not pass it in a compacted topic.

Is an abort safe
  Ask the owner of the id first. Nothing was decided, so for most clients it is
  safe: the producer sends the transaction again. But a client that commits
  from a checkpoint (a Flink KafkaSink) or in two phases may believe that they
  are committed: restart its job from the last checkpoint or savepoint, which
  commits or rewrites them. An abort or another user of the id may lose them.
  For any other client, bring the coordinator back: it ends what is overdue.
  If it does not, one of these makes it:
    start a producer with the same transactional.id (InitProducerId aborts)
    kafka-transactions.sh --bootstrap-server ... forceTerminateTransaction
    --transactionalId ID                          (tool 4.1 and newer)
  If the state file is damaged or cut: no, a COMMIT may be decided in the gap.
  kafka-transactions.sh abort is the last resort, with the producer stopped: it
  writes a marker into ONE partition and does not tell the coordinator. A
  producer that is alive and commits later tears the transaction (TXN010).

How sure
  certain   captured_at is more than 60 s beyond start plus timeout, and these
            files are shown to be its coordinator's up to then
  likely    by 10 s or more; possible by less: coordinators look every 10 s
  undecided the coordinator's files end before the data's

What it is not
  in_flight: the timeout has not passed, or it is 2147483647, which is none
  (two-phase commit, 4.1 and newer): only its owner ends it. prepare_stuck
  (TXN006): decided, and the markers do not arrive.

What would refute it
  A Prepare or Complete record of the id after the Ongoing one, or a later
  dump in which the LSO has passed the transaction.

Versions
  All. The coordinator looks for overdue transactions every 10 s, before 2.5
  every 60 s (transaction.abort.timed.out.transaction.cleanup.interval.ms).

See also
  KIP-98, KIP-664, KIP-939; txn-forensics explain KAFKA-20090, TXN006, RTE004
  Rules: A 10 b, f, g, h.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks, conditions
from analyzer.detectors.answers import overdue
from analyzer.detectors.causes import Cause
from analyzer.detectors.certainty import RESUMES, Part, certainty, undecided
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.subject import OfOpenData, columns, evidence_of
from analyzer.detectors.transactions import last_epoch
from analyzer.detectors.wording import offsets, span
from analyzer.kafka.known_bugs.coordinator import PARTITION_COUNT
from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.tables import NO_REPLICA
from analyzer.tables.moments import moment
from analyzer.tables.unions import union_filled


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(last_epoch.Overdue):
    """An open transaction that its coordinator still calls Ongoing, over its timeout."""

    first_offset: int | None
    last_offset: int | None
    records: int | None
    captured_at: int
    reached_ms: int
    state_sound: bool
    of_leader: bool
    first_ref: Ref | None
    last_ref: Ref | None
    begun_ms: int
    timeout_ms: int
    deadline_ms: int
    state_ref: Ref | None


def find(
    opens: DataFrame, unseen: DataFrame, state_copies: DataFrame, exhausted: DataFrame, elections: DataFrame
) -> DataFrame:
    """Return the transactions that are Ongoing over their timeout, where they are open (RULES A 10, D 5, D 6)."""
    late = conditions.of_kind(conditions.judged_or_snapshot(opens), "hanging_undecided")
    seen = late.select(
        "capture",
        *columns(OfOpenData, **conditions.subject()),
        *[F.col(f"running.{name}") for name in ("begun_ms", "timeout_ms", "deadline_ms", "state_partition")],
        F.col("running_refs.latest_ref").alias("state_ref"),
        F.coalesce("state_horizon_ms", "captured_at").alias("reached_ms"),
    )
    listed = unseen.where("reached_ms > deadline_ms").withColumn("replica", F.lit(NO_REPLICA))
    told = union_filled(seen, listed).withColumn("since_ms", F.col("deadline_ms") + overdue.CERTAIN_AFTER_MS)
    sure = conditions.with_state_copy(told, state_copies)
    return evidence_of(Evidence, last_epoch.with_exhausted(sure, exhausted, elections))


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    over_ms = e.reached_ms - e.deadline_ms
    sure = overdue.how_sure(over_ms)
    sure = sure if (e.state_sound and e.of_leader) or sure != "certain" else "likely"
    wrote = Step(f"{e.owner} has a transaction in {e.place}, of which no file is here")
    if e.first_offset is not None:
        wrote = Step(f"{e.owner} wrote {offsets(e.first_offset, e.last_offset)}; no marker follows", e.first_ref)
    return Explanation(
        headline=f"the transaction of {e.transactional_id} is {span(over_ms)} over its timeout and was not ended",
        label="open beyond the timeout",
        confidence=sure,
        steps=(
            wrote,
            Step(
                f"the coordinator says Ongoing since {moment(e.begun_ms)}, timeout {span(e.timeout_ms)}, "
                "and lists this partition in the transaction",
                e.state_ref,
            ),
            Step(f"the state files were taken {span(over_ms)} after that timeout"),
            *last_epoch.steps(e),
        ),
        cause=(
            *last_epoch.causes(e),
            Cause(
                "the coordinator has not run its check for overdue transactions, or cannot: it is down, still loading, "
                f"or reads its state from another partition ({PARTITION_COUNT.issue})",
                names=(PARTITION_COUNT,),
            ),
            "transaction.abort.timed.out.transaction.cleanup.interval.ms is long on this cluster",
        ),
        refuted_by=f"a newer record of {e.transactional_id} in __transaction_state-{e.state_partition}",
        otherwise=_otherwise(e, over_ms),
        settled_by=_settled_by(e),
        certainty=certainty(
            (sure, f"it is Ongoing, {span(over_ms)} over its timeout", e.state_ref),
            ("possible", "the files do not show why the coordinator did not end it", None),
            _safe(e),
        ),
        action=_action(e),
    )


def _safe(e: Evidence) -> Part:
    """Return whether an abort is safe: only its owner knows; not where a decision may be in what is missing."""
    if not e.state_sound:
        missing = "the state file is damaged or cut: a COMMIT may stand in the missing part"
        return "no", f"{missing}; the coordinator's own answer comes first, then its owner's", e.state_ref
    return undecided(_what(e), e.state_ref)


def _what(e: Evidence) -> str:
    return "these offset commits" if e.topic == OFFSETS_TOPIC else "these records"


def _settled_by(e: Evidence) -> str | None:
    if not e.state_sound:
        return f"a whole copy of {STATE_TOPIC}-{e.state_partition}"
    return None if e.of_leader else conditions.leaders_copy(e.state_partition)


def _otherwise(e: Evidence, over_ms: int) -> str | None:
    if not e.state_sound:
        return "a decision that is missing here: the state file is damaged or cut"
    if over_ms <= overdue.CERTAIN_AFTER_MS:
        return "a transaction that the coordinator is about to end: the files were taken within seconds of the timeout"
    return None if e.of_leader else conditions.ended_since(e.state_partition)


def _action(e: Evidence) -> Action:
    """Return what to do: the owner first, then the coordinator, an abort by hand last."""
    if not e.state_sound:
        return Action(
            kind="fetch",
            word="check first",
            summary="CHECK FIRST what the coordinator says, or fetch a whole copy and run this again. DO NOT ABORT "
            f"before: the copy of {STATE_TOPIC}-{e.state_partition} is damaged or cut, and a COMMIT may be decided in "
            f"what is missing. If it still says Ongoing, ask the owner: {RESUMES} commits this transaction when its "
            "job is restarted.",
            check=checks.of_id(e.transactional_id, "TransactionState Ongoing"),
        )
    return Action(
        kind="abort",
        word="ask the owner",
        summary=f"ASK ITS OWNER FIRST: {RESUMES} still commits this transaction when its job is restarted. For any "
        "other client, let the coordinator end it, and abort by hand only if it does not.",
        state="Ongoing",
        discards=e.records,
        decided="nothing",
        warning=f"an abort, or another producer with this id, fences the client: one that commits from a checkpoint "
        f"loses {_what(e)}, any other gets an error at its next commit and has to send the transaction again",
    )


DETECTOR = Detector(
    "TXN001",
    "warning",
    Way(
        ("opens", "unseen"),
        Evidence,
        find,
        explain,
        beside=("state_copies", "exhausted_ids", "elections"),
        needs=("coordinator_states",),
    ),
    verdict=True,
    others=(overdue.ANSWERED,),
)
