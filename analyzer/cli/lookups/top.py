"""The command `top`: what stands out in a capture."""

import sys
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.lookups import asked as shared
from analyzer.cli.wanted import Wanted
from analyzer.lookups.shown.top import top_csv, top_text
from analyzer.lookups.top import top as answer_top
from analyzer.lookups.window import Part

FORMATS = ("text", "json", "csv")


def top(
    case: options.AnyCaseOption = None,
    sources: shared.FromOption = None,
    capture: shared.CaptureOption = None,
    since: shared.SinceOption = None,
    until: shared.UntilOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Rows of each list at most.", min=1)] = 10,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text, json or csv.")] = "text",  # noqa: A002 - the flag's name
    tz: shared.ZoneOption = "UTC",
) -> None:
    """Tell what stands out.

    The longest and largest transactions, slow markers, ids by aborts and rate, partitions by what waits, the pace.
    """
    shared.one_of("--format", format, FORMATS)
    zoned, times = shared.clock(tz), shared.times(since, until)
    with shared.asked_case(Wanted(case, conf, engine=engine), capture, sources) as asked:
        told = answer_top(asked, Part(asked, *times), limit)
    if format == "json":
        shared.write_json(told)
    else:
        sys.stdout.write(top_csv(told) if format == "csv" else top_text(told, zoned))
