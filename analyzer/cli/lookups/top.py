"""The command `top`: what stands out in a capture."""

import sys
from typing import Annotated

import typer

from analyzer.cli.lookups.asked import (
    CaptureOption,
    FromOption,
    SinceOption,
    UntilOption,
    ZoneOption,
    asked_case,
    clock,
    moment_of,
    one_of,
    write_json,
)
from analyzer.cli.options import AnyCaseOption, ConfOption, EngineOption
from analyzer.cli.wanted import Wanted
from analyzer.lookups.shown.top import top_csv, top_text
from analyzer.lookups.top import top as answer_top
from analyzer.lookups.window import Part

FORMATS = ("text", "json", "csv")


def top(
    case: AnyCaseOption = None,
    sources: FromOption = None,
    capture: CaptureOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Rows of each list at most.", min=1)] = 10,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text, json or csv.")] = "text",  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
) -> None:
    """Tell what stands out.

    The longest and largest transactions, slow markers, ids by aborts and rate, partitions by what waits, the pace.
    """
    one_of("--format", format, FORMATS)
    zoned, times = clock(tz), (moment_of("--since", since), moment_of("--until", until))
    with asked_case(Wanted(case, conf, engine=engine), capture, sources) as asked:
        told = answer_top(asked, Part(asked, *times), limit)
    if format == "json":
        write_json(told)
    else:
        sys.stdout.write(top_csv(told) if format == "csv" else top_text(told, zoned))
