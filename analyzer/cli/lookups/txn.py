"""The command `txn`: the life of a transactional id or of a producer id."""

import sys
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.lookups import asked as shared, completion
from analyzer.cli.wanted import Wanted
from analyzer.lookups.shown.txn import txn_text
from analyzer.lookups.txn import Window, txn as answer_txn

FORMATS = ("text", "json")


def txn(
    whose: Annotated[
        str, typer.Argument(help="A transactional id, or a producer id.", metavar="ID", autocompletion=completion.whose)
    ],
    case: options.AnyCaseOption = None,
    sources: shared.FromOption = None,
    capture: shared.CaptureOption = None,
    since: shared.SinceOption = None,
    until: shared.UntilOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Transactions to show at most; 0: all.", min=0)] = 1_000,
    odd: Annotated[bool, typer.Option("--odd", help="The odd ones first.")] = False,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: options.TextOrJsonOption = "text",  # noqa: A002 - the flag's name
    tz: shared.ZoneOption = "UTC",
) -> None:
    """Tell the life of an id.

    Its transactions in order, their partitions, decisions and outcomes, who fenced it, and what is odd.
    """
    shared.one_of("--format", format, FORMATS)
    window, zoned = Window(*shared.times(since, until), limit, odd), shared.clock(tz)
    with shared.asked_case(Wanted(case, conf, engine=engine), capture, sources) as asked:
        told = answer_txn(asked, whose, window)
    if format == "json":
        shared.write_json(told)
    else:
        sys.stdout.write(txn_text(told, zoned, asked.location))
