"""How a command leaves: nothing of it stays in the temporary directory, and Ctrl-C is one line from the first import on."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer.storage.named_cases import named_cases

PYTHON = [sys.executable, "-X", "importtime", "-m", "analyzer"]


class Left(NamedTuple):
    """What a process left behind: its exit code, stdout, stderr without Python's own lines, files in its TMPDIR."""

    code: int
    out: str
    err: str
    files: list[str]


def left(folder: Path, *arguments: str | Path, stop_after: float | None = None) -> Left:
    """Run a command with a temporary directory of its own; with `stop_after` press Ctrl-C so long after it took over.

    Python tells each import on stderr: by the first of them that the command asks for, it answers Ctrl-C itself.
    """
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    told = folder.with_suffix(".err")
    with told.open("w") as err:
        command = [*PYTHON, *map(str, arguments)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True, env=environment)
        try:
            if stop_after is not None:
                while "analyzer.config" not in told.read_text() and running.poll() is None:
                    time.sleep(0.01)
                time.sleep(stop_after)
                running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=300)
        finally:
            running.kill()
    lines = [line for line in told.read_text().splitlines(keepends=True) if not line.startswith("import time:")]
    return Left(running.returncode, out, "".join(lines), sorted(one.name for one in folder.iterdir()))


@pytest.fixture(scope="module")
def inputs(lab, tmp_path_factory):
    """A PATH for each exit code, and what else `run` is given."""
    folder = tmp_path_factory.mktemp("inputs")
    dumps = lab / "dev" / "late_write" / "dumps"
    (folder / "empty").mkdir()
    with tarfile.open(folder / "capture.tar.gz", "w:gz") as archive:
        archive.add(dumps, "late_write")
    some = folder / "some"
    some.mkdir()
    for path in (dumps / "broker-0").glob("__transaction_state-*"):
        shutil.copytree(path, some / path.name)
    return {
        0: [lab / "dev" / "late_write_verified" / "dumps"],
        1: [folder / "capture.tar.gz"],
        2: [folder / "empty"],
        3: [some],
    }


@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_a_run_without_case_leaves_nothing_in_the_temporary_directory(inputs, tmp_path, code):
    after = left(tmp_path / "tmp", "run", *inputs[code], "--engine", "sail")
    assert (after.code, after.files) == (code, []), after.err
    assert str(tmp_path) not in after.out


def test_what_a_run_that_keeps_nothing_prints_says_so(inputs, tmp_path):
    conf = tmp_path / "none.toml"
    conf.write_text("[limits]\nkept_cases = 0\n")
    out = " ".join(left(tmp_path / "tmp", "run", *inputs[1], "--engine", "sail", "--conf", conf).out.split())
    assert named_cases() == []
    assert "txn-forensics rescue --case CASE" in out
    assert "CASE: this run kept nothing. Run it again with --case FOLDER" in out


def test_a_run_that_fails_leaves_nothing(inputs, tmp_path):
    conf = tmp_path / "wrong.toml"
    conf.write_text('[spark]\nengine = "none"\n')
    after = left(tmp_path / "tmp", "run", *inputs[1], "--conf", conf)
    assert (after.code, after.out, after.files) == (2, "", []), after.err
    assert named_cases() == []


def test_ctrl_c_at_any_moment_is_one_line_and_leaves_nothing(inputs, tmp_path, soak):
    chance = random.Random(130)
    for number in range(20 if soak else 5):
        after = left(tmp_path / f"tmp-{number}", "run", *inputs[1], "--engine", "sail", stop_after=chance.uniform(0, 2))
        if after.code == 1:
            continue  # it was faster
        assert [one for one in named_cases() if not one.is_analyzed] == []
        assert (after.code, after.out, after.files) == (130, "", []), after.err
        assert after.err.startswith("stopped; "), after.err
        assert after.err.count("\n") == 1, after.err


def test_a_reader_that_is_gone_is_no_verdict(tmp_path):
    """`... | head` closes the pipe: neither 0, which is clean, nor 1, findings, and nothing on stderr."""
    running = subprocess.Popen(
        [sys.executable, "-m", "analyzer", "detectors"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert running.stdout is not None
    running.stdout.close()
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (141, b"")
