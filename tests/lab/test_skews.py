"""Files of one capture are never of one moment: what skew explains is undecided or completing, never accused."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from skews import SKEWS, skewed

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

SCENARIOS = (
    "normal_mix", "late_write", "in_flight", "late_write_verified", "S8b_truncation", "S14_prepare_stuck_healed",
    "S15_clean_compaction_mid",
)  # fmt: skip
CASES = [(scenario, skew) for scenario in SCENARIOS for skew in SKEWS]


@pytest.fixture(scope="module")
def judged(lab: Path, spark: SparkSession, tmp_path_factory) -> dict[tuple[str, str], dict]:
    """The document of every scenario under every skew, in one analysis."""
    root = tmp_path_factory.mktemp("skewed")
    captures = [
        scan_capture(
            CaptureRequest((str(skewed(lab / "dev" / name / "dumps", root / name / skew, skew)),), f"{name} {skew}")
        )
        for name, skew in CASES
    ]
    case = Case(spark, str(tmp_path_factory.mktemp("skews") / "case"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    return dict(zip(CASES, documents, strict=True))


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_no_healthy_transaction_is_accused(judged, lab, case):
    truth = json.loads((lab / "dev" / case[0] / "truth.json").read_text())
    broken = {(e["topic"], e.get("partition"), e.get("producer_id")) for e in truth["expected_findings"]
              if e["kind"] != "in_flight"}  # fmt: skip
    strangers = [
        (finding["code"], finding["headline"])
        for finding in judged[case]["findings"]
        if (finding["topic"], finding["partition"], finding["producer_id"]) not in broken
    ]
    assert not strangers


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_what_was_running_is_never_to_be_aborted(judged, lab, case):
    truth = json.loads((lab / "dev" / case[0] / "truth.json").read_text())
    running = {(e["topic"], e["partition"], e["producer_id"]) for e in truth["expected_findings"]
               if e["kind"] == "in_flight"}  # fmt: skip
    for row in judged[case]["open_transactions"]:
        if (row["topic"], row["partition"], row["producer_id"]) in running:
            assert row["verdict"] in {"in_flight", "completing", "undecided"}, row


def test_the_skews_changed_the_files(judged):
    facts = {
        case: json.dumps([document["open_transactions"], document["partitions"]]) for case, document in judged.items()
    }
    assert len({facts["normal_mix", skew] for skew in SKEWS}) > 2
