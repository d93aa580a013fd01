"""The command that keeps a case small: vacuum."""

import time
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.opened import opened_briefly
from analyzer.cli.wanted import Wanted
from analyzer.pipeline import vacuum as pipeline
from analyzer.pipeline.captures import newest_capture
from analyzer.storage.in_session import rows_of_case


def vacuum(
    case: options.CaseOption,
    keep: Annotated[str, typer.Option("--keep", help="How old a capture may get: 36h, 30d, 8w.")] = "30d",
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
) -> None:
    """Drop old captures of a case, and what only they refer to.

    The newest capture stays, however old.
    """
    kept = options.seconds("--keep", keep, "hdw", "a number of hours, days or weeks: 36h, 30d, 8w")
    before_ms = int((time.time() - kept) * 1000)
    wanted = Wanted(case, conf, engine=engine)
    with opened_briefly(case, wanted.config, quiet=True) as opened:
        newest_capture(rows_of_case(opened), None, opened.location)  # a mistyped case is refused, not made
        dropped = pipeline.vacuum(opened, before_ms)
    typer.echo(f"{len(dropped.captures)} captures dropped, and the facts of {dropped.contents} files")
    for name in dropped.captures:
        typer.echo(f"  {name}")
