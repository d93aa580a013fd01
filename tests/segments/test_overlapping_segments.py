"""Files of two copies of a log in one folder: their segments begin at different offsets, and overlap."""

import pytest
from written import batch, end_marker, state_record, written_capture

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

START, MINUTE = 1_788_134_400_000, 60_000
WHO = {"producer_id": 7, "producer_epoch": 0}


def data(offset: int, sequence: int, at: int) -> bytes:
    return batch(offset, *[(b"k", b"v")] * 3, flags=0x10, base_sequence=sequence, timestamp=at, **WHO)


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    root = tmp_path_factory.mktemp("overlap")
    marker = end_marker(3, commit=True, timestamp=START + 1005, **WHO)
    head, late = data(0, 0, START + 100) + marker, data(4, 3, START + 2 * MINUTE)
    tail = late + batch(7, (b"k", b"v"), timestamp=START + 5 * MINUTE)
    names = ("Ongoing", "PrepareCommit", "CompleteCommit")
    states = b"".join(
        state_record(number, b"app", state, (7, 0), (0,) if number < 2 else (), timestamp=START + 500 * number)
        for number, state in enumerate(names)
    )
    other = data(4, 9, START + 2 * MINUTE) + batch(7, (b"k", b"v"), timestamp=START + 5 * MINUTE)
    second = {"whole": None, "data": (4, tail), "marker": (3, marker + tail), "other bytes": (4, other)}
    captures = []
    for name, segment in second.items():
        logs = {"orders-0": head + tail, "__transaction_state-0": states}
        captures.append(written_capture(root, name, logs, START + 10 * MINUTE))
        if segment:
            offset, content = segment
            (root / name / "broker-1" / "orders-0" / f"{offset:020d}.log").write_bytes(content)
            captures[-1] = scan_capture(CaptureRequest((str(root / name),), name))
    case = Case(spark, str(root / "case"))
    ingest(case, captures)
    return {one["capture"]["name"]: one for one in analyze(case, [one.name for one in captures], Config())}


def said(document):
    findings = [(one["code"], one["confidence"], one["headline"]) for one in document["findings"]]
    opened = [(one["first_offset"], one["last_offset"], one["verdict"]) for one in document["open_transactions"]]
    (row,) = [one for one in document["partitions"] if one["topic"] == "orders"]
    return findings, opened, [row[name] for name in ("lso", "log_end_offset", "blocked_records", "blocked_bytes")]


@pytest.mark.parametrize("name", ["data", "marker"])
def test_a_batch_of_two_segments_is_no_damage_and_counts_once(documents, name):
    assert said(documents[name]) == said(documents["whole"])
    assert documents["whole"]["findings"]


def test_other_bytes_beyond_the_next_segments_name_are_damage(documents):
    assert "LOG002" in {one["code"] for one in documents["other bytes"]["findings"]}
