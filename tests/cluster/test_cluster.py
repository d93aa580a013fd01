"""A job on a real cluster says what a session on one machine says, also where a worker dies under it."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NAMES = ["late_write", "S8_marker_lost"]
TIMEOUT = 900


def told(document: dict) -> dict:
    """What must be equal: all but where the case lies and what computed it."""
    findings = [
        {key: value for key, value in one.items() if key not in {"first_seen", "status", "action", "plan"}}
        for one in document["findings"]
    ]
    return {
        "verdict": document["verdict"], "findings": findings, "open": document["open_transactions"],
        "partitions": document["partitions"], "coverage": document["coverage"] | {"engine": None},
    }  # fmt: skip


def of_process(job: "subprocess.Popen[str]", engine: str, code: int, timeout: int = TIMEOUT) -> dict[str, dict]:
    """What must be equal of each document that a process printed, by capture; `engine` computed them."""
    out, err = job.communicate(timeout=timeout)
    assert job.returncode == code, err[-3000:]
    assert "INFO" not in err
    documents = [json.loads(line) for line in out.splitlines()]
    assert {one["coverage"]["engine"].split()[0] for one in documents} == {engine}
    return {one["capture"]["name"]: told(one) for one in documents}


def here(case: Path, arguments: list[str], *options: str) -> "subprocess.Popen[str]":
    """Start a run on this machine."""
    command = [sys.executable, "-m", "analyzer", *arguments, "--case", str(case), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("form", ["logdir", "dumps"])
def test_a_cluster_says_what_one_machine_says(cluster, lab, form, soak, tmp_path):
    """With --soak, the whole lab, raw and text, and on one core of Spark, too; a sample of it is in the test below.

    The one machine judges on Sail, which is quicker: tests/lab/test_engines.py holds it to the same documents.
    """
    if not soak:
        pytest.skip("the whole lab: --soak")
    paths = sorted((lab / "dev").glob(f"*/{form}"))
    arguments = ["run", "--each", *map(str, paths), "--format", "json", "--quiet"]
    wanted = of_process(here(tmp_path / "here", arguments, "--engine", "sail"), "Sail", 1)
    assert len(wanted) == len(paths)
    timeout = TIMEOUT * len(NAMES + paths) // len(NAMES)
    assert of_process(cluster.submitted(*arguments, "--case", str(tmp_path / "case")), "Spark", 1, timeout) == wanted
    assert not (tmp_path / "case" / ".checkpoints").exists()
    conf = tmp_path / "one.toml"
    conf.write_text('[spark]\nengine = "spark"\nmaster = "local[1]"\n')
    assert of_process(here(tmp_path / "one", arguments, "--conf", str(conf)), "Spark", 1, timeout) == wanted


def test_a_cluster_on_which_a_worker_dies_says_what_one_machine_says(cluster, lab, tmp_path):
    """Two log dirs with findings, and one that is too large for the driver to hold: its stages are in the case's folder."""
    files, case = tmp_path / "files", tmp_path / "case"
    made = [sys.executable, ROOT / "bench" / "make_segments.py", files / "broker-0", "--mb", "20"]
    subprocess.run([*made, "--batch-bytes", "8192"], check=True)
    paths = [files, *(lab / "dev" / name / "logdir" for name in NAMES)]
    arguments = ["run", "--each", *map(str, paths), "--format", "json", "--quiet"]
    job = cluster.submitted(*arguments, "--case", str(case))
    stages = case / ".checkpoints"
    for _ in range(2 * TIMEOUT):
        if len(list(stages.glob("*/*/rdd-*"))) > 5 or job.poll() is not None:
            break
        time.sleep(0.5)
    assert job.poll() is None, job.communicate()
    cluster.workers[0].kill()
    judged = of_process(job, "Spark", 1)
    assert not stages.exists()
    assert [one["verdict"] for one in judged.values()] == ["clean", "findings", "findings"]
    assert len(next(iter(judged.values()))["partitions"]) > 50
    assert judged == of_process(here(tmp_path / "here", arguments, "--engine", "sail"), "Sail", 1)
