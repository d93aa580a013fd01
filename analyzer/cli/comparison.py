"""The command that compares two captures: compare."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from analyzer.cli import options
from analyzer.cli.case import stored
from analyzer.cli.printing import shows_color
from analyzer.config import load_config
from analyzer.errors import InputError, UsageError
from analyzer.report.comparison import COMPARISONS, Changes, compare, grows, render_comparison
from analyzer.report.formats.look import Look
from analyzer.report.sentences.times import Clock, zone
from analyzer.storage.named_cases import location_of

_WHICH = "a capture of the case, a name of `cases`, or a file with a report as JSON"


class Only(StrEnum):
    """What alone counts for the exit code."""

    OPENED = "opened"


def comparison(
    before: Annotated[str, typer.Argument(help=f"The earlier one: {_WHICH}.", metavar="BEFORE")],
    after: Annotated[str, typer.Argument(help=f"The later one: {_WHICH}.", metavar="AFTER")],
    case: options.AnyCaseOption = None,
    conf: options.ConfOption = None,
    format: Annotated[  # noqa: A002 - the flag's name
        str, typer.Option("--format", help=f"Format of the comparison: {', '.join(COMPARISONS)}.")
    ] = "text",
    tz: Annotated[str, typer.Option("--tz", help="Time zone of the comparison (not of JSON): Europe/Berlin.")] = "UTC",
    only: Annotated[Only | None, typer.Option("--only", help="Exit with 1 only for what opened or grows.")] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 whatever changed.")] = False,
) -> None:
    """Compare two captures: what opened, what is gone.

    Exit codes: 0 nothing is left, 1 something opened or is still there, 2 could not run, 3 the later capture cannot
    tell. With --only opened, 1 only for what opened or grows.
    """
    if format not in COMPARISONS:
        raise UsageError(f"unknown format {format}.", wanted=", ".join(COMPARISONS))
    documents = [_document(which, case, conf) for which in (before, after)]
    taken = [document["capture"]["captured_at"] for document in documents]
    if None not in taken and taken[0] > taken[1]:
        raise UsageError(f"{before} was taken after {after}.", do=f"txn-forensics compare {after} {before}")
    changes = compare(*documents)
    sys.stdout.write(render_comparison(changes, documents[1], format, Look(Clock(zone(tz)), color=shows_color())))
    raise typer.Exit(0 if exit_zero else _exit_code(changes, only))


def _exit_code(changes: Changes, only: Only | None) -> int:
    if changes["opened"] or (grows(changes) if only else changes["still"]):
        return 1
    return 3 if changes["cannot_tell"] and not only else 0


def _document(which: str, case: str | None, conf: Path | None) -> dict[str, Any]:
    """Return the report that is meant: a capture of the case, the newest of the case of this name, or a file."""
    if case is not None and not which.endswith(".json"):
        return stored.report(case, which, load_config(conf))
    named = location_of(which)
    if case is None and named != which:
        return stored.report(named, None, load_config(conf))
    try:
        document = json.loads(Path(which).read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise InputError(f"{which}: {fault}", wanted=_WHICH, do="--case FOLDER, for names of captures") from fault
    if not isinstance(document, dict) or "findings" not in document:
        raise InputError(f"{which} is not a report.", wanted="what `txn-forensics run --format json` prints")
    return cast("dict[str, Any]", document)
