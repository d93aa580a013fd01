"""What make built into dist/ for a release, and the version that it has."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def built(pattern: str) -> Path:
    """The one file of dist/ with such a name; the make targets build it before they run the tests."""
    found = sorted((ROOT / "dist").glob(pattern))
    assert len(found) == 1, f"dist/{pattern}: {found or 'nothing'}; run the tests through make"
    return found[0]


def transcript_lines() -> list[str]:
    """The lines of README's transcript that do not name the case, which is another one each time."""
    block = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- transcript, ")[2].split("```")[1]
    return [line for line in block.strip().splitlines() if "--case CASE" not in line]
