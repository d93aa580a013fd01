"""Every command leaves with an exit code that the help text names, 0 to 3, however often it is run and on a busy machine.

Native threads of the libraries outlive a command's last line: what they do while the interpreter ends decides its exit
code (docs/decisions/0014). With --soak, every command 30 times over three captures.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

CAPTURES = ("late_write", "S8_marker_lost", "in_flight")
OWN = {0, 1, 2, 3}
ROUNDS = 10
"""With --soak: over each of the captures, so each command runs 30 times."""
AT_ONCE = (os.cpu_count() or 1) + 2
"""Commands side by side, more than there are cores: threads then end at unlucky moments."""


def left(*arguments: str | Path) -> tuple[int, str]:
    """Run a command in a process of its own; return its exit code and its last words."""
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr[-2000:]


def stored(case: Path) -> Iterator[tuple[str | Path, ...]]:
    """Yield the commands that only read what a case stores: they take half a second each."""
    document = json.loads((case.parent / f"{case.name}.json").read_text())
    name = document["capture"]["name"]
    for form in ("text", "concise", "markdown", "html", "json"):
        yield "report", "--case", case, "--format", form
    yield "fetch", "--case", case
    yield "fetch", "--case", case, "--step", "6", "--format", "json"
    yield "compare", name, name, "--case", case
    opened = document["open_transactions"][0]
    place = "--topic", opened["topic"], "--partition", str(opened["partition"])
    yield "rescue", "--case", case, *place, "--producer-id", str(opened["producer_id"]), "-o", "{new}"
    yield "explain", "TXN002"


def computed(case: Path, dumps: Path, *, soak: bool) -> Iterator[tuple[str | Path, ...]]:
    """Yield the commands that start an engine; whole runs with --soak, else `cases` and test_leaving.py have some."""
    engine = "--engine", "sail"
    if soak:
        yield "run", dumps, *engine, "--format", "concise"
        yield "run", "--each", dumps, dumps / "absent", *engine
    yield "run", dumps, "--case", "{new}", *engine, "--open-only", "--quiet"
    yield "ingest", dumps, "--case", "{new}", *engine
    yield "analyze", "--case", case, *engine
    yield "sql", "SELECT count(*) FROM batches", "--case", case, *engine
    yield "sql", "SELECT * FROM partition_txns", "--case", case, *engine
    yield "sql", "SELECT nothing FROM batches", "--case", case, *engine
    yield "expand", "-n", "150", "--case", case, *engine
    yield "overhead", "--case", case, *engine
    yield "watch", dumps, "--case", "{new}", "--rounds", "1", *engine
    yield "vacuum", "--case", case, *engine
    yield "doctor", *engine


def plain() -> Iterator[tuple[str | Path, ...]]:
    """Yield the commands that need no case."""
    yield ("detectors",)
    yield "route", "my-id", "-n", "50"
    yield ("collect-script",)
    yield "submit", "--dry-run", "--", "report", "--case", "somewhere"


@pytest.fixture(scope="module")
def cases(lab, tmp_path_factory, soak) -> dict[str, Path]:
    """A case of each capture, and beside it its document; of one capture if there is no time."""
    folder, made = tmp_path_factory.mktemp("cases"), {}
    for name in CAPTURES if soak else CAPTURES[:1]:
        made[name] = folder / name
        code, said = left(
            *("run", lab / "dev" / name / "dumps", "--case", made[name], "--engine", "sail"),
            *("--format", "json", "-o", folder / f"{name}.json"),
        )
        assert code in OWN, said
    return made


def all_end_well(commands: list[tuple[str | Path, ...]], folder: Path) -> None:
    """Run the commands side by side; none may leave with another code than 0 to 3."""
    numbered = [
        [folder / f"new-{number}" if one == "{new}" else one for one in command]
        for number, command in enumerate(commands)
    ]
    with ThreadPoolExecutor(AT_ONCE) as beside:
        ended = list(beside.map(lambda command: left(*command), numbered))
    counts = Counter((command[0], code) for command, (code, _) in zip(commands, ended, strict=True))
    print(*sorted(counts.items()), sep="\n")  # noqa: T201 - shown by pytest -s, and on failure
    wrong = [(*command, code, said) for command, (code, said) in zip(commands, ended, strict=True) if code not in OWN]
    assert wrong == []


def test_commands_that_read_a_case_end_with_a_code_of_their_own(cases, tmp_path, soak):
    commands = [one for case in cases.values() for one in stored(case)]
    all_end_well(commands * (ROUNDS if soak else 1), tmp_path)


def test_commands_that_compute_end_with_a_code_of_their_own(cases, lab, tmp_path, soak):
    commands = [one for name, case in cases.items() for one in computed(case, lab / "dev" / name / "dumps", soak=soak)]
    all_end_well([*commands, *plain()] * (ROUNDS if soak else 1), tmp_path)
