"""A time axis that is linear in bursts of events and cut at quiet spans."""

import bisect
import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator

from markupsafe import Markup

from analyzer.report.pictures import svg
from analyzer.report.sentences.quantities import duration

MOST_CUTS = 5
QUIET, UNUSUAL = 0.05, 5
"""A quiet span is cut if it is longer than this part of the time on the axis, and than so many usual spans."""
LEAST_PX, CUT_PX = 70.0, 46.0


@dataclasses.dataclass(frozen=True, slots=True)
class Burst:
    """A stretch of time on the axis, in epoch ms and px."""

    begin: int
    end: int
    left: float
    right: float


@dataclasses.dataclass(frozen=True, slots=True)
class Axis:
    """The bursts of an axis in their order; between two of them is a quiet span."""

    bursts: tuple[Burst, ...]

    def place(self, time_ms: int) -> float:
        """Return where a moment is, in px; one in a quiet span is in the middle of its cut."""
        edge = self.bursts[0].left
        for burst in self.bursts:
            if time_ms < burst.begin:
                return (edge + burst.left) / 2
            if time_ms <= burst.end:
                return _inside(burst, time_ms)
            edge = burst.right
        return edge


def axis(times: Iterable[int], left: float, right: float) -> Axis:
    """Return the axis of these moments (at least one) between two px."""
    moments = sorted(set(times))
    starts = _starts(moments)
    spans = [(moments[a], moments[b - 1], b - a) for a, b in itertools.pairwise([0, *starts, len(moments)])]
    room = right - left - CUT_PX * (len(spans) - 1) - LEAST_PX * len(spans)
    active = sum(end - begin for begin, end, _ in spans) or 1
    bursts, at = [], left
    for begin, end, events in spans:
        share = ((end - begin) / active + events / len(moments)) / 2
        bursts.append(Burst(begin, end, at, at + LEAST_PX + max(room, 0.0) * share))
        at = bursts[-1].right + CUT_PX
    return Axis(tuple(bursts))


def _starts(moments: list[int]) -> list[int]:
    """Return the indexes of the moments at which a burst begins after a cut."""
    gaps = sorted(((b - a, index + 1) for index, (a, b) in enumerate(itertools.pairwise(moments))), reverse=True)
    active, usual = moments[-1] - moments[0], gaps[len(gaps) // 2][0] if gaps else 0
    cuts: list[int] = []
    for length, index in gaps[:MOST_CUTS]:
        if length <= max(QUIET * active, UNUSUAL * usual):
            break
        active -= length
        bisect.insort(cuts, index)
    return cuts


def _inside(burst: Burst, time_ms: int) -> float:
    share = (time_ms - burst.begin) / (burst.end - burst.begin) if burst.end > burst.begin else 0.5
    pad = min(12.0, (burst.right - burst.left) / 4)
    return burst.left + pad + share * (burst.right - burst.left - 2 * pad)


def grounds(
    scale: Axis, top: float, bottom: float, words: tuple[float, float], told: Callable[[int], str]
) -> Iterator[Markup]:
    """Yield a ground for each burst, with its times above, as far as there is room.

    `words`: where the times stand, and how much wider than the burst they may be, in px; `told`: a moment in words.
    """
    y, more = words
    for burst in scale.bursts:
        width = burst.right - burst.left
        yield svg.box(burst.left, top - 8, width, bottom - top + 8, "ground")
        first, last = told(burst.begin), told(burst.end)
        both = f"{first} to {last}"
        shown = first if first == last or svg.wide(both) > width + more else both
        yield svg.text((burst.left + burst.right) / 2, y, shown, "note", anchor="middle")


def cuts(scale: Axis, top: float, bottom: float) -> Iterator[Markup]:
    """Yield a zigzag and the length of time for each quiet span."""
    for before, after in itertools.pairwise(scale.bursts):
        x = (before.right + after.left) / 2
        points = " ".join(f"{x + (-4 if step % 2 else 4):.0f},{top - 8 + 6 * step:.0f}" for step in range(5))
        yield svg.element("polyline", points=points, class_="cut")
        yield svg.text(x, bottom + 14, duration(after.begin - before.end), "note", anchor="middle")
