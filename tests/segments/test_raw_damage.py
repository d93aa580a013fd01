"""Damaged segments: nothing raises, what is whole comes out, and the rest is named by position; splits change nothing."""

import random
import struct

import pytest
from written import batch, entry, marker, wrapper

from analyzer.parse.segments.reading import line_at

ROWS = [(b"k", b"v" * 40), (None, b"w" * 25)]
BATCHES = [batch(2 * n, *ROWS, flags=0x10, producer_id=n % 3, producer_epoch=0, base_sequence=n) for n in range(12)]
STARTS = [sum(map(len, BATCHES[:n])) for n in range(13)]
WHOLE = b"".join(BATCHES)


@pytest.fixture
def facts(read, tmp_path):
    """A function: bytes of a segment in, rows by table out."""

    def _facts(data: bytes, kind: str = "segment", **options):
        path = tmp_path / "00000000000000000000.log"
        path.write_bytes(data)
        return read(path, kind, **options)

    return _facts


def offsets(facts) -> list[int]:
    return [row["base_offset"] for row in facts["batches"]]


def damage(facts) -> list[tuple]:
    names = ("damage", "byte_offset", "bytes", "offset_before", "offset_after")
    return [tuple(row[name] for name in names) for row in facts["damaged_ranges"]]


@pytest.mark.parametrize("cut", range(1, 200, 7))
def test_cut_tail(facts, cut):
    found = facts(WHOLE[:-cut])
    whole = max(n for n in range(13) if STARTS[n] <= len(WHOLE) - cut)
    assert offsets(found) == list(range(0, 2 * whole, 2))
    left = len(WHOLE) - cut - STARTS[whole]
    assert damage(found) == ([("cut_tail", STARTS[whole], left, 2 * whole - 1, None)] if left else [])
    assert found["sections"][0]["ending"] == ("cut" if left else "complete")


def test_zero_tail_is_said_and_is_no_cut(facts):
    found = facts(WHOLE + bytes(4096))
    assert len(offsets(found)) == 12
    assert damage(found) == [("zero_tail", len(WHOLE), 4096, 23, None)]
    assert found["sections"][0]["ending"] == "complete"


def test_only_zeros_and_empty_files(facts):
    assert damage(facts(bytes(1 << 20))) == [("zero_tail", 0, 1 << 20, None, None)]
    empty = facts(b"")
    assert set(empty) == {"sections"}
    assert (empty["sections"][0]["batches"], empty["sections"][0]["ending"]) == (0, "complete")
    assert damage(facts(b"", "snapshot")) == [("empty_file", 0, 0, None, None)]
    assert facts(b"", "txnindex")["sections"][0]["ending"] == "complete"


@pytest.mark.parametrize("junk", [b"x" * 7, b"\0" * 300, random.Random(1).randbytes(5_000), b"\2" * 3_000])
def test_garbage_between_batches(facts, junk):
    found = facts(WHOLE[: STARTS[5]] + junk + WHOLE[STARTS[5] :])
    assert offsets(found) == list(range(0, 24, 2))
    assert [one[1:] for one in damage(found)] == [(STARTS[5], len(junk), 9, 10)]
    assert damage(found)[0][0] in ("garbage", "bad_size")


@pytest.mark.parametrize("length", [-1, 0, 3, 48, 90, 10_000, (1 << 31) - 1])
def test_a_length_that_lies(facts, length):
    """The next batch with a valid checksum follows; a length that leads inside or over it loses one batch at most."""
    at = STARTS[4]
    found = facts(WHOLE[: at + 8] + struct.pack(">i", length) + WHOLE[at + 12 :])
    assert [one for one in offsets(found) if one != 8] == [0, 2, 4, 6, 10, 12, 14, 16, 18, 20, 22]
    (one,) = damage(found)
    assert one[2] > 0
    assert one[4] == 10
    assert all(row["crc_valid"] for row in found["batches"] if row["base_offset"] != 8)


def test_a_length_that_swallows_whole_batches(facts):
    """It leads exactly to a later batch: no break of the chain, the checksum tells."""
    at, to = STARTS[4], STARTS[7]
    found = facts(WHOLE[: at + 8] + struct.pack(">i", to - at - 12) + WHOLE[at + 12 :])
    assert [row["base_offset"] for row in found["batches"] if not row["crc_valid"]] == [8]


def test_an_offset_that_goes_back(facts):
    """No checksum covers the base offset."""
    at = STARTS[6]
    found = facts(WHOLE[:at] + struct.pack(">q", 3) + WHOLE[at + 8 :])
    assert damage(found) == [("bad_offset", at, len(BATCHES[6]), 11, 3)]
    assert len(found["batches"]) == 12


def test_an_offset_far_too_high_hides_nothing_behind_a_later_break(facts):
    at, broken = STARTS[3], STARTS[6]
    data = WHOLE[:at] + struct.pack(">q", 1 << 50) + WHOLE[at + 8 : broken] + b"junk" * 9 + WHOLE[broken:]
    assert len(facts(data)["batches"]) == 12


def test_a_flipped_bit(facts):
    data = bytearray(WHOLE)
    data[STARTS[3] + 70] ^= 4
    found = facts(bytes(data))
    assert [row["crc_valid"] for row in found["batches"]] == [n != 3 for n in range(12)]
    assert not damage(found)
    unchecked = facts(bytes(data), check_crc=False)
    assert {row["crc_valid"] for row in unchecked["batches"]} == {None}


def test_nothing_raises_whatever_is_broken(facts):
    """Random damage: it ends, positions only grow, and every batch that is whole and reachable is read."""
    for seed in range(400):
        rng = random.Random(seed)
        data = bytearray(WHOLE)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(data))
            kind = rng.randrange(3)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                del data[at : at + rng.randrange(1, 90)]
            else:
                data[at:at] = rng.randbytes(rng.randrange(1, 90))
        found = facts(bytes(data))
        places = [row["byte_offset"] for row in found["batches"]]
        assert places == sorted(set(places))
        good = [row for row in found["batches"] if row["crc_valid"]]
        intact = sum(one in bytes(data) for one in BATCHES)
        assert len(good) >= intact, seed


@pytest.mark.parametrize("split", [1, 100, STARTS[3], STARTS[3] + 1, STARTS[11]])
def test_a_split_changes_nothing(facts, split):
    data = WHOLE[: STARTS[5]] + b"junk" + WHOLE[STARTS[5] :] + WHOLE[-7:]
    whole = facts(data)
    parts = [facts(data, part=part) for part in ((0, split), (split, None))]
    for table in ("batches", "damaged_ranges", "sections"):
        assert [row for part in parts for row in part[table]] == whole[table]


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_every_codec_is_opened(facts, codec):
    key = struct.pack(">hh", 0, 3) + b"tx1"
    value = struct.pack(">hqhibi", 0, 7, 1, 60_000, 1, 1) + struct.pack(">h", 6) + b"orders"
    value += struct.pack(">iiqq", 1, 4, 90, 80)
    data = batch(0, (key, value), (key, None), codec=codec) + batch(2, (key, value))
    found = facts(data, "transaction_segment")
    rows = [(row["offset"], row["state"], row["partitions"], row["record"]) for row in found["coordinator_states"]]
    assert rows == [(0, "Ongoing", ["orders-4"], 0), (1, None, None, 1), (2, "Ongoing", ["orders-4"], 0)]


def test_records_that_do_not_decode_are_damage_not_an_error(facts):
    good = (struct.pack(">hh", 0, 3) + b"tx1", None)
    strange = (struct.pack(">hh", 0, 3) + b"tx2", struct.pack(">h", 99) + b"from the future")
    short = (struct.pack(">hh", 0, 300) + b"tx3", None)
    data = batch(0, good) + batch(1, strange) + batch(2, short) + batch(3, good)
    found = facts(data, "transaction_segment")
    assert [row["offset"] for row in found["coordinator_states"]] == [0, 3]
    assert [(one[0], one[3], one[4]) for one in damage(found)] == [("undecoded", 0, 2), ("undecoded", 1, 3)]


def test_a_bomb_is_not_opened(facts, monkeypatch):
    monkeypatch.setattr("analyzer.parse.segments.records.CONTENT_LIMIT", 1 << 20)
    key = struct.pack(">hh", 0, 3) + b"tx1"
    for codec in ("gzip", "zstd"):
        found = facts(batch(0, (key, bytes(2 << 20)), codec=codec), "transaction_segment")
        assert [one[0] for one in damage(found)] == ["undecoded"]


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
def test_old_formats(facts, codec):
    """Format 0, then 1, then 2, as a topic grows old; of a wrapper the inside says first offset and count."""
    data = entry(0, b"k", b"v", 0) + entry(1, None, b"w", 1) + wrapper(4, 1, codec, b"a", b"b", b"c")
    data += (wrapper(6, 0, codec, b"d", b"e") if codec != "lz4" else b"") + batch(7, *ROWS)
    found = facts(data)
    spans = [(row["magic"], row["base_offset"], row["last_offset"], row["count"]) for row in found["batches"]]
    old = [(0, 5, 6, 2)] if codec != "lz4" else []
    assert spans == [(0, 0, 0, 1), (1, 1, 1, 1), (1, 2, 4, 3), *old, (2, 7, 8, 2)]
    assert {row["crc_valid"] for row in found["batches"]} == {True}
    assert [row["timestamp_type"] for row in found["batches"]][:2] == ["NoTimestampType", "CreateTime"]


def test_a_marker_of_any_shape(facts):
    data = marker(0, 7) + marker(1, 7, commit=False)
    longer = batch(2, (struct.pack(">hhi", 1, 1, 9), struct.pack(">hiq", 1, 6, 0)), flags=0x30, producer_id=7)
    leader = batch(3, (struct.pack(">hh", 0, 2), b"\0\0\0\0"), flags=0x20)
    found = facts(data + longer + leader + batch(4, codec="none", flags=0x30, producer_id=7))
    assert [(row["marker"], row["coordinator_epoch"], row["is_control"]) for row in found["batches"]] == [
        ("COMMIT", 5, True), ("ABORT", 5, True), ("COMMIT", 6, True), (None, None, True), (None, None, True),
    ]  # fmt: skip


def test_every_position_of_damaged_bytes_renders(tmp_path):
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(WHOLE[:500] + b"junk")
    for at in range(520):
        assert line_at(str(path), "segment", at).isprintable()
    for kind in ("snapshot", "txnindex"):
        assert line_at(str(path), kind, 480).isprintable()
