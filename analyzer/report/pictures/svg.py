"""Elements of SVG as markup in which every text is visible, and everything is escaped."""

import dataclasses
from collections.abc import Iterable

from markupsafe import Markup, escape

from analyzer.report.sentences.cells import cut_middle, visible

LETTER, BOLD = 6.3, 7.6
"""Width of a letter of 11 px, in px, on the safe side."""

CLUSTER = frozenset({"cluster", "expansion", "restart"})
"""Kinds of events that a square stands for: what changed in the cluster."""

Attribute = str | float | None


def element(tag: str, *inside: Markup | str, **attributes: Attribute) -> Markup:
    """Return one element; `class_` is `class`, underscores in names are dashes, None leaves an attribute out."""
    names = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    told = Markup("").join(Markup(' {}="{}"').format(name, _number(value)) for name, value in names)
    shown = (one if isinstance(one, Markup) else escape(visible(one)) for one in inside)
    return Markup("<{0}{1}>{2}</{0}>").format(tag, told, Markup("").join(shown))


def picture(
    width: float, height: float, title: str, description: str, parts: Iterable[Markup], left: float = 0
) -> Markup:
    """Return a picture with its title and description for those who do not see it.

    It shows the stretch of x from `left` on; what is drawn outside of it is cut off.
    """
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *parts,
        class_="picture",
        viewBox=f"{left:.0f} 0 {width:.0f} {height:.0f}",
        width=width,
        height=height,
        role="img",
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Split:
    """A picture in two, both of one height in px: names that stay, and what a narrow window scrolls."""

    labels: Markup
    times: Markup
    height: float


def text(x: float, y: float, words: str, class_: str = "", *, room: float = 0, anchor: str | None = None) -> Markup:
    """Return a line of text, cut in its middle where it is wider than `room` px (0: never)."""
    shown = visible(words)
    if room:
        shown = cut_middle(shown, max(4, int(room / LETTER)))
    return element("text", shown, x=x, y=y, class_=class_ or None, text_anchor=anchor)


def box(x: float, y: float, width: float, height: float, class_: str, *, tip: str = "", radius: float = 2) -> Markup:
    """Return a rectangle, with a text that a pointer shows."""
    told = (element("title", tip),) if tip else ()
    return element("rect", *told, x=x, y=y, width=max(width, 0), height=height, rx=radius, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def wide(words: str, *, bold: bool = False) -> float:
    """Return about how many px a text takes."""
    return (BOLD if bold else LETTER) * len(visible(words))


def shape(kind: str, x: float, y: float, tip: str, *, hollow: bool = False) -> Markup:
    """Return the shape of an event: a diamond for an election, a square, a triangle for a line of a log, a circle."""
    name = "cluster" if kind in CLUSTER else kind
    told, class_ = element("title", tip), f"event {name}{' after' if hollow else ''}"
    if name == "election":
        return element("path", told, d=f"M{x:.1f} {y - 7:.1f} l7 7 l-7 7 l-7 -7 z", class_=class_)
    if name == "cluster":
        return element("rect", told, x=x - 6, y=y - 6, width=12, height=12, class_=class_)
    if name == "log":
        return element("path", told, d=f"M{x:.1f} {y - 7:.1f} l7 13 l-14 0 z", class_=class_)
    return element("circle", told, cx=x, cy=y, r=5, class_=class_)


def _number(value: Attribute) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".rstrip("0").rstrip(".")
    return str(value)
