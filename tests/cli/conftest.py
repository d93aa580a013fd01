"""What the tests of the command line share: a command run in this process, and what it left behind."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer.cli.border import run_at_border


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def command(spark, monkeypatch, capsys) -> Callable[..., Outcome]:
    """Runs `txn-forensics ARGUMENTS` in this process, with the suite's session."""

    def run(*arguments: str | Path) -> Outcome:
        from analyzer.cli.commands import app

        monkeypatch.setattr("sys.argv", ["txn-forensics", *map(str, arguments)])
        code = run_at_border(app)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run
