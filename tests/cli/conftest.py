"""What the tests of the command line share: a scenario's dumps in a folder that is theirs alone."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def late_write(lab, tmp_path_factory) -> Path:
    """The dumps of `late_write`."""
    return Path(shutil.copytree(lab / "dev" / "late_write" / "dumps", tmp_path_factory.mktemp("late") / "late_write"))
