"""Lists of an outline: incidents on a line each, and how many entries were left out."""

from analyzer.report.outline.parts import Brief, Part, Section, Text
from analyzer.report.sentences.cells import width
from analyzer.report.sentences.triage import Incident, where

LISTED = 100
"""Incidents that a list has at most."""


def briefs(title: str, incidents: tuple[Incident, ...], omitted: int) -> Section:
    """Return a section with a line for each incident; `omitted` were counted but are not in the document."""
    shown = incidents[:LISTED]
    widest = max((width(one.action) for one in shown), default=0)
    lines = [
        Brief(one.number, one.action, where(one.finding), one.finding["headline"], one.finding["id"], widest)
        for one in shown
    ]
    return Section(title, ((*lines, *more(len(incidents) - len(shown) + omitted, "not written out")),))


def more(number: int, what: str) -> tuple[Part, ...]:
    """Return the line that says how many were left out, if any were."""
    return (Text(f"and {number} more, {what}", "quiet"),) if number > 0 else ()
