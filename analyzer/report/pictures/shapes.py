"""The shapes that stand for events, in every picture the same."""

from markupsafe import Markup

from analyzer.report.pictures import svg

CLUSTER = frozenset({"cluster", "expansion", "restart"})
"""Kinds of events that a square stands for: what changed in the cluster."""


def shape(kind: str, x: float, y: float, tip: str, *, hollow: bool = False) -> Markup:
    """Return the shape of an event: a diamond for an election, a square, a triangle for a line of a log, a circle."""
    name = "cluster" if kind in CLUSTER else kind
    told, class_ = svg.element("title", tip), f"event {name}{' after' if hollow else ''}"
    if name == "election":
        return svg.element("path", told, d=f"M{x:.1f} {y - 7:.1f} l7 7 l-7 7 l-7 -7 z", class_=class_)
    if name == "cluster":
        return svg.element("rect", told, x=x - 6, y=y - 6, width=12, height=12, class_=class_)
    if name == "log":
        return svg.element("path", told, d=f"M{x:.1f} {y - 7:.1f} l7 13 l-14 0 z", class_=class_)
    return svg.element("circle", told, cx=x, cy=y, r=5, class_=class_)
