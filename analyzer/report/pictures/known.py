"""What a document says of the transactions that its pictures draw, and what their coordinators decided."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from analyzer.report.document.timelines import Bar, CoordinatorLane, LogLane
from analyzer.report.document.types import Document, Partition
from analyzer.report.pictures import svg
from analyzer.report.sentences.action_words import impact_of

_OUTCOMES = {"PrepareCommit": "commit", "PrepareAbort": "abort"}

Begin = tuple[str, int, int, int | None]
"""Topic, partition, producer id and first offset of a transaction."""


@dataclasses.dataclass(frozen=True, slots=True)
class Known:
    """What a document says of the transactions that are drawn.

    `verdicts`: of open ones. `exposed`: those whose aborted records readers were shown. `lost`: producers of committed
    transactions of which nothing is left, by topic and partition. `saved`: committed data that only this replica still
    has, by topic, partition, replica, producer id and first offset.
    """

    verdicts: Mapping[Begin, str]
    exposed: frozenset[Begin]
    lost: frozenset[tuple[str, int, int]]
    saved: frozenset[tuple[str, int, str, int, int]] = frozenset()


NOTHING = Known({}, frozenset(), frozenset())


def known_of(document: Document) -> Known:
    """Return what the document says of the transactions that its timelines draw."""
    harmed = [one for one in document["findings"] if one["producer_id"] is not None]
    return Known(
        {
            (one["topic"], one["partition"], one["producer_id"], one["first_offset"]): one["verdict"]
            for one in document["open_transactions"]
            if one["authority"]
        },
        frozenset(
            (one["topic"] or "", one["partition"] or 0, one["producer_id"] or 0, one["first_offset"])
            for one in harmed
            if impact_of(one) == "wrong_data"
        ),
        frozenset(
            (one["topic"] or "", one["partition"] or 0, one["producer_id"] or 0)
            for one in harmed
            if impact_of(one) == "lost_data"
        ),
        frozenset(
            (one["topic"], one["partition"], one["replica"], one["producer_id"], one["first_offset"])
            for one in document.get("rescuable") or []
        ),
    )


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
