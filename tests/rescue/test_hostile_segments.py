"""rescue on segments written by hand: hostile keys, values and headers, damage, mixed formats, markers in between."""

import random
import struct

import pytest
from consumer import Got, records
from crc32c import crc32c
from written import CODECS, batch, compressed, entry, field, marker, varint, wrapper

from analyzer.parse.segments.producer_data import BACKWARDS, UNDECODED, WRONG_CRC, producer_data
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.tables.rescued import Seen, Wanted

TRANSACTIONAL, LOG_APPEND_TIME = 0x10, 0x08
BYTES = bytes(range(256))
HOSTILE = [
    (None, None, ()),
    (b"", b"", ()),
    (None, b"", ((b"", None), (b"", b""))),
    (BYTES, BYTES[::-1], ((b"trace", b"1"), (b"trace", b"2"), (b"trace", None), (b"trace", b"1"))),
    (b"\xff\xfe", b"\x00" * 5, ((b"\xff\xfe\x80", b"\xc3\x28"),)),
    ("🚀".encode(), b"line\nline\r\n| offset: 3 CreateTime: 1", (("ключ".encode(), b"\n"),)),
    (b"k" * 200_000, random.Random(3).randbytes(300_000), ((b"h" * 70_000, b"v" * 70_000),)),
]


def whole_batch(offset: int, *rows, codec: str = "none", flags: int = TRANSACTIONAL, deltas=None, **head) -> bytes:
    """A batch of format 2 of records with headers; each has its own timestamp."""
    time, body = head.get("timestamp", 1_788_134_400_000), b""
    places = deltas or range(len(rows))
    for place, (key, value, headers) in zip(places, rows, strict=True):
        one = b"\0" + varint(place * 7) + varint(place) + field(key) + field(value) + varint(len(headers))
        one += b"".join(field(name) + field(content) for name, content in headers)
        body += varint(len(one)) + one
    producer = (head.get("producer_id", 5), head.get("producer_epoch", 3), head.get("base_sequence", 0))
    last = max(places)
    tail = struct.pack(">hiqqqhii", flags | CODECS[codec], last, time, time + last * 7, *producer, len(rows))
    tail += compressed(body, codec)
    return struct.pack(">qiibI", offset, len(tail) + 9, 0, 2, crc32c(tail)) + tail


@pytest.fixture
def saved(tmp_path):
    """A function: bytes of a segment and a range of offsets of producer 5 in, its records and what was seen out."""

    def _saved(data: bytes, first: int = 0, last: int = 1 << 40):
        path = tmp_path / "00000000000000000000.log"
        path.write_bytes(data)
        seen = Seen()
        with RawBytes(path) as file:
            asked = [(Wanted(5, first, last), seen)]
            found = [one for _, part in producer_data(file, "a.log", asked) for one in part.records]
        return found, seen

    return _saved


def as_consumed(found) -> list[Got]:
    return [Got(*(getattr(one, name) for name in Got._fields)) for one in found]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("flags", [TRANSACTIONAL, TRANSACTIONAL | LOG_APPEND_TIME])
def test_every_byte_survives(saved, codec, flags):
    data = whole_batch(10, *HOSTILE, codec=codec, flags=flags)
    found, seen = saved(data)
    assert [(one.key, one.value, one.headers) for one in found] == HOSTILE
    assert as_consumed(found) == list(records(data))
    assert {one.timestamp_type for one in found} == {"LogAppendTime" if flags & LOG_APPEND_TIME else "CreateTime"}
    assert (seen.unread, seen.more, seen.beside, seen.markers) == ([], 0, 0, [])


def test_sequences_wrap_and_compacted_batches_keep_their_offsets(saved):
    data = whole_batch(40, *HOSTILE[:3], deltas=(1, 4, 9), base_sequence=(1 << 31) - 3)
    found, seen = saved(data)
    assert [(one.offset, one.sequence) for one in found] == [(41, (1 << 31) - 2), (44, 1), (49, 6)]
    assert as_consumed(found) == list(records(data))
    assert seen.holes(Wanted(5, 40, 49)) == []


def test_only_the_producers_own_transactional_data(saved):
    mine = [whole_batch(2 * n, *HOSTILE[:2]) for n in range(6)]
    other = whole_batch(4, *HOSTILE[:2], producer_id=6)
    plain = whole_batch(8, *HOSTILE[:2], flags=0)
    data = mine[0] + mine[1] + other + mine[3] + plain + mine[5]
    found, seen = saved(data, 2, 11)
    assert [one.offset for one in found] == [2, 3, 6, 7, 10, 11]
    assert (seen.beside, seen.more) == (2, 2)
    assert seen.holes(Wanted(5, 2, 11)) == []


def test_a_range_through_a_batch_and_markers_around_it(saved):
    data = whole_batch(0, *HOSTILE[:2]) + marker(2, 5) + whole_batch(3, *HOSTILE[:4]) + marker(7, 6)
    data += whole_batch(8, *HOSTILE[:2]) + marker(10, 5) + whole_batch(11, *HOSTILE[:2])
    found, seen = saved(data, 4, 5)
    assert [one.offset for one in found] == [4, 5]
    assert (seen.more, seen.markers) == (4, [])
    assert saved(data, 0, 5)[1].markers == [2]


@pytest.mark.parametrize("codec", CODECS)
def test_a_damaged_batch_is_told_and_not_written(saved, codec):
    parts = [whole_batch(2 * n, *HOSTILE[:2], codec=codec) for n in range(4)]
    torn = bytearray(parts[2])
    torn[-1] ^= 1
    found, seen = saved(parts[0] + parts[1] + bytes(torn) + parts[3])
    assert [one.offset for one in found] == [0, 1, 2, 3, 6, 7]
    (one,) = seen.unread
    position = len(parts[0]) + len(parts[1])
    assert (one.path, one.position, one.first_offset, one.last_offset) == ("a.log", position, 4, 5)
    assert (one.records, one.why) == (2, WRONG_CRC)


def test_damage_of_others_inside_the_range_may_have_been_ours(saved):
    parts = [whole_batch(2 * n, *HOSTILE[:2], producer_id=5 + n % 2) for n in range(5)]
    torn = bytearray(parts[1])
    torn[46] ^= 1  # a byte of the producer id
    found, seen = saved(parts[0] + bytes(torn) + parts[2], 0, 5)
    assert [one.offset for one in found] == [0, 1, 4, 5]
    assert [(one.first_offset, one.records, one.why) for one in seen.unread] == [(2, None, WRONG_CRC)]
    assert saved(parts[0] + bytes(torn) + parts[2], 4, 5)[1].unread == []


def test_bytes_that_are_no_batch_are_told_where_they_may_hide_records(saved):
    parts = [whole_batch(2 * n, *HOSTILE[:2]) for n in range(6)]
    data = parts[0] + parts[1] + b"x" * 100 + parts[3] + parts[4] + parts[5][:-3]
    found, seen = saved(data, 0, 11)
    assert [one.offset for one in found] == [0, 1, 2, 3, 6, 7, 8, 9]
    assert [(one.first_offset, one.last_offset) for one in seen.unread] == [(4, 5), (10, None)]
    assert seen.holes(Wanted(5, 0, 11)) == [(4, 5), (10, 11)]
    assert saved(data, 6, 9)[1].unread == []


def test_a_batch_whose_checksum_holds_but_not_its_records(saved):
    good = whole_batch(0, *HOSTILE[:2])
    body = good[61:-1] + b"\x7f"
    tail = good[21:61] + body
    found, seen = saved(good[:17] + struct.pack(">I", crc32c(tail)) + tail + whole_batch(2, *HOSTILE[:2]))
    assert [one.offset for one in found] == [2, 3]
    assert [(one.records, one.why) for one in seen.unread] == [(2, UNDECODED)]


def test_an_offset_that_no_checksum_covers_is_doubted(saved):
    parts = [whole_batch(4 * n, *HOSTILE[:2]) for n in range(3)]
    found, _ = saved(parts[0] + parts[2] + parts[1])
    assert [(one.offset, one.doubt) for one in found][2:] == [(8, None), (9, None), (4, BACKWARDS), (5, BACKWARDS)]


def test_a_bomb_is_not_opened(saved, monkeypatch):
    monkeypatch.setattr("analyzer.parse.segments.whole_batch.CONTENT_LIMIT", 1 << 20)
    found, seen = saved(whole_batch(0, (None, bytes(2 << 20), ()), codec="zstd"))
    assert found == []
    assert [one.why for one in seen.unread] == [UNDECODED]


def test_older_formats_before_and_in_between_are_stepped_over(saved):
    old = entry(0, b"k", b"v", 0) + entry(1, None, b"w", 1) + wrapper(4, 1, "gzip", b"a", b"b", b"c")
    data = old + whole_batch(5, *HOSTILE[:2]) + entry(7, b"k", b"v", 1) + whole_batch(8, *HOSTILE[:2])
    data += batch(10, (b"k", b"v"))
    found, seen = saved(data, 0, 10)
    assert [one.offset for one in found] == [5, 6, 8, 9]
    assert seen.unread == []
    assert seen.holes(Wanted(5, 0, 10)) == []


def test_nothing_raises_whatever_is_broken(saved):
    """What is saved of a damaged segment is always what the whole one holds, and what is not saved is told."""
    parts = [whole_batch(2 * n, *HOSTILE[1:5:2], codec=codec) for n, codec in enumerate((*CODECS, *CODECS))]
    whole = b"".join(parts)
    true = {one.offset: one for one in records(whole)}
    for seed in range(200):
        rng = random.Random(seed)
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            data[at] ^= 1 << rng.randrange(8)
        found, seen = saved(bytes(data), 0, 19)
        got = {one.offset: one for one in as_consumed(found)}
        doubted = {one.offset for one in found if one.doubt}
        moved = {offset for offset, one in got.items() if true.get(offset) != one} - doubted
        held = {one[3:6] for one in true.values()}
        assert all(one[3:6] in held for one in got.values()), seed
        if len(got) < len(true) or moved:
            assert seen.unread or seen.holes(Wanted(5, 0, 19)) or doubted, seed
