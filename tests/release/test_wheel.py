"""The wheel, installed into a fresh environment away from the tree: `make dist-test`."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from built import ROOT, VERSION, built, transcript_lines


@pytest.fixture(scope="module")
def wheel() -> Path:
    return built("*.whl")


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment in which README's first line was followed, with the wheel for the name."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install(folder, wheel, "quick")
    return folder


def install(environment: Path, wheel: Path, extra: str) -> None:
    # -I: what PYTHONPATH names would count as installed.
    subprocess.run(
        [environment / "bin" / "python", "-Im", "pip", "install", "--quiet", f"{wheel}[{extra}]"], check=True
    )


@pytest.fixture
def program(environment: Path, run_away):
    """A function: arguments in, what the installed program did away from the tree out."""
    return lambda *arguments, **variables: run_away(
        [environment / "bin" / "txn-forensics", *arguments],
        **({"PATH": f"{environment}/bin:{os.defpath}"} | variables),
    )


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "analyzer"], cwd=ROOT, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(wheel) as archive:
        assert set(listed.stdout.split()) == {name for name in archive.namelist() if name.startswith("analyzer/")}


def test_it_is_the_installed_package_that_runs(environment: Path, run_away) -> None:
    told = run_away([environment / "bin" / "python", "-c", "import analyzer; print(analyzer.__file__)"])
    assert Path(told.stdout).is_relative_to(environment)


def test_the_version_is_that_of_the_tree(program) -> None:
    assert program("--version").stdout == f"txn-forensics {VERSION}\n"


def test_the_main_job_says_what_readme_shows(program) -> None:
    told = program("run", "sample_data", "--quiet")
    assert told.returncode == 1, told.stderr
    assert set(transcript_lines()) - set(told.stdout.splitlines()) == set()
    assert "checks on Sail" in told.stdout


def test_the_script_that_collects_is_printed_whole(program) -> None:
    told = program("collect-script")
    assert told.stdout == (ROOT / "collect" / "collect.sh").read_text(encoding="utf-8")


def test_shells_complete_commands(program) -> None:
    words = {"COMP_WORDS": "txn-forensics resc", "COMP_CWORD": "1", "_TXN_FORENSICS_COMPLETE": "complete_bash"}
    assert program(**words).stdout.split() == ["rescue"]


def test_submit_needs_the_local_extra_and_then_shows_its_command(environment: Path, wheel: Path, program) -> None:
    wanting = ("submit", "--dry-run", "--", "run", "sample_data")
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # Java, and where the jars are
    told = program(*wanting, **ours)
    assert told.returncode == 2
    assert 'pip install "txn-forensics[local]"' in told.stderr
    install(environment, wheel, "local")
    told = program(*wanting, **ours)
    assert told.returncode == 0, told.stderr
    command = told.stdout.split()
    assert Path(command[0]).is_relative_to(environment)
    with zipfile.ZipFile(command[command.index("--py-files") + 1]) as shipped:
        assert "analyzer/cli/collect.sh" in shipped.namelist()
