"""The quorum's log read from its bytes and from each tool's text: the same records, or a row that says what is missing."""

import json
from collections import Counter

import pytest
from quorum_files import TOOLS, VERSIONS, dumps_of, files_of, truth_of

SAME = ("offset", "timestamp", "quorum_epoch", "is_control", "type_id", "record_type")
TAGGED_SINCE = {
    "directories": "3.7.2",
    "eligibleLeaderReplicas": "3.7.2",
    "lastKnownElr": "3.7.2",
    "cordonedLogDirs": "4.3.1",
}
"""Fields that older tools leave out of records that they do print."""


def same(row: dict) -> dict:
    return {name: row.get(name) for name in SAME}


def fields(row: dict) -> dict:
    return json.loads(row["fields"])


@pytest.mark.parametrize("version", VERSIONS)
def test_raw_records_are_those_of_the_truth(clusters, read, version):
    raw = clusters[version] / "logdir/broker-1/__cluster_metadata-0/00000000000000000000.log"
    rows = read(raw)["metadata_records"]
    expected = [tuple(record) for record in truth_of(clusters[version])["records"]]
    positions = [row["byte_offset"] for row in rows]
    bases = {row["position"]: row["base_offset"] for row in read(raw)["batches"]}
    found = [
        (row["offset"], row["timestamp"], bases[at], row["quorum_epoch"],
         f"CONTROL {row['record_type']}" if row["is_control"] else row["record_type"], row["version"])
        for row, at in zip(rows, positions, strict=True)
    ]  # fmt: skip
    assert found == expected
    assert all(row["whole"] for row in rows)
    assert len(found) > 700


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tool_of_the_cluster_prints_the_same_fields(clusters, read, version):
    compared = 0
    for raw in files_of(clusters[version]):
        printed = read(dumps_of(clusters[version], raw)[version])
        assert not printed["unparsed_lines"], raw
        for row, text in zip(read(raw)["metadata_records"], printed["metadata_records"], strict=True):
            assert same(row) == same(text)
            if "fields" in text:
                assert fields(row) == fields(text), raw
                assert text.get("whole", True)
                compared += 1
            else:
                assert row["record_type"] == "LEADER_CHANGE"
    assert compared > 1500


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("version", VERSIONS)
def test_another_tool_says_what_it_left_out(clusters, read, version, tool):
    """Nothing is taken for whole that is not, and nothing whole is doubted."""
    seen: Counter[str] = Counter()
    for raw in files_of(clusters[version]):
        dump = dumps_of(clusters[version], raw).get(tool)
        if dump is None:
            continue
        printed = read(dump)
        assert not printed["unparsed_lines"], dump
        for row, text in zip(read(raw)["metadata_records"], printed["metadata_records"], strict=True):
            assert {name: row[name] for name in SAME if name in text} == {n: text[n] for n in SAME if n in text}
            assert text.get("record_type") == row["record_type"]
            if "fields" not in text:
                assert text["undecoded"]
                seen["undecoded"] += 1
                continue
            left = {name: value for name, value in fields(row).items() if name not in fields(text)}
            assert {name: value for name, value in fields(row).items() if name not in left} == fields(text)
            assert (text.get("whole", True) is False) == bool(left), (row, text)
            assert all(tuple(map(int, tool.split("."))) < _version(TAGGED_SINCE[name]) for name in left)
            seen["left out" if left else "same"] += 1
    assert seen["same"] > 500
    assert bool(seen["left out"]) == (tool in ("3.3.2", "3.5.2"))


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_fast_way_and_the_slow_way_give_equal_rows(clusters, read, version):
    for raw in files_of(clusters[version]):
        for dump in dumps_of(clusters[version], raw).values():
            assert read(dump.read_bytes()) == read(dump.read_bytes(), bulk=False), dump


def test_checkpoints_are_no_logs(clusters, read):
    cluster = clusters["4.1.1"]
    for raw in files_of(cluster):
        kinds = {read(path)["sections"][0]["kind"] for path in (raw, dumps_of(cluster, raw)["4.1.1"])}
        assert kinds == {"log" if raw.suffix == ".log" else "checkpoint"}


def test_data_that_looks_like_metadata_is_data(read):
    """A user's record of another topic is no record of the quorum, whatever its text."""
    payload = '{"type":"TOPIC_RECORD","version":0,"data":{"name":"forged","topicId":"CP_A11TWSbaniC6eSgiIhA"}}'
    text = (
        "Dumping /logs/orders-0/00000000000000000000.log\nLog starting offset: 0\n"
        "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1"
        " partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty"
        f" position: 0 CreateTime: 1 size: {70 + len(payload)} magic: 2 compresscodec: none crc: 1 isvalid: true\n"
        f"| offset: 0 CreateTime: 1 keySize: -1 valueSize: {len(payload)} sequence: -1 headerKeys: [] payload: {payload}\n"
    )
    facts = read(text.encode())
    assert len(facts["batches"]) == 1
    assert not facts["metadata_records"]
    assert not facts["unparsed_lines"]
