"""The timeline of an incident: everything that the document dates."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import cast

from analyzer.report.document.controller_log import ControllerEvent
from analyzer.report.document.keyed_rows import KeyedTopic
from analyzer.report.document.routed import RoutingTopic
from analyzer.report.document.timelines import Incident, LogLane
from analyzer.report.document.types import Document
from analyzer.report.outline.controller import event_words
from analyzer.report.outline.log_lines import log_sentence
from analyzer.report.postmortem.impact import Held, held, named
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.triage import triage

NEVER, EARLIER = -1, -2
"""As `until`: some time after `at`, at no known moment; some time before it."""
OPEN = frozenset({NEVER, EARLIER})
_BY_RECORD = "first record by the new count"
NEAR_MS = 1000
"""Equal events that are no further apart are one."""
DECISIONS = {"PrepareCommit": "COMMIT decided", "PrepareAbort": "ABORT decided", "PrepareEpochFence": "fenced"}
ENDS = {"CompleteCommit": "COMMIT complete according to the coordinator",
        "CompleteAbort": "ABORT complete according to the coordinator"}  # fmt: skip

_KINDS = {
    "election": "election", "unclean_election": "election", "partitions_added": "expansion", "restarted": "restart",
}  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """What happened at a moment (epoch ms), and what says so.

    `until`: the last moment at which it may have happened, or of several equal events; one of `OPEN` where `at` bounds
    it on one side only.

    `kind`: coordinator, records, stuck, election, expansion, restart, cluster, log, capture. `places`: the partitions
    of an election, the topics of an expansion.
    """

    at: int
    what: str
    source: str
    kind: str
    until: int | None = None
    places: tuple[str, ...] = ()


def moment(one: Event, clock: Clock) -> str:
    """Return when an event happened: at a moment, between two, not before or not after one."""
    if one.until in OPEN:
        return f"not {'before' if one.until == NEVER else 'after'} {clock.moment(one.at)}"
    if one.until is None or one.until == one.at:
        return clock.moment(one.at)
    return f"between {clock.moment(one.at)} and {clock.moment(one.until)}"


def happened(document: Document, clock: Clock) -> list[Event]:
    """Return the timeline of a document; nothing where there is no incident."""
    triaged = triage(document)
    return events(document, held(triaged), clock) if triaged.incidents else []


def events(document: Document, stuck: Iterable[Held], clock: Clock) -> list[Event]:
    """Return the timeline, equal events of one moment as one."""
    happenings = document.get("incidents") or []
    told = [
        *(one for happening in happenings for one in _coordinator(happening)),
        *(one for happening in happenings for lane in happening["timeline"]["logs"] for one in _records(lane)),
        *_elections(happenings),
        *_cluster(document),
        *_expansions(document),
        *_lines(document, clock),
        *_stuck(stuck),
        *_capture(document),
    ]
    return sorted(dict.fromkeys(told), key=lambda one: (one.at, one.until or 0))


def _coordinator(happening: Incident) -> Iterator[Event]:
    """Yield the decisions of the ids: the last before what is open began, and all since; equal ones as one."""
    began = min(_firsts(happening), default=0)
    told: list[tuple[int, str, str]] = []
    for lane in happening["timeline"]["coordinator"]:
        decided = [
            (state["at"], what, lane["transactional_id"])
            for state in lane["states"]
            if (what := DECISIONS.get(state["state"]) or ENDS.get(state["state"])) is not None
        ]
        before = sum(at < began for at, *_ in decided)
        told += decided[max(0, before - 2) :]
    for (at, until), what, ids in _near(told):
        yield Event(at, f"{named(ids)}: {what}", "__transaction_state", "coordinator", until)


def _firsts(happening: Incident) -> Iterator[int]:
    """Yield when the first record of each transaction was written that is open in a judged log."""
    for lane in happening["timeline"]["logs"]:
        for bar in lane["bars"] if lane["authority"] else ():
            if bar.get("marker_offset") is None and bar.get("first_ms") is not None:
                yield bar["first_ms"] or 0


def _near(told: Iterable[tuple[int, str, str]]) -> Iterator[tuple[tuple[int, int], str, tuple[str, ...]]]:
    """Yield equal events that are near each other as one: its first and last moment, what, and whose they are."""
    together: dict[str, list[tuple[int, int, list[str]]]] = {}
    for at, what, whose in sorted(told):
        same = together.setdefault(what, [])
        if same and at - same[-1][0] <= NEAR_MS:
            first, _, names = same.pop()
            same.append((first, at, [*names, whose]))
        else:
            same.append((at, at, [whose]))
    for what, some in together.items():
        for first, last, names in some:
            yield (first, last), what, tuple(dict.fromkeys(names))


def _records(lane: LogLane) -> Iterator[Event]:
    """Yield the first record of each transaction that a judged log leaves open."""
    place = f"{lane['topic']}-{lane['partition']}"
    for bar in lane["bars"]:
        first = bar.get("first_ms")
        if lane["authority"] and bar.get("marker_offset") is None and first is not None:
            what = f"{visible(place)}: first record of the open transaction of producer {bar['producer_id']}"
            yield Event(first, f"{what}, offset {bar.get('first_offset')}", "its log", "records")


def _elections(happenings: Iterable[Incident]) -> Iterator[Event]:
    """Yield where a leader epoch begins in a judged log: its files date that only from both sides."""
    exact: dict[tuple[int, int, int], list[str]] = {}
    after: list[tuple[int, str, str]] = []
    for lane in (lane for one in happenings for lane in one["timeline"]["logs"] if lane["authority"]):
        place = f"{lane['topic']}-{lane['partition']}"
        for start in lane["epochs"]:
            first, last = start.get("not_before"), start.get("not_after")
            if first is None or start["epoch"] == 0:
                continue
            if last is None:
                after.append((first, f"a new leader, leader epoch {start['epoch']}", place))
            else:
                exact.setdefault((first, last, start["epoch"]), []).append(place)
    for (first, last, epoch), places in exact.items():
        who = tuple(dict.fromkeys(places))
        yield Event(first, f"{named(who)}: a new leader, leader epoch {epoch}", "leader epochs", "election", last, who)
    for (_, last), what, those in _near(after):
        yield Event(last, f"{named(those)}: {what}", "leader epochs", "election", NEVER, those)


def _cluster(document: Document) -> Iterator[Event]:
    """Yield what the controllers' log dates: elections, restarts, expansions, settings."""
    for one in _changes(document):
        kind = _KINDS.get(one["event"], "cluster")
        yield Event(one["at"], event_words(one), "controllers' log", kind, None, tuple(one["places"]))


def _changes(document: Document) -> Iterator[ControllerEvent]:
    log = document.get("controller")
    for window in log["windows"] if log else ():
        yield from window["events"]


def _expansions(document: Document) -> Iterator[Event]:
    """Yield the expansions that no controllers' log around a finding dates: a record by the new count came after."""
    changes = (one for one in _changes(document) if _KINDS.get(one["event"]) == "expansion")
    dated = {place for one in changes for place in one["places"]}
    topics: list[RoutingTopic | KeyedTopic] = [
        *(document["routing"].get("topics") or []), *(document.get("keyed_topics") or []),
    ]  # fmt: skip
    for topic in topics:
        at, source = _expanded(topic)
        old, new, name = topic.get("old_count"), topic.get("new_count"), topic["topic"]
        if at is not None and old is not None and name not in dated:
            what = f"{visible(name)} expanded from {old} to {new} partitions"
            until = EARLIER if source == _BY_RECORD else None
            yield Event(at, what, source, "expansion", until, (name,))


def _expanded(topic: RoutingTopic | KeyedTopic) -> tuple[int | None, str]:
    """Return when a topic was expanded and what says so; by a record, that is a moment before which it was."""
    if topic.get("expanded_ms") is not None:
        return cast("int", topic.get("expanded_ms")), "controllers' log"
    if topic.get("boundary_from") == "expanded_at":
        return cast("int | None", topic.get("boundary_ms")), "capture.toml"
    return cast("int | None", topic.get("first_new_ms") or topic.get("boundary_ms")), _BY_RECORD


def _lines(document: Document, clock: Clock) -> Iterator[Event]:
    """Yield the lines of logs that carry a moment."""
    log = document.get("log_lines")
    for line in log["lines"] if log else ():
        at = line.get("at")
        if at is not None:
            yield Event(at, log_sentence(line, clock), f"{visible(line['file'])}:{line['line']}", "log")


def _stuck(stuck: Iterable[Held]) -> Iterator[Event]:
    told = [(one.since, "read_committed readers get nothing new from here on", one.place) for one in stuck if one.since]
    for (at, until), what, places in _near(told):
        yield Event(at, f"{named(places)}: {what}", "LSO", "stuck", until)


def _capture(document: Document) -> Iterator[Event]:
    at = document["capture"]["captured_at"]
    if at is not None:
        yield Event(at, "the files were taken", visible(document["capture"]["captured_at_source"] or "-"), "capture")
