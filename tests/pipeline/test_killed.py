"""A run that is killed with -9 at any moment and repeated leaves the tables, and prints the report, of one that was not."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from deltalake import DeltaTable

WITHOUT = {"ingested_ms"}
"""Columns that tell when a run was."""


@pytest.fixture(scope="module")
def arguments(lab: Path, soak: bool, request) -> list[str]:
    """A run of one log dir: on Sail, where there is no time for Spark."""
    engine = request.config.getoption("--engine") if soak else "sail"
    return ["run", str(lab / "dev" / "late_write" / "logdir"), "--engine", engine, "--quiet", "--format", "json"]


def started(arguments: list[str], case: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "analyzer", *arguments, "--case", str(case)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def whole(arguments: list[str], case: Path) -> str:
    """The report of a run that nobody disturbs."""
    run = started(arguments, case)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 1, err
    assert json.loads(out)["findings"]
    return out.replace(str(case), "CASE")


def rows_of(case: Path) -> dict[str, list[str]]:
    """Every row of every Delta table of the case, in an order of their own."""
    told = {}
    for store in ("catalog", "facts", "results"):
        table = DeltaTable(case / store).to_pyarrow_table()
        rows = table.drop_columns([name for name in table.column_names if name in WITHOUT]).to_pylist()
        told[store] = sorted(repr(sorted(row.items())).replace(str(case), "CASE") for row in rows)
    return told


def test_a_run_that_was_killed_is_repeated(arguments, soak, tmp_path):
    undisturbed = tmp_path / "whole"
    begun = time.monotonic()
    report = whole(arguments, undisturbed)
    seconds = time.monotonic() - begun
    wanted = rows_of(undisturbed)
    chance = random.Random(29)
    died = 0
    for number in range(30 if soak else 3):
        case = tmp_path / f"killed-{number}"
        run = started(arguments, case)
        moment = chance.uniform(0.1, 1.0) * seconds
        try:
            run.wait(moment)
        except subprocess.TimeoutExpired:
            run.kill()
        run.communicate()
        died += run.returncode == -signal.SIGKILL
        assert whole(arguments, case) == report, f"killed after {moment:.2f} s"
        assert rows_of(case) == wanted, f"killed after {moment:.2f} s"
    assert died
