"""What a schedule uses: captures of one case side by side, ages of findings, what is new, metrics, the loop."""

import json
import shutil
from pathlib import Path

import pytest

BEFORE, AFTER = "S5_kafka13727_1_before", "S5_kafka13727_3_after_pass2"


@pytest.fixture(scope="module")
def folders(lab) -> tuple[Path, Path]:
    return lab / "dev" / BEFORE / "logdir", lab / "dev" / AFTER / "logdir"


def test_two_captures_of_a_case_side_by_side(command, folders, tmp_path):
    case, numbers = tmp_path / "case", tmp_path / "numbers.prom"
    first = command("run", folders[0], "--case", case, "--capture", "9:00", "--new-only")
    assert (first.code, first.out) == (0, ""), "a clean capture opens nothing"
    second = command("run", folders[1], "--case", case, "--capture", "9:01", "--new-only", "--metrics", numbers)
    assert second.code == 1
    assert "CONSUMERS MAY HAVE READ WRONG DATA (1 finding)" in second.out
    assert 'capture="9:01",code="TXN007"' in numbers.read_text()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".numbers")] == []

    compared = command("compare", "9:00", "9:01", "--case", case, "--format", "json")
    changes = json.loads(compared.out)
    assert compared.code == 1
    assert [row["code"] for row in changes["opened"]] == ["TXN007"]
    assert "taken after" in command("compare", "9:01", "9:00", "--case", case).err
    assert command("compare", "9:00", "9:01", "--case", case, "--exit-zero").code == 0


def test_a_finding_says_since_when_it_is_there(command, folders, tmp_path):
    case = tmp_path / "case"
    for name, at in (("9:00", "2026-11-21T09:18:00Z"), ("10:00", "2026-11-21T10:18:00Z")):
        told = command("run", folders[1], "--case", case, "--capture", name, "--captured-at", at, "--format", "json")
        (finding,) = json.loads(told.out)["findings"]
        assert finding["first_seen"] == 1_795_252_680_000
        assert finding["status"] == ("opened" if name == "9:00" else "still")
    quiet = command("report", "--case", case, "--new-only")
    assert (quiet.code, quiet.out) == (0, "")
    assert command("report", "--case", case, "--exit-zero").code == 0
    still = command("compare", "9:00", "10:00", "--case", case)
    assert still.code == 1
    assert command("compare", "9:00", "10:00", "--case", case, "--only", "opened").code == 0


def test_the_loop_prints_a_line_a_change(command, folders, tmp_path):
    watched, case = tmp_path / "watched", tmp_path / "case"
    watched.mkdir()
    empty = command("watch", watched, "--case", case, "--rounds", "1")
    assert (empty.code, len(empty.out.splitlines())) == (2, 1)
    shutil.copytree(folders[0], watched, dirs_exist_ok=True)
    clean = command("watch", watched, "--case", case, "--rounds", "1")
    assert ("clean: 0 findings" in clean.out, clean.code) == (True, 0)
    shutil.rmtree(watched)
    shutil.copytree(folders[1], watched)
    found = command("watch", watched, "--case", case, "--rounds", "1")
    lines = found.out.splitlines()
    assert found.code == 1
    assert ["opened critical accounts-0: " in lines[0], "verdict clean -> findings" in lines[1]] == [True, True]
    assert command("watch", watched, "--case", case, "--rounds", "1").out == ""
    assert command("watch", watched, "--case", case, "--every", "soon").code == 2
