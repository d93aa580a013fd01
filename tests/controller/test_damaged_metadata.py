"""Damaged and hostile metadata files: every record is a row or its bytes are named, and nothing raises."""

import random
import struct

import pytest
from written import batch

from analyzer.parse.segments.reading import line_at

TOPIC = bytes([1, 2, 0]) + b"\x07orders" + bytes(range(16)) + b"\0"
"""TopicRecord v0: frame, type 2, version 0, name, id, no tagged fields."""


@pytest.fixture
def rows(read, tmp_path):
    """A function: values of data records in, their rows out."""

    def _rows(*values: bytes | None, flags: int = 0, key: bytes | None = None):
        path = tmp_path / "00000000000000000000.log"
        path.write_bytes(batch(0, *((key, value) for value in values), flags=flags, epoch=3))
        facts = read(path)
        assert not facts["damaged_ranges"]
        return facts["metadata_records"]

    return _rows


def test_a_plain_record(rows):
    (row,) = rows(TOPIC)
    assert (row["record_type"], row["version"], row["quorum_epoch"]) == ("TOPIC_RECORD", 0, 3)
    assert row["fields"] == '{"name":"orders","topicId":"AAECAwQFBgcICQoLDA0ODw"}'


def test_types_and_versions_of_the_future_are_rows(rows):
    new_type, new_version = rows(bytes([1, 200, 1, 0, 5]), bytes([1, 2, 9]) + TOPIC[3:])
    assert (new_type["record_type"], new_type["undecoded"]) == ("UNKNOWN(200)", "type 200 is not known")
    assert (new_version["record_type"], new_version["version"]) == ("TOPIC_RECORD", 9)
    assert new_version["undecoded"] == "version 9 of this type is not known"


def test_a_new_tagged_field_is_passed_over(rows):
    (row,) = rows(TOPIC[:-1] + bytes([1, 77, 3]) + b"new")
    assert row["fields"] == '{"name":"orders","topicId":"AAECAwQFBgcICQoLDA0ODw"}'


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 9, 12, len(TOPIC) - 1])
def test_a_record_that_ends_too_early(rows, length):
    (row,) = rows(TOPIC[:length])
    assert "fields" not in row
    assert row["undecoded"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        TOPIC + b"\0",
        bytes([7]) + TOPIC[1:],
        bytes([1, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) + TOPIC[4:],
        bytes([1, 3, 1, 0, 0, 0, 0]) + bytes(16) + bytes([0xFF, 0xFF, 0xFF, 0x7F]),
        bytes([0xFF] * 30),
    ],
    ids=["no value", "too long", "another frame", "lying string", "lying array", "endless varint"],
)
def test_lying_sizes(rows, value):
    (row,) = rows(value)
    assert row["undecoded"]


def test_control_records(rows):
    leader_change = struct.pack(">hi", 0, 2) + bytes([2]) + struct.pack(">i", 2) + bytes([0, 1, 0])
    (row,) = rows(leader_change, flags=0x20, key=struct.pack(">hh", 0, 2))
    assert row["is_control"]
    assert row["fields"] == '{"version":0,"leaderId":2,"voters":[{"voterId":2}],"grantingVoters":[]}'
    (unknown,) = rows(b"\0\0", flags=0x20, key=struct.pack(">hh", 0, 99))
    assert (unknown["record_type"], unknown["undecoded"]) == ("UNKNOWN(99)", "type 99 is not known")
    (without,) = rows(b"\0\0", flags=0x20, key=b"\0")
    assert without["undecoded"]


def test_random_damage_loses_nothing(clusters, read, tmp_path):
    """Bytes that are changed or cut off spoil their own batches: those are named, and every other record is there."""
    folder = clusters["4.1.1"] / "logdir/broker-1/__cluster_metadata-0"
    names = ("00000000000000000000.log", "00000000000000000439-0000000005.checkpoint")
    whole = {name: read(folder / name) for name in names}
    chance = random.Random(19)
    for number in range(60):
        name = names[number % 2]
        data = bytearray((folder / name).read_bytes())
        changed = [chance.randrange(len(data)) for _ in range(chance.randrange(1, 4))]
        for at in changed:
            data[at] ^= 1 << chance.randrange(8)
        if number % 5 == 0:
            del data[chance.randrange(len(data)) :]
        path = tmp_path / name
        path.write_bytes(data)
        facts = read(path)
        spans = [(row["position"], row["position"] + row["size"]) for row in whole[name]["batches"]]
        hit = {start for start, end in spans if end > len(data) or any(start <= at < end for at in changed)}
        unseen = {start for start in hit if any(at - start in (*range(8), *range(12, 16)) for at in changed)}
        named = [row for row in facts["batches"] if not row["crc_valid"]] + facts["damaged_ranges"]
        assert named or hit == unseen, number  # base offset and leader epoch have no checksum
        found = {(row["offset"], row["record_type"], row.get("fields")) for row in facts["metadata_records"]}
        for row in whole[name]["metadata_records"]:
            if row["byte_offset"] not in hit:
                assert (row["offset"], row["record_type"], row["fields"]) in found, (number, row)


def test_evidence_shows_the_record(clusters, read):
    path = clusters["4.1.1"] / "logdir/broker-1/__cluster_metadata-0/00000000000000000000.log"
    row = next(one for one in read(path)["metadata_records"] if one["record_type"] == "FEATURE_LEVEL_RECORD")
    line = line_at(str(path), "metadata_segment", row["byte_offset"], row["record"])
    assert line.startswith(f"| offset: {row['offset']} CreateTime: {row['timestamp']} keySize: -1 valueSize: ")
    assert line.endswith(f'payload: {{"type":"FEATURE_LEVEL_RECORD","version":0,"data":{row["fields"]}}}')
