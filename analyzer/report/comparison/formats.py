"""The formats of a comparison: JSON, and those of reports over its outline."""

import json
from collections.abc import Callable

from analyzer.report.comparison.changes import Changes
from analyzer.report.comparison.outline import comparison_outline
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.text import text_of


def _json(changes: Changes, _: Look) -> str:
    return json.dumps(changes, ensure_ascii=False, indent=2) + "\n"


def _text(changes: Changes, look: Look) -> str:
    return text_of(comparison_outline(changes, look.clock), look)


def _markdown(changes: Changes, look: Look) -> str:
    return markdown_of(comparison_outline(changes, look.clock))


COMPARISONS: dict[str, Callable[[Changes, Look], str]] = {"text": _text, "json": _json, "markdown": _markdown}
"""Every format by its name on the command line; the first is the default."""


def render_comparison(changes: Changes, format: str, look: Look) -> str:  # noqa: A002 - the flag is --format
    """Return the comparison in one of COMPARISONS, ended by a line end."""
    return COMPARISONS[format](changes, look)
