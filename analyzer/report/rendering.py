"""Reports: the JSON document of a capture in every format; pure functions without files or the time of day.

Commands are printed as the document has them: `actions.reached` makes them go the way of the reader's brokers.
"""

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from analyzer.errors import UsageError
from analyzer.report.document.confidence import CONFIDENCES, at_least
from analyzer.report.document.types import Document
from analyzer.report.formats import FORMATS
from analyzer.report.formats.json import render_line
from analyzer.report.formats.look import CELLS, Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.page import Page, bug_page, page_markdown, read_page, render_page, validate_page
from analyzer.report.formats.postmortem import postmortem_pictures
from analyzer.report.formats.text import text_of
from analyzer.report.outline.build import finding_outline
from analyzer.report.outline.short.chosen import chosen_outline, evidence, numbers, plans
from analyzer.report.sentences.times import Clock, zone

__all__ = [
    "CELLS", "CONFIDENCES", "FORMATS", "Document", "Page", "at_least", "bug_page", "explain", "pictures_beside",
    "read_page", "render", "render_finding", "render_line", "render_page", "render_rows", "validate_page", "zone",
]  # fmt: skip


def explain(page: Page, format: str) -> str:  # noqa: A002 - the flag is --format
    """Return the page of a finding as `html` or `markdown`; `render_page` gives it as text."""
    if format == "markdown":
        return page_markdown(page)
    from analyzer.report.formats.html import page_html  # noqa: PLC0415 - nothing else needs Jinja

    return page_html(page)


def render_finding(
    document: Document,
    finding_id: str,
    format: str,  # noqa: A002 - the flag is --format
    *,
    color: bool = False,
    zone: datetime.tzinfo = datetime.UTC,
) -> str | None:
    """Return what a report says of one finding as `text`, `markdown` or `json`; None if the document has none such."""
    if format == "json":
        found = (one for one in document["findings"] if one["id"] == finding_id)
        return next((json.dumps(one, ensure_ascii=False) + "\n" for one in found), None)
    told = finding_outline(document, finding_id, Clock(zone))
    if told is None:
        return None
    return markdown_of(told) if format == "markdown" else text_of(told, Look(Clock(zone), color=color))


def render_rows(
    document: Document,
    rows: Sequence[str],
    what: Literal["plan", "evidence"],
    format: str,  # noqa: A002 - the flag is --format
    *,
    color: bool = False,
    zone: datetime.tzinfo = datetime.UTC,
    cells: int = CELLS,
) -> str:
    """Return the steps, or the evidence, of some rows of a report as `text` or `markdown`.

    Raises UsageError if the document has no such row.
    """
    clock = Clock(zone)
    told = chosen_outline(document, rows, clock, plans if what == "plan" else evidence)
    if isinstance(told, list):
        known = numbers(document)
        raise UsageError(
            f"no row {', '.join(told)} in the report of {document['capture']['name']}.",
            wanted=f"a number from {known[0]} to {known[-1]}, or the letter of a cause" if known else "",
            do="txn-forensics report lists them" if known else "nothing hangs in it: it has no rows",
        )
    return markdown_of(told) if format == "markdown" else text_of(told, Look(clock, color, cells=cells))


def render(
    document: Document,
    format: str,  # noqa: A002 - the flag is --format
    *,
    color: bool = False,
    zone: datetime.tzinfo = datetime.UTC,
    pages: Mapping[str, Page] | None = None,
    took: Mapping[str, float] | None = None,
    full: bool = False,
    cells: int = CELLS,
    later: Mapping[str, Any] | None = None,
    beside: str = "",
) -> str:
    """Return the document in one of FORMATS, ended by a line end, its moments in a time zone (JSON: always UTC).

    `color` concerns text alone: it adds ANSI styles and changes no letter. `pages`, by code, are what HTML explains
    findings with. `took`: seconds of each stage, for the foot. `full` and `cells`: whether text tells everything, and
    how wide it is. `later` and `beside` are what a post-mortem compares with, and how its pictures' names begin
    (`pictures_beside`). The document follows `schemas/report.schema.json`; it is not checked here.
    """
    look = Look(Clock(zone), color, pages or {}, took or {}, full, cells, later, beside)
    return FORMATS[format].render(document, look)


def pictures_beside(document: Document, beside: str, zone: datetime.tzinfo = datetime.UTC) -> Mapping[str, str]:
    """Return the pictures that a post-mortem shows, SVG by the names of their files, which begin like this."""
    return postmortem_pictures(document, Look(Clock(zone), beside=beside))
