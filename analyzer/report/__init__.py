"""Reports: the JSON document of a capture in every format; pure functions without files or the time of day."""

import datetime
import json
from collections.abc import Mapping

from analyzer.report.actions.reached import reached
from analyzer.report.document.confidence import CONFIDENCES, at_least
from analyzer.report.document.types import Document
from analyzer.report.formats import FORMATS
from analyzer.report.formats.json import render_line
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.page import Page, page_markdown, read_page, render_page, validate_page
from analyzer.report.formats.text import text_of
from analyzer.report.outline.build import finding_outline
from analyzer.report.outline.known_bugs import bug_page
from analyzer.report.sentences.times import Clock, zone

__all__ = [
    "CONFIDENCES", "FORMATS", "Document", "Page", "at_least", "bug_page", "explain", "reached", "read_page", "render",
    "render_finding", "render_line", "render_page", "validate_page", "zone",
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


def render(
    document: Document,
    format: str,  # noqa: A002 - the flag is --format
    *,
    color: bool = False,
    zone: datetime.tzinfo = datetime.UTC,
    pages: Mapping[str, Page] | None = None,
    took: Mapping[str, float] | None = None,
) -> str:
    """Return the document in one of FORMATS, ended by a line end, its moments in a time zone (JSON: always UTC).

    `color` concerns text alone: it adds ANSI styles and changes no letter. `pages`, by code, are what HTML explains
    findings with. `took`: seconds of each stage, for the foot. The document follows `schemas/report.schema.json`; it is
    not checked here.
    """
    return FORMATS[format].render(document, Look(Clock(zone), color=color, pages=pages or {}, took=took or {}))
