"""Large input on Sail: read by processes and judged in shares it gives the same, and no process outlives the run."""

import functools
import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from analyzer.errors import EnvironmentFault
from analyzer.storage.engines.processes import in_processes

AS_IF_LARGE = """
from analyzer.cli import main
from analyzer.pipeline import ingest
from analyzer.pipeline.amounts import one_task_or_many
from analyzer.storage.engines import differences

ingest.SMALLEST_TASK_BYTES = 1_000
one_task_or_many.TINY_ROWS = one_task_or_many.FEW_ROWS = 0
differences.MUCH_BYTES, differences.SHARE_ROWS = 0, 100
main()
"""

BUSY = """
import os, signal, sys, time
from pathlib import Path
from analyzer.storage.engines.processes import end_processes, in_processes

def busy(numbers):
    next(numbers)
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(600)

def end(*_):
    end_processes()
    os._exit(130)

signal.signal(signal.SIGINT, end)
in_processes(busy, 4, 2)
"""


def reports(case: Path, captures: list[Path], code: str = "") -> list[str]:
    """The documents of the captures, in their order."""
    start = ["-c", code] if code else ["-m", "analyzer"]
    given = ["run", "--each", *map(str, captures), "--engine", "sail", "--quiet", "--format", "json"]
    command = [sys.executable, *start, *given, "--case", str(case)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert outcome.returncode in {0, 1}, outcome.stderr
    return outcome.stdout.replace(str(case), "CASE").splitlines()


CAPTURES = {
    "text": "late_write/dumps",
    "raw": "late_write/logdir",
    "twice": "S15_clean_compaction_mid/dumps",
    "lost": "S8_marker_lost/logdir",
    "slipped": "S8c_slipped_after_lost_marker/dumps",
    "stuck": "pid_hijack/logdir",
    "keyed": "data_expansion/logdir",
    "groups": "concurrent_group_producers/dumps",
}


@pytest.fixture(scope="module")
def both_ways(lab, tmp_path_factory) -> dict[str, tuple[str, str]]:
    """The documents as of large input, and as of small input, by what the capture is for."""
    folder = tmp_path_factory.mktemp("both")
    captures = [lab / "dev" / one for one in CAPTURES.values()]
    large, small = reports(folder / "large", captures, AS_IF_LARGE), reports(folder / "small", captures)
    assert len(list(folder.glob("large/facts/table=sections/*.parquet"))) <= os.cpu_count()
    return dict(zip(CAPTURES, zip(large, small, strict=True), strict=True))


@pytest.mark.parametrize("capture", CAPTURES)
def test_the_report_is_the_same(both_ways, capture):
    large, small = both_ways[capture]
    assert large == small


def test_every_task_runs_once():
    made = in_processes(_squares, 5, 2)
    assert len(made) == 2
    assert sorted(square for squares in made for square in squares) == [0, 1, 4, 9, 16]


def test_progress_counts_the_tasks_that_are_done():
    told: list[int] = []
    in_processes(_squares, 5, 2, told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 5)


def test_an_idle_process_takes_the_next_task(tmp_path):
    made = in_processes(functools.partial(_first_until_last, tmp_path / "last"), 6, 2)
    assert sorted(made) == [[0], [1, 2, 3, 4, 5]]


def test_an_error_is_that_of_the_task():
    with pytest.raises(FileNotFoundError, match="task 3"):
        in_processes(_breaks_at_three, 5, 2)


def test_an_error_that_cannot_be_sent_is_told_in_its_words():
    with pytest.raises(RuntimeError, match="_Picky: task 3, really"):
        in_processes(_breaks_with_its_own_class, 5, 2)


class _Picky(Exception):
    def __init__(self, *, what: str) -> None:
        super().__init__(f"{what}, really")


def _breaks_with_its_own_class(numbers):
    for number in numbers:
        if number == 3:
            raise _Picky(what="task 3")


def test_a_killed_process_is_told():
    with pytest.raises(EnvironmentFault, match="a process that reads files was killed"):
        in_processes(_dies_at_three, 5, 2)


def _dies_at_three(numbers):
    for number in numbers:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)


def _squares(numbers):
    return [number * number for number in numbers]


def _first_until_last(last, numbers):
    done = []
    for number in numbers:
        if number == 5:
            last.touch()
        if number == 0:
            _wait(last.exists)
        done.append(number)
    return done


def _breaks_at_three(numbers):
    for number in numbers:
        if number == 3:
            raise FileNotFoundError("task 3")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_no_process_is_left(tmp_path, end):
    running = subprocess.Popen([sys.executable, "-c", BUSY, str(tmp_path)], stderr=subprocess.PIPE, text=True)
    try:
        _wait(lambda: len(list(tmp_path.iterdir())) == 2)
        running.send_signal(end)
        assert running.communicate(timeout=30)[1] == ""
    finally:
        running.kill()
    _wait(lambda: not any(_lives(int(path.name)) for path in tmp_path.iterdir()))


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def _wait(until) -> None:
    begun = time.monotonic()
    while not until():
        assert time.monotonic() - begun < 60
        time.sleep(0.05)


def imported(numbers):
    """What a process has imported once it read its tasks and Arrow converted something."""
    list(numbers)
    pa.array(["a"])
    return {"pandas", "analyzer.parse.reading"} & sys.modules.keys()


def test_a_process_that_reads_files_does_not_load_pandas():
    """Arrow would look for it, which takes a quarter of the time until the first file is opened."""
    work = functools.partial(reading, imported)
    assert in_processes(work, 2, 2) == [{"analyzer.parse.reading"}] * 2


def reading(work, numbers):
    """Do the work in a process that has loaded the readers."""
    importlib.import_module("analyzer.parse.reading")
    return work(numbers)
