"""Gives the tests of this folder the script under each shell, and a log dir."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from collecting import SHELLS, Collect


@pytest.fixture(params=SHELLS)
def collect(request, tmp_path_factory) -> Collect:
    """The script under dash, busybox, and this machine's sh where that is another."""
    shell = SHELLS[request.param]
    if shutil.which(shell[0]) is None:
        pytest.skip(f"no {shell[0]} here")
    return Collect(shell, tmp_path_factory.mktemp("archives"))


@pytest.fixture
def log_dir(tmp_path) -> Path:
    """A log dir with nothing but its meta.properties, of broker 3."""
    folder = tmp_path / "log dir"
    folder.mkdir()
    (folder / "meta.properties").write_text("version=1\nnode.id=3\n")
    return folder
