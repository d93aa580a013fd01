"""The command `overhead`: what the message format costs, measured on the batches of a case."""

import json
import sys
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.case.named import NEWEST
from analyzer.cli.opened import opened_briefly
from analyzer.cli.wanted import Wanted
from analyzer.errors import UsageError
from analyzer.pipeline.captures import newest_capture
from analyzer.pipeline.overhead import overhead as measured
from analyzer.report.formats.framing_table import framing_rows, framing_text, savings
from analyzer.storage.in_session import rows_of_case


def overhead(
    case: options.StoredCaseOption = NEWEST,
    capture: options.CaptureOption = None,
    topics: Annotated[list[str] | None, typer.Option("--topic", help="Only this topic; may be repeated.")] = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: options.TextOrJsonOption = "text",  # noqa: A002
) -> None:
    """Measure what the message format costs per record.

    It also shows what fuller batches would save (KIP-98).
    """
    options.check_format(format, "text", "json")
    config = Wanted(case, conf, engine=engine).config
    with opened_briefly(case, config) as opened:
        name = newest_capture(rows_of_case(opened), capture, opened.location)
        rows = framing_rows(measured(opened, name, tuple(topics or ()), config))
    if not rows:
        raise UsageError("no batch with its size in this capture.", wanted="a dump with batch lines, or raw segments")
    if format == "json":
        sys.stdout.write(json.dumps({"framing": rows, "savings": savings(rows)}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(framing_text(rows))
