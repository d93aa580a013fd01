"""`run -`: what is piped in is read like a file, and leaves nothing behind."""

import json
import subprocess
import sys

PASTE = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\n"
    "app_logs\t3\t4000\t15937\t514\t1193596434\t1747728095380\t32825\t\n"
)


def run(tmp_path, *arguments, text=PASTE):
    return subprocess.run(
        [sys.executable, "-m", "analyzer", "run", *arguments, "--engine", "sail", "--quiet", "--format", "json"],
        input=text, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_a_paste_is_judged_like_a_file(tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    done = run(tmp_path, "-", "--case", str(tmp_path / "case"))
    assert done.returncode in {1, 3}, done.stderr
    document = json.loads(done.stdout)
    assert document["coverage"]["files"] == 1
    assert [path.name for path in scratch.iterdir() if "stdin" in path.name] == []


def test_nothing_else_is_taken_for_it(tmp_path):
    twice = run(tmp_path, "-", "-")
    assert twice.returncode == 2
    assert "named twice" in twice.stderr
