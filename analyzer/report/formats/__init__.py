"""The formats of a report: one file each over one outline, and the one list of them."""

import dataclasses
from collections.abc import Callable

from analyzer.report.document.types import Document
from analyzer.report.formats.concise import concise_report
from analyzer.report.formats.json import json_report
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_report
from analyzer.report.formats.postmortem import postmortem_report
from analyzer.report.formats.text import text_report


@dataclasses.dataclass(frozen=True, slots=True)
class Format:
    """How a document becomes a report; `joined`: --each writes one report after another instead of JSON lines.

    `pictures`: it shows pictures that are files beside it. `explains`: it has the page of each finding.
    """

    render: Callable[[Document, Look], str]
    joined: bool = False
    pictures: bool = False
    explains: bool = False


def _html(document: Document, look: Look) -> str:
    """Return the HTML report; what it is made with is loaded for it alone."""
    from analyzer.report.formats.html import html_report  # noqa: PLC0415 - no other format needs Jinja

    return html_report(document, look)


FORMATS = {
    "text": Format(text_report),
    "concise": Format(concise_report, joined=True),
    "json": Format(json_report),
    "markdown": Format(markdown_report, joined=True),
    "html": Format(_html, joined=True, explains=True),
    "postmortem": Format(postmortem_report, joined=True, pictures=True),
}
"""Every format by its name on the command line; the first is the default."""
