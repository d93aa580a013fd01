"""The command that keeps a case small: vacuum."""

import re
import time
from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli import running
from analyzer.cli.engine import EngineOption
from analyzer.cli.opened import opened_case
from analyzer.cli.progress import Progress
from analyzer.errors import UsageError
from analyzer.pipeline import vacuum as pipeline

_SPAN = re.compile(r"(\d+)([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}


def vacuum(
    case: Annotated[str, typer.Option("--case", help="Folder of the case's Delta tables, or schema:NAME.")],
    keep: Annotated[str, typer.Option("--keep", help="How old a capture may get: 36h, 30d, 8w.")] = "30d",
    engine: EngineOption = None,
    conf: Annotated[Path | None, typer.Option("--conf", help="File with settings, see conf/default.toml.")] = None,
) -> None:
    """Drop old captures of a case, and what only they refer to.

    The newest capture stays, however old.
    """
    span = _SPAN.fullmatch(keep)
    if span is None:
        raise UsageError(f"--keep {keep}", wanted="a number of hours, days or weeks: 36h, 30d, 8w")
    before_ms = int(time.time() * 1000) - int(span[1]) * _HOURS[span[2]] * 3_600_000
    wanted = running.Wanted(case, conf, engine=engine)
    with (
        Progress(quiet=True) as progress,
        opened_case(case, wanted.config, progress, small_input=True) as opened,
    ):
        dropped = pipeline.vacuum(opened, before_ms)
    typer.echo(f"{len(dropped.captures)} captures dropped, and the facts of {dropped.contents} files")
    for name in dropped.captures:
        typer.echo(f"  {name}")
