"""The command `fetch`: which files to collect next, as a list for collect.sh."""

import json
import sys
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.case import stored
from analyzer.cli.case.named import NEWEST
from analyzer.cli.wanted import Wanted
from analyzer.errors import UsageError
from analyzer.report.outline.to_collect import list_lines
from analyzer.tables.fetch_steps import SINCE, STEPS

FORMATS = ("list", "json")


def fetch(
    case: options.StoredCaseOption = NEWEST,
    capture: options.CaptureOption = None,
    step: Annotated[
        int, typer.Option("--step", help="The last step to list: 1 what is open, up to 6 all.", min=1, max=len(STEPS))
    ] = SINCE,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="list (for collect.sh --files) or json.")] = "list",  # noqa: A002 - the flag's name
) -> None:
    """List the files to collect next, for collect.sh."""
    if format not in FORMATS:
        raise UsageError(f"--format {format}", wanted=f"one of {', '.join(FORMATS)}")
    document = stored.report(case, capture, Wanted(case, conf, engine=engine).config)
    rows = document.get("fetch") or []
    if format == "json":
        sys.stdout.write(json.dumps([row for row in rows if row["step"] <= step], indent=2) + "\n")
    elif rows:
        sys.stdout.writelines(f"{line}\n" for line in list_lines(rows, step))
    else:
        sys.stderr.write("nothing to collect: no file is known that this capture lacks\n")
