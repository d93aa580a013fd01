"""The command `who`: whose a record is, what became of it, who may read it."""

import sys
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.lookups import asked as shared, completion
from analyzer.cli.wanted import Wanted
from analyzer.kafka.reaching.reach import given_way
from analyzer.lookups.place import spot
from analyzer.lookups.shown.who import who_text
from analyzer.lookups.who import who as answer_who

FORMATS = ("text", "json")


def who(
    record: Annotated[
        str,
        typer.Argument(
            help="The record: by its offset, or the first from a time on.",
            metavar="TOPIC-PARTITION@OFFSET",
            autocompletion=completion.places,
        ),
    ],
    case: options.AnyCaseOption = None,
    sources: shared.FromOption = None,
    capture: shared.CaptureOption = None,
    bootstrap: options.BootstrapOption = None,
    command_config: options.CommandConfigOption = None,
    exec_: options.ExecOption = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: options.TextOrJsonOption = "text",  # noqa: A002 - the flag's name
    tz: shared.ZoneOption = "UTC",
) -> None:
    """Tell whose a record is, and what became of it.

    Its batch, its transaction in every partition, committed or aborted and why, and since when read_committed has it.
    """
    shared.one_of("--format", format, FORMATS)
    named, zoned, reach = spot(record), shared.clock(tz), given_way(bootstrap, command_config, exec_)
    with shared.asked_case(Wanted(case, conf, engine=engine, reach=reach), capture, sources) as asked:
        told = answer_who(asked, named, reach)
    if format == "json":
        shared.write_json(told)
    else:
        sys.stdout.write(who_text(told, zoned, asked.location))
