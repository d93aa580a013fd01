"""The command `who`: whose a record is, what became of it, who may read it."""

import sys
from typing import Annotated

import typer

from analyzer.cli.lookups import completion
from analyzer.cli.lookups.asked import CaptureOption, FromOption, ZoneOption, asked_case, clock, one_of, write_json
from analyzer.cli.options import (
    AnyCaseOption,
    BootstrapOption,
    CommandConfigOption,
    ConfOption,
    EngineOption,
    ExecOption,
)
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
    case: AnyCaseOption = None,
    sources: FromOption = None,
    capture: CaptureOption = None,
    bootstrap: BootstrapOption = None,
    command_config: CommandConfigOption = None,
    exec_: ExecOption = None,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
) -> None:
    """Tell whose a record is, and what became of it.

    Its batch, its transaction in every partition, committed or aborted and why, and since when read_committed has it.
    """
    one_of("--format", format, FORMATS)
    named, zoned, reach = spot(record), clock(tz), given_way(bootstrap, command_config, exec_)
    with asked_case(Wanted(case, conf, engine=engine, reach=reach), capture, sources) as asked:
        told = answer_who(asked, named, reach)
    if format == "json":
        write_json(told)
    else:
        sys.stdout.write(who_text(told, zoned, asked.location))
