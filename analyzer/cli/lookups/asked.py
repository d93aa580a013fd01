"""What the commands of look-ups share: their options, the capture that they ask, and how an answer is written."""

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli.case.named import newest
from analyzer.cli.lookups import completion
from analyzer.cli.wanted import Wanted
from analyzer.errors import UsageError
from analyzer.lookups.asking import Asking, asking
from analyzer.report.sentences.times import Clock, zone
from analyzer.scan.manifest import moment
from analyzer.scratch import drop, scratch_folder
from analyzer.storage.locations import needs_no_session
from analyzer.storage.reading.tables import tables_of_folder

CaptureOption = Annotated[
    str | None, typer.Option("--capture", help="Capture; by default the newest.", autocompletion=completion.captures)
]
FromOption = Annotated[
    list[str] | None,
    typer.Option("--from", help="Analyze these files first; may be repeated.", metavar="PATH"),
]
SinceOption = Annotated[str | None, typer.Option("--since", help="From this moment on: epoch ms or ISO 8601.")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Before this moment: epoch ms or ISO 8601.")]
ZoneOption = Annotated[str, typer.Option("--tz", help="Time zone of the text (not of JSON): Europe/Berlin.")]


@contextmanager
def asked_case(wanted: Wanted, capture: str | None, sources: Sequence[str] | None) -> Iterator[Asking]:
    """Yield how to ask a capture of a case: without a session where the case is a folder of this machine.

    `sources` are files that are analyzed first: into the case if one is named, else into one for the meantime, whose
    answers name no case. Without either it is the case of the last run. Raises UsageError if none is kept.
    """
    if sources:
        if capture is not None:
            raise UsageError("--from makes a capture, --capture names one.", do="leave one of them out")
        with _made_of(sources, wanted) as (location, name):
            yield dataclasses.replace(asking(tables_of_folder(location), name, location), location=wanted.case or "")
        return
    case = wanted.case or newest()
    if case is None:
        raise UsageError("no case is kept yet.", wanted="--case FOLDER, or --from PATH to analyze files first")
    if needs_no_session(case):
        yield asking(tables_of_folder(case), capture, case)
        return
    from analyzer.cli.case.in_session import tables_in_session  # noqa: PLC0415 - loads an engine

    with tables_in_session(case, wanted.config) as read:
        yield asking(read, capture, case)


@contextmanager
def _made_of(sources: Sequence[str], wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Analyze files; yield where the case lies, and the name of the capture. A case for the meantime is dropped."""
    from analyzer.cli import running  # noqa: PLC0415 - loads an engine

    location = wanted.case or str(scratch_folder("txn-forensics-"))
    if not needs_no_session(location):
        raise UsageError(f"--from needs a case in a folder, not {location}.", do="txn-forensics run PATH... --case ...")
    try:
        asked = running.requests(sources, None, None, running.Reading(), each=False)
        documents, _ = running.run(asked, dataclasses.replace(wanted, case=location))
        yield location, documents[0]["capture"]["name"]
    finally:
        if wanted.case is None:
            drop(Path(location))


def one_of(option: str, given: str, known: tuple[str, ...]) -> str:
    """Return the value of an option. Raises UsageError unless it is one of these."""
    if given not in known:
        raise UsageError(f"{option} {given}", wanted=f"one of {', '.join(known)}")
    return given


def times(since: str | None, until: str | None) -> tuple[int | None, int | None]:
    """Return these moments in epoch ms, None where one is not given. Raises ConfigError for what is no time."""
    given = {"--since": since, "--until": until}
    begin, end = (None if text is None else moment(option, text) for option, text in given.items())
    return begin, end


def clock(tz: str) -> Clock:
    """Return the clock of a time zone. Raises UsageError for one that is none."""
    return Clock(zone(tz))


def write_json(answer: Any) -> None:  # noqa: ANN401 - rows of any shape
    """Write an answer as JSON."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
