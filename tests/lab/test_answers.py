"""Every scenario judged by nothing but what admin tools answered about the live cluster at that moment (RULES F 1 to 4)."""

import json
import shutil
from pathlib import Path

import pytest
from judging import HANGS

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

NO_ANSWERS = ("after-", "offsets.json", "clients.jsonl")
"""What is later than the capture, or was written by the lab itself."""


@pytest.fixture(scope="module")
def answered(spark, lab, tmp_path_factory):
    """The document of each scenario, by name, from a folder with its answers alone."""
    folder = tmp_path_factory.mktemp("answers")
    captures = []
    for scenario in sorted((lab / "dev").iterdir()):
        if not (scenario / "oracle").is_dir():
            continue
        for file in (scenario / "oracle").iterdir():
            if file.is_file() and not file.name.startswith(NO_ANSWERS):
                (folder / scenario.name).mkdir(exist_ok=True)
                shutil.copy(file, folder / scenario.name / file.name)
        captures.append(scan_capture(CaptureRequest((str(folder / scenario.name),), scenario.name)))
    case = Case(spark, str(folder / "case"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    return {document["capture"]["name"]: document for document in documents}


@pytest.fixture(scope="module")
def expected(lab):
    """Of each scenario, what its truth says of open transactions: the kinds of each (topic, partition, producer id)."""
    return {path.parent.name: truth(path) for path in (lab / "dev").glob("*/truth.json")}


def truth(path):
    out = {}
    for one in json.loads(path.read_text())["expected_findings"]:
        out.setdefault((one.get("topic"), one.get("partition"), one.get("producer_id")), set()).add(one["kind"])
    return out


def place(row):
    return row["topic"], row["partition"], row["producer_id"]


def asked_coordinators(lab, name):
    """Return the producer ids of which a coordinator answered, read with nothing but a split."""
    files = (lab / "dev" / name / "oracle").glob("transactions-*")
    texts = [path.read_text(errors="replace") for path in files if not path.name.startswith("after-")]
    return {cell for text in texts for line in text.splitlines() for cell in line.split()[1:4] if cell.isdigit()}


def test_what_hangs_is_named_from_answers_alone(answered, expected, lab):
    missed, named, raced = [], 0, 0
    for name, document in answered.items():
        found = {place(one) for one in document["findings"]}
        asked = asked_coordinators(lab, name)
        for row in document["open_transactions"]:
            kinds = expected[name].get(place(row), set())
            if kinds & HANGS and not kinds & {"in_flight", "snapshot_only"}:
                if place(row) in found:
                    named += 1
                elif "it may have ended, or begun, between the two answers" in row["why"]:
                    raced += 1  # the lab asked within 10 s of the last write
                elif str(row["producer_id"]) in asked or row["verdict"] != "undecided":
                    missed.append((name, place(row), row["verdict"], kinds))
    assert missed == []
    assert named > 70
    assert raced <= 5


def test_nothing_healthy_is_accused(answered, expected):
    accused = []
    for name, document in answered.items():
        open_now = {place(row) for row in document["open_transactions"]}
        for finding in document["findings"]:
            kinds = expected[name].get(place(finding), set())
            if finding["confidence"] != "possible" and place(finding) in open_now and not kinds & HANGS:
                accused.append((name, place(finding), finding["name"], kinds))
    assert accused == []


def test_what_runs_stays_in_flight(answered, expected):
    verdicts = {
        (name, place(row)): row["verdict"]
        for name, document in answered.items()
        for row in document["open_transactions"]
        if expected[name].get(place(row)) == {"in_flight"}
    }
    assert set(verdicts.values()) <= {"in_flight", "undecided"}
    assert list(verdicts.values()).count("in_flight") > 60


def test_answers_alone_are_never_clean(answered):
    assert {document["verdict"] for document in answered.values()} <= {"findings", "inconclusive"}


def test_every_quoted_row_stands_in_its_file(answered, lab):
    looked = 0
    for name, document in answered.items():
        for finding in document["findings"]:
            for one in finding["evidence"]:
                file = lab / "dev" / name / "oracle" / Path(one["file"]).name
                assert one["text"].strip() in file.read_text(errors="replace").split("\n")[one["line"] - 1]
                looked += 1
    assert looked > 100
