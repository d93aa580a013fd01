"""The decisions of coordinators that pictures show: when, how, which logs they name, and which marker they owe."""

import dataclasses
from collections.abc import Iterator, Sequence

from analyzer.report.document.incident_types import Bar, CoordinatorLane, LogLane

_OUTCOMES = {"PrepareCommit": "commit", "PrepareAbort": "abort"}


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """When an id's transaction was decided, how, and which partitions it names."""

    at: int
    outcome: str
    producer_id: int
    places: frozenset[str]


def decisions(lane: CoordinatorLane) -> Iterator[Decision]:
    """Yield the decisions of an id in their order."""
    for state in lane["states"]:
        outcome = _OUTCOMES.get(state["state"])
        if outcome:
            yield Decision(state["at"], outcome, state["producer_id"], frozenset(state["partitions"]))


def name_of(lane: LogLane) -> str:
    """Return `topic-partition`, as the coordinator's records name it."""
    return f"{lane['topic']}-{lane['partition']}"


def due(bar: Bar, lane: LogLane, made: Sequence[Decision]) -> Decision | None:
    """Return the first decision after the data that names this log: its marker should have come here."""
    first = bar.get("first_ms")
    owed = [
        one
        for one in made
        if one.producer_id == bar["producer_id"] and name_of(lane) in one.places and first is not None
        and one.at >= first
    ]  # fmt: skip
    return min(owed, key=lambda one: one.at, default=None)
