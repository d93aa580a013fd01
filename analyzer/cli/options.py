"""The options and forms of values that several commands share."""

import enum
import importlib.metadata
import re
from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli.case.named import of_name, of_name_or_newest
from analyzer.errors import UsageError


class Engine(enum.StrEnum):
    """What computes."""

    auto = "auto"
    spark = "spark"
    sail = "sail"


_HELP = "Folder of the case's Delta tables, a name that `cases` lists, or schema:NAME."
_CASE = typer.Option("--case", help=_HELP, callback=of_name)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"txn-forensics {importlib.metadata.version('txn-forensics')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
]
EngineOption = Annotated[Engine | None, typer.Option("--engine", help="Engine; by default that of the settings.")]
CaseOption = Annotated[str, _CASE]
AnyCaseOption = Annotated[str | None, _CASE]
"""A case that need not be named."""
StoredCaseOption = Annotated[str, typer.Option("--case", help=_HELP, callback=of_name_or_newest)]
"""A case that is read: with the default `NEWEST`, that of the last run."""
CaptureOption = Annotated[str | None, typer.Option("--capture", help="Capture; by default the newest.")]
TextOrJsonOption = Annotated[str, typer.Option("--format", help="text or json.")]
ConfOption = Annotated[Path | None, typer.Option("--conf", help="File with settings, see conf/default.toml.")]
BootstrapOption = Annotated[
    str | None,
    typer.Option("--bootstrap", help="Brokers for the commands that are printed.", metavar="HOST:PORT"),
]
CommandConfigOption = Annotated[
    str | None,
    typer.Option("--command-config", help="Client settings for these commands.", metavar="FILE"),
]
ExecOption = Annotated[
    str | None,
    typer.Option("--exec", help="What stands before their tools: 'kubectl exec POD -- bin/'.", metavar="PREFIX"),
]
MetricsOption = Annotated[
    Path | None, typer.Option("--metrics", help="Also write numbers for Prometheus to this file.", metavar="FILE")
]


def check_format(given: str, *known: str) -> None:
    """Raise UsageError unless a format is one of these."""
    if given not in known:
        raise UsageError(f"unknown format {given}.", wanted=f"{', '.join(known[:-1])} or {known[-1]}")


_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def seconds(option: str, text: str, units: str, wanted: str, *, least: int = 0) -> int:
    """Return how long a value such as `15m` is. Raises UsageError unless it is a number, and one of these units."""
    span = re.fullmatch(rf"(\d+)([{units}])", text)
    if span is None or int(span[1]) < least:
        raise UsageError(f"{option} {text}", wanted=wanted)
    return int(span[1]) * _SECONDS[span[2]]
