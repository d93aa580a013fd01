"""Plots: where the ids of an expanded topic are, thresholds of a keyed topic."""

from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from analyzer.report.document.keyed_rows import Threshold
from analyzer.report.document.routed import RoutingTopic
from analyzer.report.pictures import svg
from analyzer.report.sentences.quantities import counted

HEIGHT = 160.0
LEFT, TOP, BOTTOM = 64.0, 14.0, 26.0
MOST_ROWS = 24


def places_picture(topic: RoutingTopic) -> Markup | None:
    """Return the ids of an expanded topic by partition: those that one count alone explains stand out."""
    places = topic.get("id_places") or []
    if not places:
        return None
    bound = max(topic["bound"], 1 + max(one["partition"] for one in places))
    most = max(1, *(one["ids"] for one in places))
    step = max(2.0, min(12.0, 900 / bound))

    def y(ids: int) -> float:
        return ids / most * (HEIGHT - TOP - BOTTOM)

    parts: list[Markup] = []
    for one in places:
        left, base = LEFT + one["partition"] * step, HEIGHT - BOTTOM
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
        svg.line(edge, TOP - 6, edge, HEIGHT - BOTTOM, "epoch-line"),
        svg.text(edge + 4, TOP + 2, f"old count {old}", "note"),
        svg.text(LEFT - 6, TOP + 8, counted(most, "id"), "note", anchor="end"),
        svg.text(LEFT, HEIGHT - 8, "partition 0", "note"),
        svg.text(LEFT + bound * step, HEIGHT - 8, str(bound - 1), "note", anchor="end"),
    ]
    words = f"ids in each partition of {topic['topic']}, by the count that places them there: {old} or {new}"
    return svg.picture(LEFT + bound * step + 100, HEIGHT, f"Where the ids of {topic['topic']} are", words, parts)


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
        kind = "may-read" if group.get("may_read") else "must-wait"
        yield svg.element("path", tip, d=f"M{place:.1f} {y + 1:.1f} l4 10 l-8 0 z", class_=f"group {kind}")
    yield svg.text(at(max(ends)) + 8, y + 10, str(max(ends)), "note")


def _ends(row: Threshold) -> list[int]:
    known = (row.get("time_offset"), row.get("epoch_offset"), row.get("stale_end"))
    return [one for one in known if one is not None]
