"""Numbers for Prometheus: the text format, its escapes, and that they are those of the document."""

import json
import re
from pathlib import Path

import pytest

from analyzer.report.metrics import metrics, without_time

DOCUMENTS = sorted((Path(__file__).parent / "documents").glob("*.json"))
SAMPLE = re.compile(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (-?[0-9.e+]+)')


def samples(text: str) -> list[tuple[str, dict[str, str], float]]:
    found = []
    for line in text.splitlines():
        if not line.startswith("#"):
            matched = SAMPLE.fullmatch(line)
            assert matched, line
            labels = dict(re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', matched[2]))
            found.append((matched[1].removeprefix("txn_forensics_"), labels, float(matched[3])))
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_number_is_the_documents(path):
    document = json.loads(path.read_text("utf-8"))
    found = samples(metrics([document]))
    findings = sum(value for name, _, value in found if name == "findings")
    assert findings == len(document["findings"])
    waiting = {
        (labels["topic"], labels["partition"]): value for name, labels, value in found if name == "waiting_records"
    }
    judged = [row for row in document["partitions"] if row["authority"] and row.get("has_log", True)]
    assert sorted(waiting.values()) == sorted(row["blocked_records"] for row in judged)
    verdicts = {labels["verdict"]: value for name, labels, value in found if name == "verdict"}
    assert [name for name, value in verdicts.items() if value] == [document["verdict"]]


def test_a_number_that_nobody_counted_has_no_sample():
    document = json.loads(DOCUMENTS[0].read_text("utf-8"))
    for row in document["partitions"]:
        row["blocked_records"] = None
    names = [name for name, _, _ in samples(metrics([document]))]
    assert "waiting_records" not in names
    assert "lso" in names


def test_labels_that_need_escapes_stay_one_line():
    document = json.loads(DOCUMENTS[0].read_text("utf-8"))
    document["capture"]["name"] = 'a "b"\nc\\d'
    assert all(labels["capture"] == r"a \"b\"\nc\\d" for _, labels, _ in samples(metrics([document])))


def test_what_could_not_be_judged_has_its_verdict_alone():
    found = samples(metrics([{"capture": {"name": "x"}, "verdict": "unusable", "findings": []}]))
    assert {name for name, _, _ in found} == {"verdict"}


@pytest.mark.parametrize(
    ("name", "stable"),
    [
        ("late_write@2026-11-21T09:45:55.780Z", "late_write"),
        ("2026-11-21T09", ""),
        ("2026-11-21T09@2026-11-21T09:20:00.000Z", ""),
        ("incoming/hour=2026-11-21T09", "incoming"),
        ("incoming/hour=09", "incoming"),
        ("prod-20261121-0900.tar.gz", "prod.tar.gz"),
        ("prod_1795254355780", "prod"),
        ("broker-1", "broker-1"),
        ("kafka-2.8.1-cluster-17", "kafka-2.8.1-cluster-17"),
    ],
)
def test_a_name_without_its_time(name, stable):
    assert without_time(name) == stable


def test_the_captures_of_a_schedule_write_the_same_series():
    document = json.loads(DOCUMENTS[0].read_text("utf-8"))
    later = json.loads(DOCUMENTS[0].read_text("utf-8"))
    document["capture"] |= {"name": "prod/2026-11-21T09@2026-11-21T09:20:00.000Z", "captured_at": 1_795_252_800_000}
    later["capture"] |= {"name": "prod/2026-11-21T10@2026-11-21T10:20:00.000Z", "captured_at": 1_795_256_400_000}
    first, second = (samples(metrics([one])) for one in (document, later))
    assert [(name, labels) for name, labels, _ in first] == [(name, labels) for name, labels, _ in second]
    moments = [value for name, _, value in (*first, *second) if name == "captured_at_seconds"]
    assert moments == [1_795_252_800, 1_795_256_400]


def test_captures_of_one_file_that_differ_by_time_alone_stay_apart():
    one = {"capture": {"name": "x@2026-11-21T09:20:00.000Z"}, "verdict": "unusable", "findings": []}
    other = {**one, "capture": {"name": "x@2026-11-21T10:20:00.000Z"}}
    found = [(name, tuple(labels.items())) for name, labels, _ in samples(metrics([one, other]))]
    assert len(found) == len(set(found))
