"""The commands on rows of a stored report: plan prints their steps, evidence why they are so, with the lines."""

import sys
from typing import Annotated, Literal, cast

import typer

from analyzer.cli import options, printing
from analyzer.cli.case import stored
from analyzer.cli.case.named import NEWEST
from analyzer.config import load_config
from analyzer.errors import UsageError
from analyzer.report.rendering import Document, render_rows, zone

Rows = Annotated[
    list[str], typer.Argument(help="Numbers of rows of the report, or letters of causes.", metavar="ROW...")
]
FormatOption = Annotated[str, typer.Option("--format", help="text or markdown.")]
ZoneOption = Annotated[str, typer.Option("--tz", help="Time zone: Europe/Berlin.")]


def plan(
    rows: Rows,
    case: options.StoredCaseOption = NEWEST,
    capture: options.CaptureOption = None,
    conf: options.ConfOption = None,
    format: FormatOption = "text",  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
) -> None:
    """Print the steps of some rows of a report."""
    sys.stdout.write(_told(rows, "plan", stored.report(case, capture, load_config(conf)), format, tz))


def evidence(
    rows: Rows,
    case: options.StoredCaseOption = NEWEST,
    capture: options.CaptureOption = None,
    conf: options.ConfOption = None,
    format: FormatOption = "text",  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
) -> None:
    """Print why rows of a report are so, with their evidence."""
    sys.stdout.write(_told(rows, "evidence", stored.report(case, capture, load_config(conf)), format, tz))


def _told(rows: list[str], what: Literal["plan", "evidence"], document: object, format: str, tz: str) -> str:  # noqa: A002
    if format not in {"text", "markdown"}:
        raise UsageError(f"unknown format {format}.", wanted="text or markdown; report --format json has every step")
    told = cast("Document", document)
    color, cells = format == "text" and printing.shows_color(), printing.terminal_cells()
    return render_rows(told, rows, what, format, color=color, zone=zone(tz), cells=cells)
