"""Plots: how a stuck log grew, where the ids of an expanded topic are, thresholds of a keyed topic."""

from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from analyzer.report.document.keyed_rows import Threshold
from analyzer.report.document.routed import RoutingTopic
from analyzer.report.document.types import Partition
from analyzer.report.pictures import svg
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

WIDTH, HEIGHT = 520.0, 150.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 14.0, 26.0
TICKS = 3
FEW = 3
"""Fewer points show no growth."""
MOST_ROWS = 24


def growth_picture(partition: Partition, captured_at: int | None, clock: Clock) -> Markup | None:
    """Return the log end and the LSO of a partition from the start of what is known to the capture's moment."""
    points = partition.get("growth") or []
    if len(points) < FEW:
        return None
    times, low, high = _running_max([one["at"] for one in points]), points[0]["lso"], points[-1]["log_end"]
    since, last = times[0], max(times[-1], captured_at or 0)

    def x(at: int) -> float:
        return LEFT + (at - since) / max(last - since, 1) * (WIDTH - LEFT - RIGHT)

    def y(offset: int) -> float:
        return HEIGHT - BOTTOM - (offset - low) / max(high - low, 1) * (HEIGHT - TOP - BOTTOM)

    ends = [(x(at), y(one["log_end"])) for at, one in zip(times, points, strict=True)]
    stable = [(x(at), y(one["lso"])) for at, one in zip(times, points, strict=True)]
    edge = [(x(last), ends[-1][1])], [(x(last), stable[-1][1])]
    lso = points[-1]["lso"]
    name = f"{partition['topic']}-{partition['partition']}"
    words = f"LSO {lso} against log end {high}: {counted(high - lso, 'offset')} after the LSO"
    waits = [*_steps(ends), *edge[0], *edge[1], *reversed(_steps(stable))]
    return svg.picture(
        WIDTH,
        HEIGHT,
        f"How {name} grew",
        words,
        [
            *_axes(low, high, y),
            svg.element("polygon", points=_points(waits), class_="waits"),
            svg.element("polyline", points=_points([*_steps(ends), *edge[0]]), class_="log-end"),
            svg.element("polyline", points=_points([*_steps(stable), *edge[1]]), class_="lso-line"),
            svg.text(LEFT - 6, y(high) + 4, str(high), "note", anchor="end"),
            svg.text(LEFT - 6, min(y(lso) + 4, HEIGHT - BOTTOM), f"LSO {lso}", "lso-name", anchor="end"),
            svg.text(LEFT, HEIGHT - 8, clock.under(since, last), "note"),
            svg.text(WIDTH - RIGHT, HEIGHT - 8, f"{_end(captured_at, last)}{clock.moment(last)}", "note", anchor="end"),
        ],
    )


def _end(captured_at: int | None, last: int) -> str:
    return "capture " if captured_at == last else ""


def _axes(low: int, high: int, y: Callable[[int], float]) -> Iterator[Markup]:
    """Yield the two axes, and a line across at up to three offsets between the ends."""
    yield svg.line(LEFT, TOP - 6, LEFT, HEIGHT - BOTTOM, "axis")
    yield svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    step = max(1, (high - low) // (TICKS + 1))
    for offset in range(low + step, high, step):
        yield svg.line(LEFT, y(offset), WIDTH - RIGHT, y(offset), "grid")
        yield svg.text(WIDTH - RIGHT - 2, y(offset) - 2, str(offset), "note", anchor="end")


def places_picture(topic: RoutingTopic) -> Markup | None:
    """Return the ids of an expanded topic by partition: those that one count alone explains stand out."""
    places = topic.get("id_places") or []
    if not places:
        return None
    bound = max(topic["bound"], 1 + max(one["partition"] for one in places))
    most = max(1, *(one["ids"] for one in places))
    step = max(2.0, min(12.0, 900 / bound))
    height = HEIGHT + 10

    def y(ids: int) -> float:
        return ids / most * (height - TOP - BOTTOM)

    parts: list[Markup] = []
    for one in places:
        left, base = LEFT + one["partition"] * step, height - BOTTOM
        both = one["ids"] - one["by_old_only"] - one["by_new_only"]
        tip = (
            f"partition {one['partition']}: {counted(one['ids'], 'id')}, {one['by_old_only']} by the old count alone, "
            f"{one['by_new_only']} by the new one alone"
        )
        for number, kind in ((one["by_old_only"], "old"), (both, "both"), (one["by_new_only"], "new")):
            if number:
                base -= y(number)
                parts.append(svg.box(left, base, step - 0.6, y(number), f"ids-{kind}", tip=tip, radius=0))
    old, new = topic.get("old_count") or 0, topic.get("new_count") or 0
    edge = LEFT + old * step
    parts += [
        svg.line(edge, TOP - 6, edge, height - BOTTOM, "epoch-line"),
        svg.text(edge + 4, TOP + 2, f"old count {old}", "note"),
        svg.text(LEFT - 6, TOP + 8, counted(most, "id"), "note", anchor="end"),
        svg.text(LEFT, height - 8, "partition 0", "note"),
        svg.text(LEFT + bound * step, height - 8, str(bound - 1), "note", anchor="end"),
    ]
    words = f"ids in each partition of {topic['topic']}, by the count that places them there: {old} or {new}"
    return svg.picture(LEFT + bound * step + 100, height, f"Where the ids of {topic['topic']} are", words, parts)


def thresholds_picture(rows: Sequence[Threshold]) -> Markup | None:
    """Return for each prior partition how far it must be read, by time and by leader epoch, and where groups are."""
    shown = [row for row in rows if _ends(row)][:MOST_ROWS]
    if not shown:
        return None
    most = max(max(_ends(row)) for row in shown) or 1
    label, width, step = 170.0, 620.0, 20.0

    def x(offset: int) -> float:
        return label + offset / most * (width - label - 60)

    parts: list[Markup] = []
    for number, row in enumerate(shown):
        y = 20 + step * number
        parts.append(svg.text(0, y + 10, f"{row['topic']}-{row['new_partition']} after -{row['prior_partition']}",
                              "name", room=label - 8))  # fmt: skip
        parts += _threshold(row, x, y)
    words = "prior partitions with the offset to which each must be read before its new partition, and group positions"
    return svg.picture(width, 30 + step * len(shown), "Thresholds", words, parts)


def _threshold(row: Threshold, at: Callable[[int], float], y: float) -> Iterator[Markup]:
    ends = _ends(row)
    yield svg.line(at(0), y + 6, at(max(ends)), y + 6, "rule")
    for name, kind in (("time_offset", "time"), ("epoch_offset", "by-epoch"), ("stale_end", "stale")):
        offset = row.get(name)
        if isinstance(offset, int):
            yield svg.element("circle", svg.element("title", f"{name} {offset}"), cx=at(offset), cy=y + 6, r=4,
                              class_=f"threshold {kind}")  # fmt: skip
    for group in row["groups"]:
        place = at(min(group["position"], max(ends)))
        tip = svg.element("title", f"{group['group']} is at {group['position']}")
        kind = "may-read" if group["may_read"] else "must-wait"
        yield svg.element("path", tip, d=f"M{place:.1f} {y + 1:.1f} l4 10 l-8 0 z", class_=f"group {kind}")
    yield svg.text(at(max(ends)) + 8, y + 10, str(max(ends)), "note")


def _ends(row: Threshold) -> list[int]:
    known = (row.get("time_offset"), row.get("epoch_offset"), row.get("stale_end"))
    return [one for one in known if one is not None]


def _running_max(times: Sequence[int]) -> list[int]:
    """Return the times so that none is before the one before it: clocks of clients differ."""
    out: list[int] = []
    for at in times:
        out.append(max(at, out[-1]) if out else at)
    return out


def _steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a line that keeps its height until the next point."""
    out = [points[0]]
    for x, y in points[1:]:
        out += [(x, out[-1][1]), (x, y)]
    return out


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
