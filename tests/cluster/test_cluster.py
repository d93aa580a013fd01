"""A job on a real cluster says what a session on one machine says, also where a worker dies under it."""

import json
import time
from pathlib import Path

import pytest

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan import CaptureRequest, scan_capture
from analyzer.storage.case import Case

NAMES = ["late_write", "S8_marker_lost"]
TIMEOUT = 540


@pytest.fixture(scope="module")
def here(spark, lab: Path, tmp_path_factory) -> dict[str, dict]:
    """The documents of these scenarios by the suite's own session."""
    case = Case(spark, str(tmp_path_factory.mktemp("here") / "case"))
    captures = [scan_capture(CaptureRequest((str(lab / "dev" / name / "logdir"),))) for name in NAMES]
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


def test_a_cluster_says_what_one_machine_says(cluster, here, lab, tmp_path):
    paths = [str(lab / "dev" / name / "logdir") for name in NAMES]
    job = cluster.submitted("run", "--each", *paths, "--case", str(tmp_path / "case"), "--format", "json", "--quiet")
    out, err = job.communicate(timeout=TIMEOUT)
    assert job.returncode == 1, err[-3000:]
    assert "INFO" not in err
    documents = [json.loads(line) for line in out.splitlines()]
    assert {one["capture"]["name"]: told(one) for one in documents} == {name: told(one) for name, one in here.items()}
    assert not (tmp_path / "case" / ".checkpoints").exists()


def test_a_worker_that_dies_changes_nothing(cluster, here, lab, tmp_path):
    case = tmp_path / "case"
    job = cluster.submitted("run", str(lab / "dev" / NAMES[0] / "logdir"), "--case", str(case), "--format", "json")
    stages = case / ".checkpoints"
    for _ in range(TIMEOUT):
        if len(list(stages.glob("*/*/rdd-*"))) > 5 or job.poll() is not None:
            break
        time.sleep(0.5)
    assert job.poll() is None, job.communicate()
    cluster.workers[0].kill()
    out, err = job.communicate(timeout=TIMEOUT)
    assert job.returncode == 1, err[-3000:]
    document = json.loads(out)
    assert told(document) == told(here[document["capture"]["name"]])
