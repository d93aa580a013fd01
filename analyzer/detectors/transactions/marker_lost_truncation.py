"""A leader election or truncation cut off the marker of a completed transaction.

How it looks
  __transaction_state
    state=CompleteCommit                       <- the marker was written
  payments-0, the leader
    16..17 data    producer 0 epoch 0, leader epoch 0
    leader-epoch-checkpoint: 2 18              <- a new epoch starts where the
                                                  marker was
  payments-0, the old leader
    18     COMMIT  producer 0 epoch 0, leader epoch 0

Why it happens
  The leader wrote the marker and acknowledged it. Then a replica outside the
  ISR that did not have it became leader (unclean election), or the only
  in-sync copy lost its last unflushed bytes. The new leader starts an epoch at
  its own log end, and the old one truncates to it when it comes back. All
  that the new leader did not have is lost with the marker; where the old
  leader's copy is here, the finding names those records.

What waits
  If the data is still open: read_committed readers, at its first offset. If
  the producer went on: nothing hangs, but its next marker decided these
  records too (slipped_into_next_transaction, TXN011).

Is an abort safe
  Only if ABORT was decided. After COMMIT, an abort destroys records that the
  producer believes are committed: save them first.

How sure
  certain   another replica still has the marker, under the older epoch; or the
            controllers' log has the unclean election, after the completion
  likely    a newer leader epoch starts after the data, and no copy in the
            capture has the marker
  possible  the same, and the controllers' log calls that election clean

What it is not
  prepare_stuck (TXN006): the coordinator is still trying. A new leader epoch
  at the end of a log alone: elections are normal, and most lose nothing.
  marker_cleaned_away (TXN007): the cleaner left a gap.

What would refute it
  The marker in a newer copy of the leader's log.

Versions
  All. It needs unclean.leader.election.enable=true, or a crash of the only
  in-sync replica.

See also
  KIP-101, KIP-279; txn-forensics explain TXN004, TXN011, LOG001
  Rules: A 6 c, E 2.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, causes, conditions, elections
from analyzer.detectors.certainty import by_decision, certainty
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Readers, Ref, Step, Sure, Way, step_if
from analyzer.detectors.subject import OfData, evidence_of
from analyzer.detectors.transactions import lost_decision
from analyzer.detectors.wording import article, counted, offsets
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(elections.Elected, OfData):
    """Data of a completed transaction whose marker is missing, below a newer leader epoch."""

    transactional_id: str
    first_ref: Ref | None
    decision: str
    decided_ms: int
    completed_ms: int
    completed_ref: Ref | None
    state: str
    closer: str
    marker: str | None
    marker_offset: int | None
    new_epoch: int
    epoch_offset: int
    epoch_ref: Ref | None
    witness_replica: str | None
    witness_offset: int | None
    witness_ref: Ref | None
    cut_replica: str | None
    cut_first: int | None
    cut_last: int | None
    cut_records: int | None
    cut_committed: int | None
    cut_plain: int | None
    cut_producers: int | None
    cut_names: str | None
    cut_ref: Ref | None


def find(unmarked: DataFrame, opens: DataFrame, truncated: DataFrame, elected: DataFrame) -> DataFrame:
    """Return completed transactions whose data has a newer leader epoch above it and no marker (RULES A 6 c).

    With what else that leader epoch took out of the log, where another replica still has it.
    """
    taken = lost_decision.taken(truncated)
    newer = unmarked.where("later_epoch IS NOT NULL").join(taken, list(conditions.PARTITION), "left")
    rest = lost_decision.complete(newer, opens).join(
        lost_decision.cleaned_away(unmarked, opens).select(*lost_decision.KEY), list(lost_decision.KEY), "left_anti"
    )
    written = elections.with_unled(rest, elected).where("unled_ms IS NULL")
    older = F.col("witness.leader_epoch") < F.col("later_epoch.epoch")
    here = F.col("witness.capture") == F.col("capture")
    same = F.col("cut.epoch") == F.col("later_epoch.epoch")
    return evidence_of(
        Evidence,
        elections.with_election(written, elected, F.col("later_epoch.epoch")),
        new_epoch="later_epoch.epoch",
        epoch_offset="later_epoch.offset",
        epoch_ref="later_epoch.ref",
        **{f"witness_{name}": F.when(older & here, F.col(f"witness.{name}")) for name in ("replica", "offset", "ref")},
        **{f"cut_{name}": F.when(same, F.col(f"cut.{name}")) for name in lost_decision.CUT},
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    sure = _confidence(e) == "certain"
    return Explanation(
        headline=f"the {e.decision} marker of {e.transactional_id} was lost when leader epoch {e.new_epoch} began",
        label=f"{e.decision} marker lost at an election",
        confidence=_confidence(e),
        steps=(
            Step(e.wrote, e.first_ref),
            Step(
                f"the coordinator called it complete ({e.decision}) at {moment(e.completed_ms)}: "
                "the marker was written",
                e.completed_ref,
            ),
            Step(
                f"leader epoch {e.new_epoch} begins at offset {e.epoch_offset}, after this data, and has no marker",
                e.epoch_ref,
            ),
            *elections.steps(e),
            *step_if(
                e.witness_replica is not None,
                f"broker {e.witness_replica} still has the marker at offset {e.witness_offset}, under the older epoch",
                e.witness_ref,
            ),
            *_also_cut(e),
            Step(
                "no marker of this producer follows: the transaction stays open"
                if e.closer == "open"
                else f"the next marker of this producer, {e.marker} at offset {e.marker_offset}, decided it too"
            ),
        ),
        cause=causes.cut_off("the marker", unclean=elections.after(e, e.decided_ms)),
        since_ms=e.decided_ms,
        refuted_by=f"{article(e.decision)} marker of producer {e.producer_id} after offset {e.last_offset} in a newer "
        "copy",
        otherwise=None if sure else "a marker lost in another way, in which case this election was harmless",
        settled_by=None if sure else "the copies of this partition on the other brokers, also on those that are down",
        certainty=_certainty(e) if e.closer == "open" else (),
        readers=_readers(e),
        action=_action(e),
    )


def _confidence(e: Evidence) -> Confidence:
    """Return how sure it is: an unclean election after the completion proves it, a clean one speaks against it."""
    if e.witness_replica is not None or elections.after(e, e.completed_ms):
        return "certain"
    return "possible" if elections.is_clean(e) else "likely"


def _certainty(e: Evidence) -> tuple[Sure, ...]:
    """Return how sure it is that it hangs, that the election cut the marker off, and that an abort is safe."""
    shown = "another copy still has the marker, under the older epoch"
    if e.witness_replica is None:
        shown = f"no marker before the start of leader epoch {e.new_epoch}, and no copy here has it"
    return certainty(
        ("certain", "its coordinator counts the marker as written and will not send another", e.completed_ref),
        (_confidence(e), shown, e.witness_ref or e.epoch_ref),
        by_decision(e.decision, e.completed_ref, e.topic),
    )


def _also_cut(e: Evidence) -> tuple[Step, ...]:
    """Return which records the same truncation took, by the copy that still has them."""
    if not e.cut_records or e.cut_first is None:
        return ()
    more = ", ..." if (e.cut_producers or 0) > (e.cut_names or "").count(",") + 1 else ""
    by = f"of producer {e.cut_names}{more}; " if e.cut_names else ""
    plain = f", {e.cut_plain} outside of transactions" if e.cut_plain else ""
    took = f"the same truncation took {counted(e.cut_records, 'record')} at {offsets(e.cut_first, e.cut_last)} that"
    kept = f"broker {e.cut_replica} still has: {by}{e.cut_committed or 0} of them committed{plain}"
    return (Step(f"{took} {kept}", e.cut_ref),)


def _action(e: Evidence) -> Action:
    if e.closer == "open":
        return actions.lost_commit(e, e.state) if e.decision == "COMMIT" else actions.lost_abort(e, e.state)
    where = f"{e.place} {offsets(e.first_offset, e.last_offset)}"
    told = actions.wrongly_ended(e.decision, where)
    if e.marker == e.decision:
        lucky = f"NOTHING TO DO HERE. By luck, {where} ended as decided ({e.decision})."
        told = Action(kind="none", word="nothing to do here", summary=lucky)
    return dataclasses.replace(told, summary=f"{told.summary} Check the other partitions of that election too.")


def _readers(e: Evidence) -> Readers | None:
    if e.closer == "open" or e.marker == e.decision:
        return None
    return Readers("lost_data" if e.decision == "COMMIT" else "wrong_data", e.records)


DETECTOR = Detector(
    "TXN008",
    "critical",
    Way(("unmarked",), Evidence, find, explain, beside=("opens", "truncated", "elections")),
    verdict=True,
)
