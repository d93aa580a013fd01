"""What the tests of the command line share: a scenario's dumps in a folder that is theirs alone, and a run of them."""

import json
import shutil
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

from analyzer.cli.border import run_at_border
from analyzer.cli.commands import app
from analyzer.storage.named_cases import DATA_VARIABLE


@pytest.fixture(scope="session")
def late_write(lab, tmp_path_factory) -> Path:
    """The dumps of `late_write`."""
    return Path(shutil.copytree(lab / "dev" / "late_write" / "dumps", tmp_path_factory.mktemp("late") / "late_write"))


@pytest.fixture(scope="session")
def first(spark, late_write, tmp_path_factory) -> Path:
    """The data directory that the first run without --case leaves, and beside it what the run said."""
    data = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA_VARIABLE, str(data))
        patch.setattr(
            "sys.argv", ["txn-forensics", "run", str(late_write), "--format", "json", "-o", str(data / "told.json")]
        )
        with redirect_stderr(StringIO()) as said:
            assert run_at_border(app) == 1
    (data / "said").write_text(said.getvalue())
    return data


@pytest.fixture
def judged(first, tmp_path) -> tuple[Path, dict]:
    """A copy of that run's case, and its document."""
    case = Path(shutil.copytree(first / "cases" / "late_write-1", tmp_path / "judged"))
    return case, json.loads((first / "told.json").read_text())
