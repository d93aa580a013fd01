"""The command for people without a scheduler: watch."""

import sys
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from analyzer.cli import options, printing, running
from analyzer.cli.case import stored
from analyzer.cli.judging.exit_codes import exit_code
from analyzer.cli.wanted import Wanted
from analyzer.errors import CaseError, InputError
from analyzer.report.assembling.assemble import unusable
from analyzer.report.comparison import Changes, compare
from analyzer.report.sentences.cells import visible
from analyzer.scan.capture import default_name


def watch(
    paths: Annotated[list[str], typer.Argument(help="Folders or files, read again each time.", metavar="PATH...")],
    case: options.CaseOption,
    every: Annotated[str, typer.Option("--every", help="From one start to the next: 90s, 15m, 1h.")] = "1h",
    rounds: Annotated[int | None, typer.Option("--rounds", help="Stop after this many.", min=1)] = None,
    metrics: options.MetricsOption = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
) -> None:
    """Judge the files again and again; print a line a change.

    Each time is a capture of the case; files that did not change are not read again. A folder that has nothing to read
    is a line, and is looked at again. Ctrl-C stops it; after --rounds it ends with the exit code of the last one.
    """
    pause = options.seconds("--every", every, "smh", "a number of seconds, minutes or hours: 90s, 15m, 1h", least=1)
    wanted = Wanted(case, conf, quiet=True, engine=engine)
    before = _newest(case, wanted)
    turn = 0
    while True:
        started = time.monotonic()
        document = _judged(paths, wanted)
        for line in _lines(before, document):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        if metrics is not None:
            printing.write_metrics([document], metrics)
        before, turn = (before if "error" in document else document), turn + 1
        if turn == rounds:
            raise typer.Exit(exit_code([document]))
        time.sleep(max(0.0, pause - (time.monotonic() - started)))


def _judged(paths: list[str], wanted: Wanted) -> dict[str, Any]:
    at = int(time.time() * 1000)
    try:
        return running.run(running.requests(paths, None, str(at), running.Reading(), each=False), wanted).documents[0]
    except InputError as fault:
        return unusable(wanted.case or "", default_name(paths[0], at), fault.found, fault.wanted, fault.do)


def _newest(case: str, wanted: Wanted) -> dict[str, Any] | None:
    """Return the document of the case's newest capture, None where there is none yet."""
    try:
        return stored.report(case, None, wanted.config)
    except CaseError:
        return None


def _lines(before: dict[str, Any] | None, document: dict[str, Any]) -> Iterator[str]:
    name = document["capture"]["name"]
    if "error" in document:
        yield f"{name} {visible(document['error']['found'])}"
        return
    if before is None:
        yield f"{name} {document['verdict']}: {len(document['findings'])} findings"
        before = {**document, "findings": [], "open_transactions": []}
    changes = compare(before, document)
    for line in _told(changes):
        yield f"{name} {line}"
    if changes["before"]["verdict"] != document["verdict"]:
        yield f"{name} verdict {changes['before']['verdict']} -> {document['verdict']}"


def _told(changes: Changes) -> Iterator[str]:
    for word, rows in (
        ("opened", changes["opened"]),
        ("gone", changes["gone"]),
        ("cannot tell", changes["cannot_tell"]),
    ):
        for row in rows:
            place = "" if row["partition"] is None else f"{row['topic']}-{row['partition']}: "
            yield visible(f"{word} {row['severity']} {place}{row['headline']} [{row['id']}]")
    for moved in changes["partitions"]:
        if moved["state"] in {"freed", "stuck since", "open since"}:
            yield visible(
                f"{moved['state'].split()[0]} {moved['topic']}-{moved['partition']}: LSO {moved['lso_before']} -> "
                f"{moved['lso_after']}, {moved['waiting_after']} records wait"
            )
