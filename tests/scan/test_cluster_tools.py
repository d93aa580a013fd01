"""Output of kafka-metadata-quorum, kafka-features and kafka-configs of live clusters: read, and nothing unparsed."""

import pytest

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

NAMES = (
    "features-describe.txt", "metadata-quorum-status.txt", "metadata-quorum-replication.txt",
    "configs-topics-overrides.txt", "configs-broker-default.txt", "configs-broker-2.txt", "configs-topic-frail.txt",
)  # fmt: skip


@pytest.fixture
def observed(lab):
    def _observed(version: str, name: str):
        capture = scan_capture(CaptureRequest((str(lab / "metadata" / version / "oracle" / name),)))
        assert [file["file_kind"] for file in capture.files] == ["admin"]
        rows = [row for source in capture.sources() for batch in read_facts(source) for row in batch.to_pylist()]
        assert {row["table"] for row in rows} == {"sections", "observations"}, name
        keys = ("observed", "topic", "name", "number", "other_number", "text")
        return [tuple(row[key] for key in keys) for row in rows if row["table"] == "observations"]

    return _observed


@pytest.mark.parametrize("version", ["3.9.1", "4.1.1"])
@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_understood(observed, version, name):
    assert observed(version, name)


def test_what_they_say(observed):
    assert ("feature_level", None, "transaction.version", 2, 631, "2") in observed("4.1.1", NAMES[0])
    assert ("feature_level", None, "metadata.version", None, 631, "4.1-IV1") in observed("4.1.1", NAMES[0])
    assert observed("4.1.1", NAMES[1])[:3] == [
        ("cluster_id", None, None, None, None, "JqMMxo01QUmq-FpKWqZOyQ"),
        ("quorum_leader", None, None, 2, None, None), ("quorum_epoch", None, None, 6, None, None),
    ]  # fmt: skip
    assert ("quorum_replica", None, "1", 809, 0, None) in observed("3.9.1", NAMES[2])
    assert ("setting", "pay", "min.insync.replicas", None, None, "2") in observed("4.1.1", NAMES[3])
    assert ("setting", None, "log.cleaner.threads", None, None, "2: 2") in observed("4.1.1", NAMES[5])
