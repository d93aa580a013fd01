"""How a stuck log grew up to the capture: its end, its LSO, and what was decided, lost, shown and changed meanwhile."""

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from analyzer.report.document.timelines import Bar, GrowthPoint, Incident, LogLane
from analyzer.report.document.types import Partition
from analyzer.report.pictures import changes, svg
from analyzer.report.pictures.known import Decision, Known, decisions, due, lost_commit, missing_marker, name_of
from analyzer.report.postmortem.events import OPEN, Event
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

WIDTH, HEIGHT = 520.0, 150.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 14.0, 26.0
TICKS = 3
CLEAR = 12.0
"""A number this near to the top is in the way of the log end."""
SHAPES, LOST, ABOVE = 10.0, 28.0, 26.0
"""Where the shapes of changes and lost commits are, and how much room they take above the curves."""


@dataclasses.dataclass(frozen=True, slots=True)
class Around:
    """What a document tells beside the points: when the files were taken, what it dates, what it says of the data."""

    captured_at: int | None
    events: Sequence[Event]
    known: Known
    incidents: Sequence[Incident]


@dataclasses.dataclass(frozen=True, slots=True)
class _Scale:
    """Where moments and offsets are, in px."""

    since: int
    last: int
    low: int
    high: int
    top: float

    @property
    def bottom(self) -> float:
        return self.top - TOP + HEIGHT - BOTTOM

    def x(self, at: int) -> float:
        inside = min(max(at, self.since), self.last)
        return LEFT + (inside - self.since) / max(self.last - self.since, 1) * (WIDTH - LEFT - RIGHT)

    def y(self, offset: int) -> float:
        inside = min(max(offset, self.low), self.high)
        return self.bottom - (inside - self.low) / max(self.high - self.low, 1) * (self.bottom - self.top)


def growth_picture(partition: Partition, around: Around, clock: Clock) -> Markup | None:
    """Return the log end and the LSO of a partition from the start of what is known to the capture's moment."""
    points = partition.get("growth") or []
    times = list(itertools.accumulate((one["at"] for one in points), max))  # clocks of clients differ
    if not points or max(times[-1], around.captured_at or 0) == times[0]:
        return None
    last, place = max(times[-1], around.captured_at or 0), name_of(partition)
    lso, high = points[-1]["lso"], points[-1]["log_end"]
    seen = changes.dated(around.events, times[0], last, {place})
    marks = [one for one in _decided(partition, around) if times[0] <= one[0].at <= last]
    top = TOP + (ABOVE if seen or any(offset is None for _, offset in marks) else 0)
    scale = _Scale(times[0], last, points[0]["lso"], high, top)
    told, end = list(zip(times, points, strict=True)), "capture " if around.captured_at == last else ""
    words = f"LSO {lso} against log end {high}: {counted(high - lso, 'offset')} after the LSO"
    parts = [
        *_axes(scale),
        *_epochs(partition, told, around, changes.elections(seen, place), scale),
        *_curves(told, scale),
        *_shown(partition, around, scale),
        *_changes(seen, scale, clock),
        *(part for made, offset in marks for part in _mark(made, offset, scale)),
        svg.text(LEFT - 6, top + 4, str(high), "note", anchor="end"),
        svg.text(LEFT - 6, min(scale.y(lso) + 4, scale.bottom), f"LSO {lso}", "lso-name", anchor="end"),
        svg.text(LEFT, scale.bottom + 18, clock.under(scale.since, last), "note"),
        svg.text(WIDTH - RIGHT, scale.bottom + 18, f"{end}{clock.moment(last)}", "note", anchor="end"),
    ]
    return svg.picture(WIDTH, scale.bottom + BOTTOM, f"How {place} grew", words, parts)


def _axes(scale: _Scale) -> Iterator[Markup]:
    """Yield the two axes, and a line across at up to three offsets between the ends."""
    yield svg.line(LEFT, scale.top - 6, LEFT, scale.bottom, "axis")
    yield svg.line(LEFT, scale.bottom, WIDTH - RIGHT, scale.bottom, "axis")
    step = max(1, (scale.high - scale.low) // (TICKS + 1))
    for offset in range(scale.low + step, scale.high, step):
        yield svg.line(LEFT, scale.y(offset), WIDTH - RIGHT, scale.y(offset), "grid")
        if scale.y(offset) - scale.top > CLEAR:
            yield svg.text(WIDTH - RIGHT - 2, scale.y(offset) - 2, str(offset), "note", anchor="end")


def _curves(told: Sequence[tuple[int, GrowthPoint]], scale: _Scale) -> Iterator[Markup]:
    """Yield what waits between the log end and the LSO, and both as lines up to the capture."""
    edge = scale.x(scale.last)
    ends = _steps([(scale.x(at), scale.y(one["log_end"])) for at, one in told], edge)
    stable = _steps([(scale.x(at), scale.y(one["lso"])) for at, one in told], edge)
    yield svg.element("polygon", points=_points([*ends, *reversed(stable)]), class_="waits")
    yield svg.element("polyline", points=_points(ends), class_="log-end")
    yield svg.element("polyline", points=_points(stable), class_="lso-line")


def _changes(seen: Sequence[Event], scale: _Scale, clock: Clock) -> Iterator[Markup]:
    """Yield a line with its shape where a topic was expanded, this partition got a leader, a broker restarted."""
    for one in seen:
        x = scale.x(one.at)
        yield svg.line(x, SHAPES, x, scale.bottom, f"change {one.kind}")
        yield svg.shape(one.kind, x, SHAPES, changes.told(one, clock), hollow=one.until in OPEN)


def _epochs(
    partition: Partition, told: Sequence[tuple[int, GrowthPoint]], around: Around, exact: Sequence[int], scale: _Scale
) -> Iterator[Markup]:
    """Yield a ground where this partition got a leader and only its log dates that: between two batches."""
    starts = {(one["epoch"], one["start_offset"]): one for lane in _lanes(partition, around) for one in lane["epochs"]}
    for (epoch, offset), start in sorted(starts.items()):
        before = [at for at, one in told if one["log_end"] <= offset]
        after = [at for at, one in told if one["log_end"] > offset]
        since = max(filter(None, (start.get("not_before"), *before[-1:])), default=None)
        until = min(filter(None, (start.get("not_after"), *after[:1])), default=scale.last)
        known = since is not None and scale.since <= since <= until
        if since is None or not known or any(since <= at <= until for at in exact):
            continue
        left, high = scale.x(since), scale.bottom - scale.top + 6
        tip = f"leader epoch {epoch} starts at offset {offset}, at a time in here"
        yield svg.box(left, scale.top - 6, max(scale.x(until) - left, 3.0), high, "epoch-span", tip=tip, radius=0)


def _shown(partition: Partition, around: Around, scale: _Scale) -> Iterator[Markup]:
    """Yield the offsets of aborted records that readers were shown, from when they were written."""
    for lane, bar in _bars(partition, around):
        first, at = bar.get("first_offset"), bar.get("first_ms")
        key = (lane["topic"], lane["partition"], bar["producer_id"], first)
        if key in around.known.exposed and first is not None and at is not None:
            upper, lower = scale.y((bar.get("last_offset") or first) + 1), scale.y(first)
            left = scale.x(at)
            tip = f"{first}..{bar.get('last_offset')} producer {bar['producer_id']}, aborted, but shown to readers"
            yield svg.box(left, upper, scale.x(scale.last) - left, max(lower - upper, 3.0), "bar exposed", tip=tip)


def _decided(partition: Partition, around: Around) -> list[tuple[Decision, int | None]]:
    """Return decisions whose marker is not in the log, and where their data begins, None where that is gone as well.

    That of the transaction at the LSO whose marker never came, and each commit that is lost.
    """
    lanes = [lane for one in around.incidents for lane in one["timeline"]["coordinator"]]
    made = list(dict.fromkeys(one for lane in lanes for one in decisions(lane)))
    place = name_of(partition)
    owed = [
        due(bar, lane, made)
        for lane, bar in _bars(partition, around)
        if bar.get("marker_offset") is None and bar.get("first_offset") == partition["lso"]
    ]
    lost = [
        one
        for one in made
        if one.outcome == "commit" and place in one.places
        and (partition["topic"], partition["partition"], one.producer_id) in around.known.lost
    ]  # fmt: skip
    rings = [one for one in dict.fromkeys(owed) if one is not None and one not in lost]
    return [*((one, partition["lso"]) for one in rings), *((one, None) for one in lost)]


def _mark(made: Decision, offset: int | None, scale: _Scale) -> Iterator[Markup]:
    """Return a ring on the LSO's line where a decision found no way into the log, or a hollow box of a lost commit."""
    x = scale.x(made.at)
    return lost_commit(made, x, LOST - 8, 44) if offset is None else missing_marker(made, x, scale.y(offset))


def _lanes(partition: Partition, around: Around) -> Iterator[LogLane]:
    """Yield what the incidents show of this copy."""
    for lane in (lane for one in around.incidents for lane in one["timeline"]["logs"]):
        if name_of(lane) == name_of(partition) and lane["replica"] == partition["replica"]:
            yield lane


def _bars(partition: Partition, around: Around) -> Iterator[tuple[LogLane, Bar]]:
    """Yield the transactions of this copy that the incidents show, each once."""
    seen = set()
    for lane in _lanes(partition, around):
        for bar in lane["bars"]:
            key = (bar["producer_id"], bar.get("first_offset"), bar.get("marker_offset"))
            if key not in seen:
                seen.add(key)
                yield lane, bar


def _steps(points: Sequence[tuple[float, float]], edge: float) -> list[tuple[float, float]]:
    """Return the corners of a line that keeps its height until the next point, and at last up to the edge."""
    out = [points[0]]
    for x, y in points[1:]:
        out += [(x, out[-1][1]), (x, y)]
    return [*out, (edge, out[-1][1])]


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
