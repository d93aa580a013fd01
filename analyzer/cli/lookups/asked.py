"""What the commands of look-ups share: their options, the capture that they ask, and how an answer is written."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from analyzer.cli.opened import opened_case
from analyzer.cli.progress import Progress
from analyzer.config import Config
from analyzer.errors import UsageError
from analyzer.lookups.asking import Asking, asking
from analyzer.report.sentences.times import Clock, zone
from analyzer.scan.manifest import moment
from analyzer.storage.locations import needs_no_session
from analyzer.storage.settings import Work
from analyzer.storage.stored_tables import tables_of_case, tables_of_folder

CaptureOption = Annotated[str | None, typer.Option("--capture", help="Capture; by default the newest.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="From this moment on: epoch ms or ISO 8601.")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Before this moment: epoch ms or ISO 8601.")]
ZoneOption = Annotated[str, typer.Option("--tz", help="Time zone of the text (not of JSON): Europe/Berlin.")]


@contextmanager
def asked_case(location: str, capture: str | None, config: Config) -> Iterator[Asking]:
    """Yield how to ask a capture of a case: without a session where the case is a folder of this machine."""
    if needs_no_session(location):
        yield asking(tables_of_folder(location), capture, location)
        return
    with Progress(quiet=True) as progress, opened_case(location, config, progress, work=Work.BRIEF) as opened:
        yield asking(tables_of_case(opened), capture, location)


def one_of(option: str, given: str, known: tuple[str, ...]) -> str:
    """Return the value of an option. Raises UsageError unless it is one of these."""
    if given not in known:
        raise UsageError(f"{option} {given}", wanted=f"one of {', '.join(known)}")
    return given


def moment_of(option: str, text: str | None) -> int | None:
    """Return the moment of an option in epoch ms, None where it is not given. Raises ConfigError for no time."""
    return None if text is None else moment(option, text)


def clock(tz: str) -> Clock:
    """Return the clock of a time zone. Raises UsageError for one that is none."""
    return Clock(zone(tz))


def write_json(answer: Any) -> None:  # noqa: ANN401 - rows of any shape
    """Write an answer as JSON."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
