"""Committed records are gone from the leader's log: no copy has them, or one that is about to be truncated.

How it looks
  stage gone: no copy has a record, and none a marker, or one that ends no data
  __transaction_state
    billing-1 state=CompleteCommit partitions=[frail-0, orders-0]
  orders-0
    6      COMMIT  producer 1 epoch 0
  frail-0, on every broker
    7      COMMIT  producer 4, of an earlier transaction, leader epoch 3
    8      data    producer 5, leader epoch 4  <- begins where billing-1's were
  __cluster_metadata-0
    frail-0: leader 3, leaderRecoveryState 1   <- an unclean election
  stage still rescuable: the deposed leader has not come back yet
  frail-0, the leader: leader-epoch-checkpoint 4 8  <- an epoch starts at 8
  frail-0, the old leader
    8..9   data    producer 4, leader epoch 3  <- only here
    10     COMMIT  producer 4, leader epoch 3

Why it happens
  The leader acknowledged the records and died. A replica outside the ISR became
  leader (unclean election) and began an epoch at its own log end. The old
  leader truncates to it when it comes back; then no copy has the records.
  Until then its disk has them (stage still rescuable).

What waits
  Nothing. Consumers of this partition never see the records; other partitions
  of the transaction may have theirs: it is torn.

Is an abort safe
  There is nothing to abort. Produce the records again: in stage still rescuable
  from what rescue saves of the old leader, else from what the producer has.

How sure
  certain   the controllers' log has the unclean election that took them; or a
            copy still has them with their COMMIT marker, under an older leader
            epoch and beyond the start of the leader's next one
  likely    a new leader epoch begins where they were, all around it belongs to
            others, and no controllers' log is here, or the leader restarted
            uncleanly and led again; or a copy has them without a marker, and
            COMMIT is the coordinator's next decision of that producer; or the
            new, unclean leader's COMMIT marker ends no data (else possible)

What it is not
  Retention or compaction: the offsets around are here. A lagging follower: it
  has nothing of its own. A deleted topic: it has no log. TXN008: the records
  are here, the marker is gone. An old copy: later ones are in it.

What would refute it
  A copy of another broker with the records or the marker.

Versions
  All. It needs unclean.leader.election.enable=true, an unclean election by
  hand, or the loss of unflushed bytes of the only in-sync copy.

See also
  KIP-101, KIP-966; txn-forensics explain TXN008, TXN010, LOG001
  Rules: E 5, E 9.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import causes
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Readers, Ref, Step, Way, step_if
from analyzer.detectors.replicas.rescuable_commits import RESCUABLE
from analyzer.detectors.subject import OfPartition, evidence_of
from analyzer.detectors.wording import by_number, counted, producer
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfPartition):
    """Committed transactions of one id that no copy of a partition has, and the leader epoch that took them."""

    transactional_id: str
    producer_id: int
    producer_epoch: int | None
    first_offset: int
    lost_transactions: int
    decided_ms: int
    completed_ms: int
    completed_ref: Ref | None
    cut_epoch: int
    cut_ref: Ref | None
    before_offset: int | None
    before_ref: Ref | None
    after_offset: int | None
    after_ref: Ref | None
    empty_marker: bool
    elsewhere: str | None
    elected_ms: int | None
    new_leader: int | None
    previous_leader: int | None
    previous_isr: str | None
    election_ref: Ref | None
    crashed_ms: int | None
    crashed_broker: int | None
    crash_ref: Ref | None


def find(lost_commits: DataFrame) -> DataFrame:
    """Return the committed transactions that are in no copy of a partition (RULES E 5)."""
    eligible = F.coalesce("election.previous_elr", F.array().cast("array<int>"))
    in_sync = F.concat("election.previous_isr", eligible)
    return evidence_of(
        Evidence,
        lost_commits,
        first_offset="cut_offset",
        elsewhere=F.nullif(F.concat_ws(", ", "elsewhere"), F.lit("")),
        elected_ms="election.changed_ms",
        new_leader="election.leader_id",
        previous_leader="election.previous_leader_id",
        previous_isr=F.concat_ws(", ", F.transform(in_sync, lambda one: one.cast("string"))),
        election_ref="election.ref",
        crashed_ms="crash.crashed_ms",
        crashed_broker="crash.crashed_broker",
        crash_ref="crash.ref",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    several = e.lost_transactions > 1
    what = f"{e.lost_transactions} committed transactions" if several else "a committed transaction"
    return Explanation(
        headline=f"{what} of {e.transactional_id} lost {'their' if several else 'its'} records: no copy of "
        f"{e.place} has them",
        label="committed records lost",
        confidence=_confidence(e),
        steps=(
            Step(
                f"{e.transactional_id} ({producer(e.producer_id, e.producer_epoch)}): COMMIT was decided at "
                f"{moment(e.decided_ms)}, and the coordinator called it complete at {moment(e.completed_ms)}: the "
                f"marker was written to {e.place}",
                e.completed_ref,
            ),
            *_neighbours(e),
            Step(f"leader epoch {e.cut_epoch} begins at offset {e.first_offset}, between the two", e.cut_ref),
            *_election(e),
            Step(f"in no copy here is an offset missing there, and none holds a {_trace(e)} of it"),
            *step_if(e.elsewhere, f"{e.elsewhere} has its COMMIT marker: the transaction is torn"),
        ),
        cause=causes.cut_off("the records", unclean=e.election_ref is not None),
        since_ms=e.decided_ms,
        readers=Readers("lost_data"),
        refuted_by=f"a copy of {e.place} on another broker with a {_trace(e)} of producer {e.producer_id} of that time",
        otherwise=_otherwise(e),
        settled_by=_settled_by(e),
        action=_action(e),
    )  # fmt: skip


def _confidence(e: Evidence) -> Confidence:
    """Return how sure it is: a client that listed the partition and wrote nothing leaves a marker without data, too."""
    if e.empty_marker:
        return "likely" if e.election_ref is not None or e.crash_ref is not None else "possible"
    return "certain" if e.election_ref is not None else "likely"


def _trace(e: Evidence) -> str:
    return "record" if e.empty_marker else "record or marker"


def _otherwise(e: Evidence) -> str | None:
    nothing = "a transaction that listed the partition but wrote nothing to it"
    if e.empty_marker:
        return nothing
    return None if e.election_ref else f"{nothing}: then only its marker is lost"


def _settled_by(e: Evidence) -> str | None:
    if e.election_ref is not None:
        sent = f"what the client of {e.transactional_id} kept of what it sent to {e.place} then"
        return sent if e.empty_marker else None
    if e.crash_ref is not None:
        return f"the log of broker {e.crashed_broker}'s machine of that time, and copies of its other replicas"
    return "the controllers' log, __cluster_metadata-0 of any controller"


def _neighbours(e: Evidence) -> tuple[Step, ...]:
    """Return what stands before and after the place where it should be."""
    before = f"the marker at offset {e.before_offset}"
    follows = Step(f"by the coordinator's clock it belongs after {before}, of an earlier transaction", e.before_ref)
    if e.before_offset is None:
        follows = Step("no transaction before it has a marker here: it belongs at the start of the log")
    after = f"and before the marker at offset {e.after_offset}, of a later one"
    if e.empty_marker:
        after = f"its own COMMIT marker at offset {e.after_offset} ends no data"
    return follows, *step_if(e.after_offset is not None, after, e.after_ref)


def _election(e: Evidence) -> tuple[Step, ...]:
    if e.election_ref is None:
        restarted = f"broker {e.crashed_broker} restarted at {moment(e.crashed_ms)} without a controlled shutdown"
        lost = "then led again by a clean election: what it had not flushed may be lost"
        return step_if(e.crash_ref is not None and e.crashed_ms is not None, f"{restarted}, {lost}", e.crash_ref)
    was = f"broker {e.previous_leader}" if e.previous_leader is not None and e.previous_leader >= 0 else "no leader"
    inside = f"; brokers in sync or eligible to lead: {e.previous_isr}" if e.previous_isr else ""
    took = f"unclean election: at {moment(e.elected_ms)} broker {e.new_leader} became leader (before: {was}{inside})"
    return (Step(took, e.election_ref),)


def _action(e: Evidence) -> Action:
    return Action(
        kind="none",
        word="notify the producer",
        summary=f"NOTIFY THE PRODUCER'S OWNERS. {counted(e.lost_transactions, 'transaction')} of {e.transactional_id} "
        f"{by_number(e.lost_transactions, 'was', 'were')} decided COMMIT, and {e.place} has none of the "
        "records: they have to be sent again. Nothing can be aborted or "
        "restored here. Check the other partitions of that election, and set "
        "unclean.leader.election.enable=false where data counts.",
    )


DETECTOR = Detector("TXN015", "critical", Way(("lost_commits",), Evidence, find, explain), others=(RESCUABLE,))
