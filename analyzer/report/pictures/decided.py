"""The decisions of coordinators that pictures show: when, how, which logs they name, and which marker they owe."""

import dataclasses
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from analyzer.report.document.timelines import Bar, CoordinatorLane, LogLane
from analyzer.report.document.types import Partition
from analyzer.report.pictures import svg

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


def name_of(log: LogLane | Partition) -> str:
    """Return `topic-partition`, as the coordinator's records name it."""
    return f"{log['topic']}-{log['partition']}"


def missing_marker(one: Decision, x: float, y: float) -> Iterator[Markup]:
    """Yield a dashed ring in the place of a marker that is not here."""
    tip = svg.element("title", f"the {one.outcome.upper()} was decided, its marker is not here")
    yield svg.element("circle", tip, cx=x, cy=y, r=8, class_="missing")
    yield svg.text(x, y + 4, one.outcome[:1].upper(), "missing-letter", anchor="middle")


def lost_commit(one: Decision, x: float, y: float, width: float) -> Iterator[Markup]:
    """Yield a hollow box where the records and the marker of a committed transaction should be."""
    tip = f"COMMIT of producer {one.producer_id}: neither its records nor its marker are here"
    yield svg.box(x - width / 2, y, width, 16, "lost-box", tip=tip)
    yield svg.text(x, y + 12, "C lost", "on-lost", anchor="middle")


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
