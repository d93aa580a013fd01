"""The incident on one axis: changes of the cluster, decisions, lines of logs, and how many partitions are stuck."""

import functools
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from analyzer.report.pictures import svg
from analyzer.report.pictures.time_axis import Axis, axis, cuts, grounds
from analyzer.report.postmortem.events import OPEN, Event, moment
from analyzer.report.postmortem.impact import Held
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

WIDTH, LABELS, TOP, ROW = 1060.0, 180.0, 40.0, 26.0
ROWS = (
    ("cluster", "cluster", svg.CLUSTER),
    ("election", "elections", frozenset({"election"})),
    ("coordinator", "decisions", frozenset({"coordinator"})),
    ("log", "lines of logs", frozenset({"log"})),
)
"""The class, the name and the kinds of events of each row."""


def story_picture(
    events: Sequence[Event], held: Sequence[Held], captured_at: int | None, clock: Clock
) -> svg.Split | None:
    """Return the picture, its names apart; None where less than two moments are known."""
    times = [one.at for one in events] + [one.until for one in events if one.until not in {None, *OPEN}]
    moments = [at for at in [*times, captured_at] if at is not None]
    if len(set(moments)) < 2:  # noqa: PLR2004 - one moment is no story
        return None
    scale, end = axis(moments, LABELS, WIDTH - 24), max(moments)
    rows = [row for row in ROWS if any(one.kind in row[2] for one in events)]
    bottom = TOP + ROW * (len(rows) + 1) + 6
    near = functools.partial(clock.under, head_ms=scale.bursts[0].begin)
    body = [*grounds(scale, TOP, bottom, (24, 0), near)]
    labels = [svg.text(0, 14, f"times of {clock.day(min(moments))}", "note")]
    for number, (kind, name, kinds) in enumerate(rows):
        y = TOP + ROW * number + ROW / 2
        labels.append(svg.text(0, y + 4, name, "name"))
        body += [part for one in events if one.kind in kinds for part in _mark(one, kind, scale, y, clock)]
    labels.append(svg.text(0, bottom - ROW / 2 + 2, "partitions stuck", "name"))
    body += _stuck(held, scale, end, bottom - 6)
    if captured_at is not None:
        body.append(svg.line(scale.place(captured_at), TOP - 4, scale.place(captured_at), bottom, "capture"))
    told = f"{counted(len(events), 'event')}; the table after it says the same."
    high, edge = bottom + 24, LABELS - 9
    return svg.Split(
        svg.picture(edge, high, "Names of the rows", "kinds of events", labels),
        svg.picture(WIDTH - edge, high, "The incident in time", told, [*body, *cuts(scale, TOP, bottom)], edge),
        high,
    )


def _mark(one: Event, kind: str, scale: Axis, y: float, clock: Clock) -> Iterator[Markup]:
    """Yield the mark of an event; hollow where it was some time before or after, a line where between two moments."""
    x = scale.place(one.at)
    if one.until not in {None, *OPEN, one.at}:
        right = scale.place(one.until or one.at)
        yield svg.line(x, y, right, y, "axis")
        x = (x + right) / 2
    yield svg.shape(kind, x, y, f"{moment(one, clock)}  {one.what}", hollow=one.until in OPEN)


def _stuck(held: Sequence[Held], scale: Axis, end: int, bottom: float) -> Iterator[Markup]:
    """Yield the steps of how many partitions are stuck, the last of them named."""
    since = sorted(one.since for one in held if one.since is not None)
    if not since:
        return
    high, edge, points = ROW - 6, scale.place(end), []
    for number, at in enumerate(since, 1):
        x, y = scale.place(at), bottom - high * number / len(since)
        points += [(x, bottom - high * (number - 1) / len(since)), (x, y)]
    points += [(edge, bottom - high), (edge, bottom)]
    yield svg.element(
        "polygon", svg.element("title", counted(len(since), "partition")),
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_="stuck-steps",
    )  # fmt: skip
    yield svg.element(
        "path", d=f"M{edge:.1f} {bottom - high:.1f} l8 {high / 2:.1f} l-8 {high / 2:.1f} z", class_="arrow"
    )
    words = str(len(held)) if len(since) == len(held) else f"{len(since)} of {len(held)}, others since unknown"
    yield svg.text(edge - 4, bottom - 5, words, "on-open", anchor="end")
