"""A transaction that was decided and is not finished: by what its coordinator answered (RULES F 4)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.answers.evidence import Answered, open_step, otherwise, place, state_step, who
from analyzer.detectors.model import Action, Explanation, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import span
from analyzer.kafka.known_bugs.coordinator import PENDING_MARKERS_LOST

MARKERS_MS = 60_000
"""Longer than markers take (RULES A 11), and than the coordinator may be late to end what is overdue."""


def find(answered: DataFrame) -> DataFrame:
    """Return the transactions that are in PrepareCommit or PrepareAbort."""
    return evidence_of(Answered, answered.where(F.col("standing") == "prepared"))


def explain(e: Answered) -> Explanation:
    """Put the finding into words."""
    waited_ms = _waited_ms(e)
    old = waited_ms is not None and waited_ms > MARKERS_MS
    decision = (e.state or "").removeprefix("Prepare").upper()
    at_least = f" for at least {span(waited_ms or 0)}" if old else ""
    refused = "the leader of one of its partitions is gone, or refuses the marker (a foreign epoch fences it, PID001)"
    unled = f"{place(e)} has no leader ({e.unled_by}), and no marker is written to it"
    return Explanation(
        headline=f"{decision} was decided for {who(e)}, and its coordinator has not finished it{at_least}",
        label=f"decided, still {e.state or 'Prepare'}",
        confidence="likely" if old else "possible",
        steps=(*open_step(e), *state_step(e), Step(_age(e, waited_ms if old else None))),
        cause=(refused if e.unled_by is None else unled, "the coordinator is down or loading"),
        refuted_by=f"a later answer of list or describe in which {who(e)} is Complete{decision.capitalize()}",
        otherwise=otherwise(None if old else "markers that are on their way, which usually takes less than a second"),
        settled_by=f"the same question asked again a minute later, and describe --transactional-id {who(e)}",
        action=Action(
            kind="wait",
            word="bring back leader" if old or e.unled_by is not None else "wait",
            summary=_summary(e, decision, old=old),
            warning="an abort by hand discards committed records" if decision == "COMMIT" else None,
            check=checks.of_id(
                e.transactional_id,
                f"{e.state} still: bring back the leaders; Complete{decision.capitalize()}: it has ended",
            ),
            decided=decision,
        ),
    )


def _summary(e: Answered, decision: str, *, old: bool) -> str:
    if e.unled_by is not None:
        return (
            f"BRING BACK A LEADER of {place(e)}, which has none ({e.unled_by}): no marker can be written to it before. "
            f"DO NOT ABORT: {decision} is decided, and the marker is sent once it leads."
        )
    if old:
        return (
            f"BRING BACK THE LEADER of each of its partitions ({place(e)}), and its coordinator if it is down. DO NOT "
            f"ABORT: {decision} is decided, and the marker is sent again. If all of them are up, move the leader of "
            "its partition of __transaction_state to another broker: the coordinator there loads the decision and "
            f"sends the markers ({PENDING_MARKERS_LOST.issue})."
        )
    return (
        f"WAIT, and ask again after a minute. DO NOT ABORT: {decision} is decided. If it is still {e.state}, bring "
        f"back the leaders of its partitions ({place(e)}) and its coordinator."
    )


def _waited_ms(e: Answered) -> int | None:
    """Return for how long it is decided at least: two answers say so, or it is over the timeout that would end it."""
    overdue_ms = None
    if e.answered_at is not None and e.started_ms is not None and e.timeout_ms is not None:
        overdue_ms = max(e.answered_at - e.started_ms - e.timeout_ms, 0)
    return max((one for one in (overdue_ms, e.prepared_ms) if one is not None), default=None)


def _age(e: Answered, waited_ms: int | None) -> str:
    if waited_ms is None:
        return "these answers do not tell when it was decided"
    if waited_ms == e.prepared_ms:
        return f"two answers, {span(waited_ms)} apart, say {e.state} of the same transaction: markers take seconds"
    return f"its timeout passed {span(waited_ms)} before, so it was decided by then: markers take seconds"


ANSWERED = Way(("answered",), Answered, find, explain, needs=("answers",))
