"""What the tests of rescue share: the writer of segments by hand, the reader of its own, and a command that was run."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "segments"))

from analyzer.cli.border import run_at_border


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def command(monkeypatch, capsys) -> Callable[..., Outcome]:
    """Runs `txn-forensics ARGUMENTS` in this process, without a session."""

    def run(*arguments: str | int | Path) -> Outcome:
        from analyzer.cli.commands import app

        monkeypatch.setattr("sys.argv", ["txn-forensics", *map(str, arguments)])
        code = run_at_border(app)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run
