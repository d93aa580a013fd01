"""The formats of a comparison: JSON, and those of reports over its outline."""

import json
from collections.abc import Callable
from typing import cast

from analyzer.report.comparison.changes import Changes, Row
from analyzer.report.comparison.outline import comparison_outline
from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.text import text_of


def _json(changes: Changes, _: Row, __: Look) -> str:
    return json.dumps(changes, ensure_ascii=False, indent=2) + "\n"


def _text(changes: Changes, _: Row, look: Look) -> str:
    return text_of(comparison_outline(changes, look.clock), look)


def _markdown(changes: Changes, _: Row, look: Look) -> str:
    return markdown_of(comparison_outline(changes, look.clock))


def _html(changes: Changes, after: Row, look: Look) -> str:
    from analyzer.report.formats.html import html_report  # noqa: PLC0415 - no other format needs Jinja

    return html_report(cast("Document", after), look, comparison_outline(changes, look.clock))


COMPARISONS: dict[str, Callable[[Changes, Row, Look], str]] = {
    "text": _text, "json": _json, "markdown": _markdown, "html": _html,
}  # fmt: skip
"""Every format by its name on the command line; the first is the default."""


def render_comparison(changes: Changes, after: Row, format: str, look: Look) -> str:  # noqa: A002 - the flag is --format
    """Return the comparison in one of COMPARISONS, ended by a line end; HTML shows the later report below it."""
    return COMPARISONS[format](changes, after, look)
