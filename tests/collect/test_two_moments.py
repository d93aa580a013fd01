"""Files that were collected at several times: each is judged as of its own moment, whatever the order of the archives."""

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from steps import findings, judged, opens

from analyzer.scan.request import CaptureRequest

HOUR_MS = 3_600_000
SCENARIO = "in_flight"


def archive(folder: Path, log_dirs: Path, taken_at: int, wanted: Callable[[Path], bool]) -> Path:
    """What collect.sh makes of these files at that moment, unpacked."""
    folder.mkdir()
    (folder / "capture.toml").write_text(f"captured_at = {taken_at}\n")
    for log_dir in sorted(log_dirs.glob("broker-*")):
        lines = ["collect.sh\t1", f"captured_at\t{taken_at}\tbefore the first file was read\trunning"]
        for path in sorted(path for path in log_dir.rglob("*") if path.is_file()):
            name = path.relative_to(log_dirs).as_posix()
            if wanted(path):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / name)
                lines.append(f"file\t{name}\t{path.stat().st_size}\t{taken_at + 1000}\t{taken_at}")
            elif path.suffix == ".log":
                lines.append(f"there\t{name}\t{path.stat().st_size}")
        (folder / log_dir.name).mkdir(exist_ok=True)
        (folder / log_dir.name / "manifest.txt").write_text("\n".join(lines) + "\n")
    return folder


def is_light(path: Path) -> bool:
    return path.suffix != ".log" or path.parent.name.startswith("__transaction_state-")


@pytest.fixture(scope="module")
def documents(lab, spark, tmp_path_factory):
    """The documents by name: whole log dirs, and state files that are an hour older or newer than data files."""
    scratch, log_dirs = tmp_path_factory.mktemp("moments"), lab / "dev" / SCENARIO / "logdir"
    at = tomllib.loads((log_dirs / "capture.toml").read_text())["captured_at"]
    light = archive(scratch / "light", log_dirs, at, is_light)
    later = archive(scratch / "later", log_dirs, at + HOUR_MS, lambda path: not is_light(path))
    earlier = archive(scratch / "earlier", log_dirs, at - HOUR_MS, lambda path: not is_light(path))
    paths = {
        "whole": (log_dirs,),
        "light first": (light, later),
        "data first": (later, light),
        "old data": (earlier, light),
    }
    asked = [CaptureRequest(tuple(map(str, given)), name) for name, given in paths.items()]
    return judged(spark, asked, scratch / "case")


@pytest.mark.parametrize("name", ["light first", "data first"])
def test_data_of_an_hour_later_does_not_make_running_transactions_old(documents, name):
    whole, two = documents["whole"], documents[name]
    assert two["capture"]["captured_at"] == whole["capture"]["captured_at"]
    assert opens(two) == opens(whole)
    assert findings(two) == findings(whole)
    assert "in_flight" in opens(whole).values()


def test_data_of_an_hour_before_accuses_nobody_else(documents):
    whole, old = documents["whole"], documents["old data"]
    assert old["capture"]["captured_at"] == whole["capture"]["captured_at"]
    assert set(findings(old)) <= set(findings(whole))
