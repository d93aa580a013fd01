"""The command that compares two captures: compare."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from analyzer.cli import running
from analyzer.config import load_config
from analyzer.errors import InputError, UsageError
from analyzer.report import zone
from analyzer.report.comparison import COMPARISONS, compare, render_comparison
from analyzer.report.formats.look import Look
from analyzer.report.sentences.times import Clock

_WHICH = "a capture of the case, or a file with a report as JSON"


def comparison(
    before: Annotated[str, typer.Argument(help=f"The earlier one: {_WHICH}.", metavar="BEFORE")],
    after: Annotated[str, typer.Argument(help=f"The later one: {_WHICH}.", metavar="AFTER")],
    case: Annotated[
        str | None, typer.Option("--case", help="Folder of the case's Delta tables, or schema:NAME.")
    ] = None,
    conf: Annotated[Path | None, typer.Option("--conf", help="File with settings, see conf/default.toml.")] = None,
    format: Annotated[  # noqa: A002 - the flag's name
        str, typer.Option("--format", help=f"Format of the comparison: {', '.join(COMPARISONS)}.")
    ] = "text",
    tz: Annotated[str, typer.Option("--tz", help="Time zone of the comparison (not of JSON): Europe/Berlin.")] = "UTC",
) -> None:
    """Say what changed between two captures: what is new, what is gone, which LSO moved.

    Exit codes: 0 nothing new, 1 something is new, 2 could not run.
    """
    if format not in COMPARISONS:
        raise UsageError(f"no format {format}.", wanted=", ".join(COMPARISONS))
    documents = [_document(which, case, conf) for which in (before, after)]
    taken = [document["capture"]["captured_at"] for document in documents]
    if None not in taken and taken[0] > taken[1]:
        raise UsageError(f"{before} was taken after {after}.", do=f"txn-forensics compare {after} {before}")
    changes = compare(*documents)
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    sys.stdout.write(render_comparison(changes, format, Look(Clock(zone(tz)), color=color)))
    raise typer.Exit(1 if changes["new"] else 0)


def _document(which: str, case: str | None, conf: Path | None) -> dict[str, Any]:
    if case is not None and not which.endswith(".json"):
        return running.report(case, which, load_config(conf))
    try:
        document = json.loads(Path(which).read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise InputError(f"{which}: {fault}", wanted=_WHICH, do="--case FOLDER, for names of captures") from fault
    if not isinstance(document, dict) or "findings" not in document:
        raise InputError(f"{which} is no report.", wanted="what `txn-forensics run --format json` prints")
    return cast("dict[str, Any]", document)
