"""House rules over all tracked files: no path of one machine, no registry's address, no foreign folder."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TEXT = {".py", ".md", ".toml", ".txt", ".ddl", ".json", ".properties", ".yml", ".yaml", ".cfg", ".sh", ".xml", ""}

FORBIDDEN = {
    "a home folder": "/" + r"(?:home|Users)/\w+|/" + "root/",
    "a working folder": "/" + r"work/(?:main|shared)|\.\./" + r"shared\b",
    "a scratch environment": "/" + r"tmp/(?:venv|bg)\b",
    "a registry's address": r"repo1\."
    "maven|"
    r"pypi\."
    r"org|files\."
    r"python"
    "hosted|"
    r"mav"
    r"en\."
    "org|registry"
    r"\.npmjs",
}


def tracked_files() -> list[Path]:
    """The text files that git tracks or would track, or, without git, all of them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = (
        listed.stdout.splitlines() if listed.returncode == 0 else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*")]
    )
    paths = [ROOT / name for name in names]
    return [path for path in paths if path.is_file() and path.suffix in TEXT and not path.name.startswith("0000000000")]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_names(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = []
    for path in tracked_files():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == [], f"{what} in a tracked file"


def test_files_of_every_kind_are_looked_at() -> None:
    looked_at = {str(path.relative_to(ROOT)) for path in tracked_files()}
    assert {"README.md", "Makefile", "pyproject.toml", "conf/default.toml", ".ci/run"} <= looked_at
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "analyzer").rglob("*.py")}
    assert modules <= looked_at
