"""What the tests of what is released share: commands in an environment of their own, away from the tree."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from built import ROOT


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """A folder outside the tree with sample_data and nothing else, also the HOME of what runs there."""
    folder = tmp_path / "away"
    shutil.copytree(ROOT / "sample_data", folder / "sample_data")
    return folder


@pytest.fixture
def run_away(away: Path):
    """A function: a command and variables in, what it did in the folder `away` out, with nothing of our environment."""

    def run(command: list[str | Path], **variables: str) -> subprocess.CompletedProcess[str]:
        bare = {"HOME": str(away), "PATH": os.defpath, "LANG": "C.UTF-8"}
        return subprocess.run(
            command, cwd=away, env=bare | variables, capture_output=True, text=True, timeout=300, check=False
        )

    return run
