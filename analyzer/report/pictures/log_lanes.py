"""The lanes of logs: a bar for each transaction, a box for each marker, and where leader epochs start."""

import dataclasses
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from analyzer.report.document.timelines import Bar, LogLane
from analyzer.report.pictures import svg
from analyzer.report.pictures.known import NOTHING, Begin, Decision, Known, due, lost_commit, missing_marker, name_of
from analyzer.report.pictures.time_axis import Axis
from analyzer.report.sentences.quantities import span

ROW, PAD, LEAST, MARKER = 20.0, 6.0, 6.0, 13.0
_LABELS = 200.0
_LETTERS = {"COMMIT": "C", "ABORT": "A"}


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """A lane and where it begins."""

    lane: LogLane
    y: float


_WORDS = {
    "in_flight": ("in flight", "running"),
    "completing": ("completing", "running"),
    "undecided": ("undecided", "unsure"),
    "orphaned": ("orphaned", "orphaned"),
}
"""What is written on an open bar by its verdict, and its class; every other verdict hangs."""


def _key(lane: LogLane, bar: Bar) -> Begin:
    return lane["topic"], lane["partition"], bar["producer_id"], bar.get("first_offset")


def height(lane: LogLane, scale: Axis) -> float:
    """Return how high a lane is: its bars do not overlap."""
    return ROW * max(1, len(_rows(lane["bars"], scale))) + PAD


def background(place: Place, scale: Axis, end: int, width: float, elected: Sequence[int] = ()) -> Iterator[Markup]:
    """Yield the line above a lane, and where a leader epoch starts: a line, or a frame where only logs date it.

    `elected`: when the partition got a leader, by the controllers' log.
    """
    lane, y = place.lane, place.y
    yield svg.line(_LABELS, y - 2, width, y - 2, "rule")
    for at in elected:
        x = scale.place(at)
        yield svg.line(x, y, x, y + height(lane, scale) - PAD, "change election")
    for start in lane["epochs"]:
        first, last = start.get("not_before"), start.get("not_after") or end
        if first is not None and last >= first and not any(first <= at <= last for at in elected):
            left, right = scale.place(first), scale.place(last)
            tip = f"leader epoch {start['epoch']} starts at offset {start['start_offset']}, at a time in here"
            yield svg.box(left, y, max(right - left, LEAST), height(lane, scale) - PAD, "epoch", tip=tip, radius=0)


def labels(place: Place) -> Iterator[Markup]:
    """Yield the name of a lane and the copy that it is, and the line above them."""
    lane, y = place.lane, place.y
    role = "judged" if lane["authority"] else "copy"
    replica = f"broker {lane['replica']}" if lane["replica"].isdecimal() else lane["replica"]
    yield svg.line(0, y - 2, _LABELS, y - 2, "rule")
    yield svg.text(0, y + 14, name_of(lane), "name", room=_LABELS - 110)
    yield svg.text(_LABELS, y + 14, f"{replica} {role}", "note", room=118, anchor="end")


def parts(
    place: Place, decisions: Sequence[Decision], scale: Axis, end: int, known: Known = NOTHING
) -> Iterator[Markup]:
    """Yield the bars of a lane with their markers, and where a commit is lost."""
    lane = place.lane
    for number, row in enumerate(_rows(lane["bars"], scale)):
        for bar in row:
            yield from _bar(bar, lane, decisions, scale, end, place.y + ROW * number, known)
    for one in decisions:
        gone = (lane["topic"], lane["partition"], one.producer_id) in known.lost
        if gone and one.outcome == "commit" and name_of(lane) in one.places:
            yield from lost_commit(one, scale.place(one.at), place.y, 52)


def _bar(
    bar: Bar, lane: LogLane, decisions: Sequence[Decision], scale: Axis, end: int, y: float, known: Known
) -> Iterator[Markup]:
    marker, first = bar.get("marker"), bar.get("first_ms")
    left, right = _extent(bar, scale)
    told = f"{span(bar.get('first_offset'), bar.get('last_offset'))} producer {bar['producer_id']}"
    if bar.get("marker_offset") is None:
        yield from _open(bar, lane, decisions, scale, end, y, known)
        return
    if first is not None:
        kind, also = (marker or "unknown").lower(), ""
        if _key(lane, bar) in known.exposed:
            kind, also = "exposed", ", shown to readers"
        elif _only_here(bar, lane, known):
            kind, also = f"{kind} saved", ", of which only this copy has records"
        yield svg.box(left, y, right - left, 16, f"bar {kind}", tip=told + also)
    tip = f"marker at offset {bar.get('marker_offset')}, {marker or 'of unknown kind'}"
    yield svg.box(right, y, MARKER, 16, f"marker {(marker or 'unknown').lower()}", tip=tip)
    yield svg.text(right + MARKER / 2, y + 12, _LETTERS.get(marker or "", "?"), "letter", anchor="middle")


def _open(
    bar: Bar, lane: LogLane, decisions: Sequence[Decision], scale: Axis, end: int, y: float, known: Known
) -> Iterator[Markup]:
    """Yield a bar that reaches the edge, its words on the wider side of a ring in it."""
    left, edge = _extent(bar, scale)[0], scale.place(end)
    offsets = span(bar.get("first_offset"), bar.get("last_offset"))
    verdict = known.verdicts.get(_key(lane, bar)) if lane["authority"] else None
    word, kind = ("open", "") if verdict is None else _WORDS.get(verdict, ("hangs", "hangs"))
    if _key(lane, bar) in known.exposed:
        word, kind = "shown to readers", "exposed"
    words = f"{word} {offsets} producer {bar['producer_id']} LSO {lane['lso']}"
    yield svg.box(left, y, max(edge - left, LEAST), 16, f"bar open {kind}".strip(), tip=words)
    yield svg.element("path", d=f"M{edge:.1f} {y:.1f} l8 8 l-8 8 z", class_=f"arrow {kind}".strip())
    ring = due(bar, lane, decisions)
    sides = [(left + 5, edge)]
    if ring is not None:
        x = scale.place(ring.at)
        sides = [(left + 5, x - 10), (x + 11, edge)]
        yield from missing_marker(ring, x, y + 8)
    at, until = max(sides, key=lambda side: side[1] - side[0])
    shorter = (words, f"{word} {offsets} LSO {lane['lso']}", f"{word} {offsets}", word, "")
    fitting = next(one for one in shorter if svg.wide(one, bold=True) <= until - at or not one)
    yield svg.text(at, y + 12, fitting, "on-open")


def _only_here(bar: Bar, lane: LogLane, known: Known) -> bool:
    """Return whether the leader lacks committed records of this bar."""
    first, last = bar.get("first_offset"), bar.get("last_offset")
    if first is None or last is None:
        return False
    log = (lane["topic"], lane["partition"], lane["replica"], bar["producer_id"])
    return any(one[:4] == log and first <= one[4] <= last for one in known.saved)


def _extent(bar: Bar, scale: Axis) -> tuple[float, float]:
    """Return where a bar begins and where its marker does: a bar is never hidden by its marker."""
    marked, first = bar.get("marker_ms"), bar.get("first_ms")
    last = bar.get("last_ms")
    known = [at for at in (first, last, marked) if at is not None]
    if first is None:
        place = scale.place(known[0]) if known else scale.bursts[0].left
        return place, place
    left = scale.place(first)
    return left, max(left + LEAST, scale.place(marked if marked is not None else last or first))


def _rows(bars: Sequence[Bar], scale: Axis) -> list[list[Bar]]:
    """Return the bars in as few rows as they fit without touching."""
    rows: list[list[Bar]] = []
    ends: list[float] = []
    for bar in sorted(bars, key=lambda bar: _extent(bar, scale)[0]):
        left, right = _extent(bar, scale)
        right = float("inf") if bar.get("marker_offset") is None else right + MARKER
        free = next((number for number, edge in enumerate(ends) if edge + 1 <= left), len(rows))
        if free == len(rows):
            rows.append([])
            ends.append(0.0)
        rows[free].append(bar)
        ends[free] = right
    return rows
