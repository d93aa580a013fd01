"""Changes of the cluster in other pictures: a line where a topic was expanded, a leader changed, a broker restarted."""

from collections.abc import Collection, Iterator, Sequence

from markupsafe import Markup

from analyzer.report.pictures import svg
from analyzer.report.pictures.time_axis import Axis
from analyzer.report.postmortem.events import EARLIER, OPEN, Event, moment
from analyzer.report.sentences.times import Clock

ORDER = ("expansion", "election", "restart")
"""The kinds that are drawn, those first that stay if there are too many."""
MOST = 24


def dated(events: Sequence[Event], first: int, last: int, places: Collection[str]) -> list[Event]:
    """Return the changes between two moments, each at one moment: of elections, those of these partitions.

    An expansion that is known only by what came after it is where that is. The other formats tell all of them.
    """
    found = [
        one
        for one in events
        if one.kind in ORDER
        and first <= one.at <= last
        and one.until in {None, one.at, EARLIER}
        and (one.kind != "election" or set(one.places) & set(places))
    ]
    kept = sorted(found, key=lambda one: ORDER.index(one.kind))[:MOST]
    return sorted(kept, key=lambda one: one.at)


def elections(seen: Sequence[Event], place: str) -> list[int]:
    """Return when this partition got a leader."""
    return [one.at for one in seen if one.kind == "election" and place in one.places]


def row(seen: Sequence[Event], scale: Axis, y: float, edge: float, clock: Clock) -> Iterator[Markup]:
    """Yield the shapes of changes side by side, each in words where there is room for them up to the next."""
    places = [scale.place(one.at) for one in seen]
    for one, x, until in zip(seen, places, [*places[1:], edge], strict=True):
        yield svg.shape(one.kind, x, y, told(one, clock), hollow=one.until in OPEN)
        if svg.wide(one.what) < until - x - 18:
            yield svg.text(x + 10, y + 4, one.what, "note")


def lines(seen: Sequence[Event], scale: Axis, top: float, bottom: float) -> Iterator[Markup]:
    """Yield a line for each change that concerns every log; an election has its line in the lane of its partition."""
    for one in seen:
        if one.kind != "election":
            x = scale.place(one.at)
            yield svg.line(x, top, x, bottom, f"change {one.kind}")


def told(one: Event, clock: Clock) -> str:
    """Return a change in words, with its moment."""
    return f"{moment(one, clock)}  {one.what}"
