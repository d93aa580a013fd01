"""A job on a real cluster says what a session on one machine says, also where a worker dies under it."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

ROOT = Path(__file__).parent.parent.parent
NAMES = ["late_write", "S8_marker_lost"]
TIMEOUT = 540


def judged(spark, folders: list[Path], root: Path) -> dict[str, dict]:
    """The documents of these folders by the suite's own session."""
    case = Case(spark, str(root / "case"))
    captures = [scan_capture(CaptureRequest((str(folder),))) for folder in folders]
    ingest(case, captures)
    return {one["capture"]["name"]: one for one in analyze(case, [one.name for one in captures], Config())}


def told(document: dict) -> dict:
    """What must be equal: all but where the case lies and what computed it."""
    findings = [
        {key: value for key, value in one.items() if key not in {"first_seen", "status", "action", "plan"}}
        for one in document["findings"]
    ]
    return {
        "verdict": document["verdict"], "findings": findings, "open": document["open_transactions"],
        "partitions": document["partitions"], "coverage": document["coverage"],
    }  # fmt: skip


def of_process(job: "subprocess.Popen[str]", timeout: int) -> dict[str, dict]:
    """What must be equal of each document that a process printed, by capture."""
    out, err = job.communicate(timeout=timeout)
    assert job.returncode == 1, err[-3000:]
    assert "INFO" not in err
    documents = [json.loads(line) for line in out.splitlines()]
    return {one["capture"]["name"]: told(one) for one in documents}


def on_one_core(folder: Path, arguments: list[str]) -> "subprocess.Popen[str]":
    """Start a run on `local[1]`."""
    conf = folder / "one.toml"
    conf.write_text('[spark]\nengine = "spark"\nmaster = "local[1]"\n')
    command = [sys.executable, "-m", "analyzer", *arguments, "--conf", str(conf)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("form", ["logdir", "dumps"])
def test_a_cluster_says_what_one_machine_says(cluster, spark, lab, form, soak, tmp_path):
    """Two log dirs; with --soak the whole lab, raw and text, and on one core, too."""
    if form == "dumps" and not soak:
        pytest.skip("the text dumps of the whole lab: --soak")
    paths = sorted((lab / "dev").glob(f"*/{form}")) if soak else [lab / "dev" / name / form for name in NAMES]
    arguments = ["run", "--each", *map(str, paths), "--format", "json", "--quiet", "--case"]
    here = {name: told(one) for name, one in judged(spark, paths, tmp_path / "here").items()}
    timeout = TIMEOUT * len(NAMES + paths) // len(NAMES)
    assert of_process(cluster.submitted(*arguments, str(tmp_path / "case")), timeout) == here
    assert not (tmp_path / "case" / ".checkpoints").exists()
    if soak:
        assert of_process(on_one_core(tmp_path, [*arguments, str(tmp_path / "one")]), timeout) == here


def test_a_worker_that_dies_changes_nothing(cluster, spark, tmp_path):
    """A capture that is too large for the driver to hold: its stages are in the case's folder."""
    files, case = tmp_path / "files", tmp_path / "case"
    made = [sys.executable, ROOT / "bench" / "make_segments.py", files / "broker-0", "--mb", "20"]
    subprocess.run([*made, "--batch-bytes", "8192"], check=True)
    job = cluster.submitted("run", str(files), "--case", str(case), "--format", "json")
    stages = case / ".checkpoints"
    for _ in range(TIMEOUT):
        if len(list(stages.glob("*/*/rdd-*"))) > 5 or job.poll() is not None:
            break
        time.sleep(0.5)
    assert job.poll() is None, job.communicate()
    cluster.workers[0].kill()
    out, err = job.communicate(timeout=TIMEOUT)
    assert job.returncode == 0, err[-3000:]
    document = json.loads(out)
    assert len(document["partitions"]) > 50
    assert told(document) == told(judged(spark, [files], tmp_path / "here")[document["capture"]["name"]])
