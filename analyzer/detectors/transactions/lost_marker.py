"""What marker_missing_commit and marker_missing_abort share: a decision whose marker is not in the partition."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions, causes, conditions, elections
from analyzer.detectors.causes import Cause
from analyzer.detectors.certainty import Part, by_decision, certainty
from analyzer.detectors.model import Action, Confidence, Explanation, Ref, Step, Sure, step_if
from analyzer.detectors.subject import OfOpenData, evidence_of
from analyzer.detectors.transactions import lost_decision
from analyzer.detectors.wording import span
from analyzer.kafka.known_bugs.coordinator import MARKER_SKIPPED
from analyzer.kafka.known_bugs.logs import MARKER_BEFORE_DATA, MARKER_BY_KEY
from analyzer.tables.moments import moment

SKIPPED = (
    Cause(
        "the partition had no leader when its coordinator sent the markers: the coordinator took it for a deleted one, "
        f"sent none there, and completed the transaction ({MARKER_SKIPPED.named()})",
        bug=MARKER_SKIPPED,
        among="skipped",
    ),
    Cause(
        "a clock of the coordinator or of the controllers is wrong: coordinators before 4.3 wait for a leader",
        spared=(MARKER_SKIPPED,),
        among="skipped",
    ),
)
"""Why a transaction is complete without the marker of a partition that had no leader."""


@dataclasses.dataclass(frozen=True, slots=True)
class LostMarker(elections.Unled, OfOpenData):
    """An open transaction that its coordinator decided long ago."""

    transactional_id: str
    state: str
    decided_ms: int
    decision_ref: Ref | None
    completed_ms: int | None
    completed_ref: Ref | None
    marker_bound_ms: int
    new_leader_epoch: bool
    lost_count: int
    cleaned: bool
    cleaned_before: bool


def find(opens: DataFrame, unmarked: DataFrame, elected: DataFrame, decision: str) -> DataFrame:
    """Return the open transactions that were decided so, with the marker missing here (RULES A 6 c)."""
    cleaned = lost_decision.cleaned_away(unmarked, opens).select(*conditions.PRODUCER)
    missing = conditions.of_kind(conditions.judged(opens), f"marker_missing_{decision.lower()}")
    uncleaned = missing.join(cleaned, list(conditions.PRODUCER), "left_anti")
    decided = uncleaned.withColumns({name: F.col(f"lost.{name}") for name in ("decided_ms", "completed_ms")})
    return evidence_of(
        LostMarker,
        elections.with_unled(decided, elected),
        **conditions.subject(),
        unled_ms=F.coalesce("unled_ms", "lost_unled_ms"),
        unled_ref=F.coalesce("unled_ref", "lost_unled_ref"),
        state="lost.state",
        decision_ref=F.coalesce("lost_refs.prepared_ref", "lost_refs.completed_ref"),
        completed_ref="lost_refs.completed_ref",
        new_leader_epoch=F.col("log_epoch") > F.col("last_leader_epoch"),
        cleaned=F.coalesce(F.col("cleaner_checkpoint") > F.col("last_offset"), F.lit(False)),
    )


def explain(e: LostMarker, decision: str) -> Explanation:
    """Put the finding into words."""
    done = "committed" if decision == "COMMIT" else "aborted"
    return Explanation(
        headline=f"{e.transactional_id} was {done}, but the {decision} marker is not in this partition",
        label=f"{decision} marker missing",
        confidence=_confidence(e),
        steps=_steps(e, decision),
        cause=_cause(e, decision),
        since_ms=e.decided_ms,
        refuted_by=f"a marker of producer {e.producer_id} after offset {e.last_offset} in a newer copy of this log",
        otherwise=_otherwise(e, decision),
        settled_by="a newer copy of this partition, and the copies of its other replicas",
        certainty=_sure(e, decision),
        action=_action(e, decision),
    )


def _confidence(e: LostMarker) -> Confidence:
    """Return certain where the coordinator saw the transaction through and the cleaner took nothing here."""
    untouched = not (e.cleaned or e.cleaned_before)
    return "certain" if e.completed_ms is not None and e.lost_count == 1 and untouched else "likely"


def _steps(e: LostMarker, decision: str) -> tuple[Step, ...]:
    """Return the explanation of a lost marker."""
    decided = f"the coordinator decided {decision} at {moment(e.decided_ms)}; this partition is on its list"
    if e.completed_ms is not None:
        called = f"and called it complete at {moment(e.completed_ms)}: it counts the marker as written"
        done = Step(called, e.completed_ref)
    else:
        waited, bound = span(e.captured_at - e.decided_ms), span(e.marker_bound_ms)
        done = Step(f"its state is still {e.state}, {waited} later; markers take less than {bound} here")
    ends = Step("no marker of this producer follows in this log: the transaction stays open", e.last_ref)
    epoch = "a newer leader epoch begins after this data: that election may have lost the marker"
    why = elections.unled_steps(e) or step_if(e.new_leader_epoch, epoch)
    return (Step(e.wrote, e.first_ref), Step(decided, e.decision_ref), done, ends, *why)


def _otherwise(e: LostMarker, decision: str) -> Cause | str | None:
    """Return what else could explain a missing marker."""
    if e.completed_ms is None:
        return "a coordinator that is still retrying: check again first"
    if e.cleaned:
        bugs = (MARKER_BY_KEY,) if decision == "COMMIT" else (MARKER_BEFORE_DATA, MARKER_BY_KEY)
        issues = ", ".join(bug.issue for bug in bugs)
        return Cause(f"a marker that the log cleaner removed before its data: it has run here ({issues})", names=bugs)
    if e.cleaned_before:
        return (
            "data that came after the marker, as in hanging_late_write (TXN002): the log cleaner took offsets before "
            "it, and a marker goes with the data that it ended"
        )
    return None


def _sure(e: LostMarker, decision: str) -> tuple[Sure, ...]:
    """Return how sure it is that it hangs, why, and that an abort is safe."""
    done = "its coordinator counts it as complete and will not send another marker"
    hangs = f"it is still {e.state}" if e.completed_ms is None else done
    why: Part = ("possible", "these files do not show how the marker was lost", None)
    if e.unled_ms is not None:
        why = ("likely", "the partition had no leader that could take it", e.unled_ref)
    return certainty(
        (_confidence(e), hangs, e.completed_ref or e.decision_ref), why, by_decision(decision, e.decision_ref, e.topic)
    )


def _action(e: LostMarker, decision: str) -> Action:
    """Return what to do: wait while the coordinator still tries, else what the decision allows."""
    if e.completed_ms is None:
        return actions.wait_for_coordinator(e, decision, e.state)
    return actions.lost_commit(e, e.state) if decision == "COMMIT" else actions.lost_abort(e, e.state)


def _cause(e: LostMarker, decision: str) -> tuple[Cause | str, ...]:
    """Return why it may be missing; a coordinator that called it complete had it acknowledged."""
    cannot = "the coordinator cannot write it: the partition has no leader, or its leader refuses it"
    refused = Cause(cannot, among="cut off")
    if e.unled_ms is not None:
        return SKIPPED
    if e.completed_ms is None:
        return (*causes.cut_off("the marker"), refused)
    taken = [dataclasses.replace(one, among="cut off") for one in causes.cleaned(decision)] if e.cleaned else []
    return (*causes.cut_off("the marker"), *taken)
