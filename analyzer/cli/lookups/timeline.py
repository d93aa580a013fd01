"""The command `timeline`: what happened, in order, from all sources."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.lookups import asked as shared, completion
from analyzer.cli.wanted import Wanted
from analyzer.lookups.shown.timeline import json_lines, left_out, text_lines, trace_lines
from analyzer.lookups.timeline import timeline as answer_timeline
from analyzer.lookups.trace import trace
from analyzer.lookups.window import Part

FORMATS = ("text", "jsonl", "trace")


def timeline(
    case: options.AnyCaseOption = None,
    sources: shared.FromOption = None,
    capture: shared.CaptureOption = None,
    since: shared.SinceOption = None,
    until: shared.UntilOption = None,
    whose: Annotated[
        str | None,
        typer.Option("--id", help="Only this transactional id or producer id.", autocompletion=completion.whose),
    ] = None,
    topic: Annotated[
        str | None,
        typer.Option("--topic", help="Only this topic, or TOPIC-PARTITION.", autocompletion=completion.topics),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Events, or spans of a kind, at most.", min=1)] = 10_000,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text, jsonl or trace (for Perfetto).")] = "text",  # noqa: A002
    tz: shared.ZoneOption = "UTC",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file, not to stdout.")] = None,
) -> None:
    """Tell what happened, in order.

    From all sources: coordinators, markers, elections, lines of logs, answers of admin tools.
    """
    shared.one_of("--format", format, FORMATS)
    zoned, times = shared.clock(tz), shared.times(since, until)
    with shared.asked_case(Wanted(case, conf, engine=engine), capture, sources) as asked:
        part = Part(asked, *times, whose, topic)
        if format == "trace":
            drawn = trace(part, limit)
            lines, beyond = trace_lines(drawn, {"capture": asked.capture, "case": asked.location}), drawn.left_out
            undated: dict[str, int] = {}
        else:
            told = answer_timeline(part, limit)
            lines = text_lines(told, zoned) if format == "text" else json_lines(told.events)
            beyond, undated = told.left_out, told.undated
    if output is None:
        sys.stdout.writelines(lines)
    else:
        with output.open("w", encoding="utf-8") as stream:
            stream.writelines(lines)
    if format != "text":
        sys.stderr.writelines(f"{line}\n" for line in left_out(beyond, undated))
