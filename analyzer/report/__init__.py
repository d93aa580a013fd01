"""From the JSON document of a capture to a report in text, Markdown or JSON; pure functions without files or clock."""

from typing import Literal

from analyzer.report.document.types import Document
from analyzer.report.formats.json import json_report, render_line
from analyzer.report.formats.markdown import markdown_report
from analyzer.report.formats.page import render_page, validate_page
from analyzer.report.formats.text import text_report

Format = Literal["text", "json", "markdown"]
FORMATS: tuple[Format, ...] = ("text", "json", "markdown")

__all__ = ["FORMATS", "Document", "Format", "render", "render_line", "render_page", "validate_page"]


def render(document: Document, format: Format, *, color: bool = False) -> str:  # noqa: A002 - the flag is --format
    """Return the document in a format, ended by a line end.

    `color` concerns text alone: it adds ANSI styles and changes no letter. The document follows
    `schemas/report.schema.json`; it is not checked here.
    """
    if format == "json":
        return json_report(document)
    if format == "markdown":
        return markdown_report(document)
    return text_report(document, color=color)
