"""The post-mortems of docs/postmortems, written from real captures: `make postmortems` runs this module."""

import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs" / "postmortems"


class Told(NamedTuple):
    """An incident: the name of its file, the capture that it is about, and one that was taken later."""

    name: str
    incident: str
    later: str | None


INCIDENTS = (
    Told("lost-markers", "S8_marker_lost", None),
    Told("expanded-state-topic", "coordinator_expansion_after", None),
    Told("coordinator-down", "S14_prepare_stuck_down", "S14_prepare_stuck_healed"),
)


def write(told: Told, lab: Path, folder: Path, run: Callable[..., object]) -> None:
    """Write the post-mortem and its pictures into this folder; `run` runs `txn-forensics` with these arguments."""
    case = folder / "cases" / told.name
    for scenario in filter(None, (told.incident, told.later)):
        run("run", lab / "dev" / scenario / "dumps", "--capture", scenario, "--case", case, "--quiet")
    run("report", "--case", case, "--format", "postmortem", "-o", folder / f"{told.name}.md")
    file = folder / f"{told.name}.md"
    file.write_text(file.read_text("utf-8").replace(str(case), told.name), "utf-8")


def main() -> None:
    """Write them all into docs/postmortems."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(ROOT / "tests" / "corpus.tar.xz") as archive:
        archive.extractall(scratch, filter="data")
        for told in INCIDENTS:
            write(told, Path(scratch), Path(scratch), _run)
            for old in FOLDER.glob(f"{told.name}*.*"):
                old.unlink()
            for file in Path(scratch).glob(f"{told.name}*.*"):
                (FOLDER / file.name).write_bytes(file.read_bytes())


def _run(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "analyzer", *map(str, arguments), "--exit-zero", "--engine", "sail"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
