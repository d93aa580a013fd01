"""The command `txn`: the life of a transactional id or of a producer id."""

import sys
from typing import Annotated

import typer

from analyzer.cli.lookups import completion
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
from analyzer.lookups.shown.txn import txn_text
from analyzer.lookups.txn import Window
from analyzer.lookups.txn import txn as answer_txn

FORMATS = ("text", "json")


def txn(
    whose: Annotated[
        str, typer.Argument(help="A transactional id, or a producer id.", metavar="ID", autocompletion=completion.whose)
    ],
    case: AnyCaseOption = None,
    sources: FromOption = None,
    capture: CaptureOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Transactions to show at most; 0: all.", min=0)] = 1_000,
    odd: Annotated[bool, typer.Option("--odd", help="The odd ones first.")] = False,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
) -> None:
    """Tell the life of an id.

    Its transactions in order, their partitions, decisions and outcomes, who fenced it, and what is odd.
    """
    one_of("--format", format, FORMATS)
    window, zoned = Window(moment_of("--since", since), moment_of("--until", until), limit, odd), clock(tz)
    with asked_case(Wanted(case, conf, engine=engine), capture, sources) as asked:
        told = answer_txn(asked, whose, window)
    if format == "json":
        write_json(told)
    else:
        sys.stdout.write(txn_text(told, zoned, asked.location))
