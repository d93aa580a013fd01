"""Records of __transaction_state: what is decoded many at once is what is decoded one by one, damaged or whole."""

import dataclasses
import random

import pytest
from crc32c import crc32c

from analyzer.parse.segments import segment

KIND = "transaction_segment"
BYTES = (0, 1, 2, 0x7F, 0x80, 0xFF)


@pytest.fixture(scope="module")
def states(lab) -> list:
    found = sorted((lab / "dev").glob("*/logdir/**/__transaction_state-*/*.log"))
    versions = sorted((lab / "matrix").glob("**/__transaction_state-*/*.log"))
    return [path for path in (*found, *versions) if path.stat().st_size]


@pytest.fixture
def one_by_one(read, monkeypatch):
    """A function: a segment in, its rows by table out, each record decoded by itself."""

    def _read(path, **options):
        with monkeypatch.context() as here:
            slow = dataclasses.replace(segment.CONTENTS[KIND], plain=None)
            here.setitem(segment.CONTENTS, KIND, slow)
            return _sorted(read(path, KIND, **options))

    return _read


def _sorted(facts):
    return {table: sorted(rows, key=lambda row: (row["byte_offset"], repr(row))) for table, rows in facts.items()}


def test_whole_segments(read, one_by_one, states):
    tagged = 0
    for path in states:
        rows = _sorted(read(path, KIND))
        assert rows == one_by_one(path), path
        tagged += sum(row["client_transaction_version"] is not None for row in rows["coordinator_states"])
    assert tagged


def test_most_records_are_plain(read, states, monkeypatch):
    decoded = []
    monkeypatch.setattr(segment, "records_of", decoded.append)
    records = sum(read(path, KIND)["sections"][0]["records"] for path in states)
    assert len(decoded) < records / 10


@pytest.mark.parametrize("seed", range(40))
def test_damaged_segments(read, one_by_one, states, tmp_path, seed):
    chance = random.Random(seed)
    data = bytearray(chance.choice([path for path in states if path.stat().st_size < 100_000]).read_bytes())
    for _ in range(chance.choice((1, 3, 10))):
        data[chance.randrange(len(data))] = chance.choice((*BYTES, chance.randrange(256)))
    path = tmp_path / "00000000000000000000.log"
    for checked in (True, False):
        path.write_bytes(data)
        assert _sorted(read(path, KIND, check_crc=checked)) == one_by_one(path, check_crc=checked)
    _give_right_checksums(data)
    path.write_bytes(data)
    assert _sorted(read(path, KIND)) == one_by_one(path)


def _give_right_checksums(data: bytearray) -> None:
    at = 0
    while at + 61 <= len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "big", signed=True) + 12
        if size < 61 or at + size > len(data):
            return
        data[at + 17 : at + 21] = crc32c(bytes(data[at + 21 : at + size])).to_bytes(4, "big")
        at += size
