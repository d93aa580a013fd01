"""The one file to carry: empty HOME, no pip, no network, another folder, an environment of nothing: `make carry-test`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built import VERSION, built, transcript_lines

ALONE = Path(__file__).parent / "alone.py"
REACH_OUT = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=5)"
"""Asks an address that is kept for documentation: without a network this fails at once."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python without pip and without packages."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the file unpacks itself for the tests that do not look at HOME."""
    return str(tmp_path_factory.mktemp("unpacked"))


@pytest.fixture
def alone(python: Path, run_away):
    """A function: arguments of the bare Python and variables in, what it did without a network out."""
    permitted = subprocess.run(["unshare", "-rn", "true"], capture_output=True, text=True, check=False)
    assert permitted.returncode == 0, f"this needs network namespaces: {permitted.stderr}"
    return lambda *arguments, **variables: run_away(["unshare", "-rn", python, ALONE, python, *arguments], **variables)


@pytest.fixture
def carried(away: Path) -> Path:
    """The file, copied beside sample_data."""
    return Path(shutil.copy(built("*.pex"), away / "txn-forensics"))


def test_there_is_neither_pip_nor_a_network(alone) -> None:
    assert "No module named 'pip'" in alone("-c", "import pip").stderr
    assert "unreachable" in alone("-c", REACH_OUT).stderr


def test_it_says_what_readme_shows_the_second_time_without_unpacking(away: Path, carried: Path, alone) -> None:
    assert sorted(path.name for path in away.iterdir()) == ["sample_data", "txn-forensics"]
    for _ in range(2):
        told = alone(carried, "run", "sample_data", "--quiet")
        assert told.returncode == 1, told.stderr
        assert set(transcript_lines()) - set(told.stdout.splitlines()) == set()
    assert sorted(path.name for path in away.iterdir()) == [".cache", ".local", "sample_data", "txn-forensics"]


def test_it_starts_by_its_own_name_and_tells_its_version(carried: Path, python: Path, unpacked: str, run_away) -> None:
    assert carried.stat().st_size < 220_000_000
    told = run_away([carried, "--version"], PATH=f"{python.parent}:/usr/bin:/bin", PEX_ROOT=unpacked)
    assert told.stdout == f"txn-forensics {VERSION}\n", told.stderr


def test_what_was_left_out_is_told_where_it_is_asked_for(carried: Path, unpacked: str, alone) -> None:
    told = alone(carried, "run", "sample_data", "--engine", "spark", PEX_ROOT=unpacked)
    assert told.returncode == 2
    assert "no Spark in" in told.stderr
    assert 'pip install "txn-forensics[local]"' in told.stderr
