"""The formats of a comparison: JSON, and those of reports over its outline."""

import json
from typing import cast

from analyzer.report.comparison.changes import Changes
from analyzer.report.comparison.ended import Row
from analyzer.report.comparison.outline import comparison_outline
from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.text import text_of

COMPARISONS = ("text", "json", "markdown", "html")
"""Every format by its name on the command line; the first is the default."""


def render_comparison(changes: Changes, after: Row, format: str, look: Look) -> str:  # noqa: A002 - the flag is --format
    """Return the comparison in one of COMPARISONS, ended by a line end; HTML shows the later report below it."""
    if format == "json":
        return json.dumps(changes, ensure_ascii=False, indent=2) + "\n"
    told = comparison_outline(changes, look.clock)
    if format == "html":
        from analyzer.report.formats.html import html_report  # noqa: PLC0415 - no other format needs Jinja

        return html_report(cast("Document", after), look, told)
    return markdown_of(told) if format == "markdown" else text_of(told, look)
