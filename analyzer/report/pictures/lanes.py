"""Time lanes: what the coordinator decided above, what each log holds below, on one axis cut at quiet spans."""

import dataclasses
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.report.document.timelines import CoordinatorLane, Timeline
from analyzer.report.pictures import changes, log_lanes, svg
from analyzer.report.pictures.known import NOTHING, Decision, Known, decisions, name_of
from analyzer.report.pictures.time_axis import Axis, axis, cuts, grounds
from analyzer.report.postmortem.events import Event
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

WIDTH, LABELS, TOP, STEP = 1060.0, 210.0, 46.0, 22.0
_STATE_CLASSES = {
    "Empty": "idle", "Dead": "idle", "deleted": "idle", "Ongoing": "ongoing", "PrepareCommit": "commit prepare",
    "PrepareAbort": "abort prepare", "PrepareEpochFence": "abort prepare", "CompleteCommit": "commit",
    "CompleteAbort": "abort",
}  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class _Drawn:
    """Lanes: the names on the left, what happened on the right, how high they are, what they show in words."""

    labels: list[Markup]
    body: list[Markup]
    height: float
    told: str


def lanes_picture(
    timeline: Timeline, captured_at: int | None, clock: Clock, known: Known = NOTHING, events: Sequence[Event] = ()
) -> Markup | None:
    """Return the picture; None where there is nothing to draw.

    `known`: what the document says of its bars. `events`: what it dates; changes of the cluster are drawn.
    """
    drawn = _drawn(timeline, captured_at, clock, known, events)
    if drawn is None:
        return None
    return svg.picture(WIDTH, drawn.height, "Time lanes", drawn.told, [*drawn.body, *drawn.labels])


def split_lanes(
    timeline: Timeline, captured_at: int | None, clock: Clock, known: Known, events: Sequence[Event]
) -> svg.Split | None:
    """Return the picture in two: the names of ids and logs, and the times."""
    drawn = _drawn(timeline, captured_at, clock, known, events)
    if drawn is None:
        return None
    edge, words = LABELS - 9, "Names of the time lanes"
    return svg.Split(
        svg.picture(edge, drawn.height, words, "ids above, logs below", drawn.labels),
        svg.picture(WIDTH - edge, drawn.height, "Time lanes", drawn.told, drawn.body, edge),
        drawn.height,
    )


def _drawn(
    timeline: Timeline, captured_at: int | None, clock: Clock, known: Known, events: Sequence[Event]
) -> _Drawn | None:
    times = list(_moments(timeline, captured_at))
    if not times:
        return None
    seen = changes_of(timeline, captured_at, events)
    scale, end = axis([*times, *(one.at for one in seen)], LABELS, WIDTH - 24), max(times)
    top = TOP + STEP if seen else TOP
    parts, labels, made, y = _coordinator(timeline["coordinator"], scale, end, top)
    drawn = []
    for lane in timeline["logs"]:
        drawn.append(log_lanes.Place(lane, y))
        y += log_lanes.height(lane, scale)
    bottom = y
    labels += [part for one in drawn for part in log_lanes.labels(one)]
    head = clock.day(scale.bursts[0].begin)

    def exact(at: int) -> str:
        return clock.time(at) if clock.day(at) == head else clock.moment(at)

    body: list[Markup] = [*grounds(scale, TOP, bottom, (30, 30), exact), *changes.lines(seen, scale, TOP, bottom)]
    for one in drawn:
        elected = changes.elections(seen, name_of(one.lane))
        body += log_lanes.background(one, scale, end, WIDTH, elected)
    body += [part for one, begin in made for part in _drop(one, begin, drawn, scale)]
    body += parts
    owed = [one for one, _ in made]
    body += [part for one in drawn for part in log_lanes.parts(one, owed, scale, end, known)]
    if captured_at is not None:
        x = scale.place(captured_at)
        body += [svg.line(x, TOP - 4, x, bottom, "capture")]
    if seen:
        labels.append(svg.text(0, TOP + 8, "changes of the cluster", "note"))
        body += changes.row(seen, scale, TOP + 4, WIDTH - 24, clock)
    labels.append(svg.text(0, 14, f"times of {head}", "note"))
    ids = counted(len(timeline["coordinator"]), "transactional.id")
    told = f"{ids} above, {counted(len(timeline['logs']), 'log')} below; the table after it says the same."
    return _Drawn(labels, [*body, *cuts(scale, TOP, bottom)], bottom + 24, told)


def changes_of(timeline: Timeline, captured_at: int | None, events: Sequence[Event]) -> list[Event]:
    """Return the changes of the cluster that these lanes show."""
    times = list(_moments(timeline, captured_at))
    states = {f"{STATE_TOPIC}-{lane['state_partition']}" for lane in timeline["coordinator"]}
    places = states | {name_of(lane) for lane in timeline["logs"]}
    return changes.dated(events, min(times), max(times), places) if times else []


def _moments(timeline: Timeline, captured_at: int | None) -> Iterator[int]:
    yield from (state["at"] for lane in timeline["coordinator"] for state in lane["states"])
    bars = [bar for lane in timeline["logs"] for bar in lane["bars"]]
    for bar in bars:
        yield from (at for at in (bar.get("first_ms"), bar.get("last_ms"), bar.get("marker_ms")) if at is not None)
    if captured_at is not None and (bars or timeline["coordinator"]):
        yield captured_at


def _coordinator(
    lanes: list[CoordinatorLane], scale: Axis, end: int, y: float
) -> tuple[list[Markup], list[Markup], list[tuple[Decision, float]], float]:
    """Return the lanes of the ids from `y` on, their names, the decisions with their y, where the next lane goes."""
    parts: list[Markup] = []
    labels: list[Markup] = []
    made: list[tuple[Decision, float]] = []
    if lanes:
        labels.append(svg.text(0, y + 8, "coordinator, by id", "note"))
        y += 16
    for lane in lanes:
        labels += [
            svg.text(0, y + 13, lane["transactional_id"], "name", room=LABELS - 66),
            svg.text(LABELS - 10, y + 13, f"state-{lane['state_partition']}", "note", anchor="end"),
        ]
        following = [*(state["at"] for state in lane["states"][1:]), end]
        for state, until in zip(lane["states"], following, strict=True):
            parts += _state(state["state"], scale.place(state["at"]), scale.place(until), y)
        made += [(one, y + 16) for one in decisions(lane)]
        y += STEP
    return parts, labels, made, y + 6


def _state(name: str, left: float, right: float, y: float) -> list[Markup]:
    width = max(right - left, 3.0)
    kind = _STATE_CLASSES.get(name, "idle")
    parts = [svg.box(left, y, width, 16, f"state {kind}", tip=name, radius=1)]
    if svg.wide(name, bold=True) < width - 8:
        parts.append(svg.text(left + 4, y + 12, name, "on-" + kind.partition(" ")[0]))
    return parts


def _drop(decision: Decision, begin: float, drawn: list[log_lanes.Place], scale: Axis) -> Iterator[Markup]:
    """Yield the line of a decision down to the last log that it names, with a dot at each of them."""
    named = [one for one in drawn if name_of(one.lane) in decision.places]
    if named:
        x, bottom = scale.place(decision.at), max(one.y for one in named) + 10
        yield svg.line(x, begin, x, bottom, f"decision {decision.outcome}")
        for one in named:
            yield svg.element("circle", cx=x, cy=one.y + 10, r=2.5, class_=f"dot {decision.outcome}")
