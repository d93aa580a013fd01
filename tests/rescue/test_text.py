"""Records from dumps with payloads, of every tool version: what is not in doubt is what the log holds, byte for byte."""

import io

import pytest
from consumer import read_uncommitted

from analyzer.parse.dump.printed_payload import (
    HEADERS_LOST,
    KEY_LOST,
    NOT_UTF8,
    QUESTION_MARK,
    SIZES_DIFFER,
    PrintedRows,
)
from analyzer.parse.dump.producer_text import printed_data
from analyzer.parse.dump.reader import read_dump
from analyzer.parse.stream import Lines
from analyzer.tables.rescued import Wanted

EVERYTHING = 1 << 60


def printed(text: bytes, producer_id: int, sections=(0,), first: int = 0, last: int = EVERYTHING) -> list:
    return list(printed_data(io.BytesIO(text), sections, Wanted(producer_id, first, last)))


def printed_all(text: bytes) -> list[tuple]:
    """Every data record of a dump, also those of no transaction: offset, time, sequence, key, value, doubt."""
    rows = PrintedRows()
    for _ in read_dump(Lines(io.BytesIO(text)), rows, bulk=False, payloads=True):
        pass
    return [(*values[:2], values[3], *values[7:]) for _, values in rows.printed]


def test_no_version_prints_a_record_that_is_wrongly_trusted(lab):
    raw = lab / "matrix" / "raw-2.8.2"
    logs = {"data": raw / "mx-0", "nasty": raw / "nasty-0"}
    held = {name: {one.offset: one for one in read_uncommitted(folder)} for name, folder in logs.items()}
    trusted, with_headers, versions = 0, 0, set()
    for path in sorted((lab / "matrix").glob("*/*.*print.txt")):
        log = held.get(path.name.partition(".")[0], {})
        for offset, time, sequence, key, value, doubt in printed_all(path.read_bytes()) if log else ():
            whole = log[offset]
            doubts = [one for one in (doubt or "").split("; ") if one]
            if all(one.startswith(HEADERS_LOST) for one in doubts):
                assert (key, value, time, sequence) == (*whole[3:5], whole.timestamp, whole.sequence), (path, offset)
                assert bool(doubts) == bool(whole.headers), (path, offset)
                trusted += 1
                with_headers += bool(doubts)
                versions.add(path.parent.name)
    assert len(versions) == len(list((lab / "matrix").glob("*/runs.tsv")))
    assert trusted > 500
    assert with_headers > 50


def dump(*lines: bytes, batch: str = "isTransactional: true") -> bytes:
    """One batch of producer 7 with these record lines after `| offset: N `."""
    head = (
        "Dumping orders-0/00000000000000000000.log\nLog starting offset: 0\n"
        f"baseOffset: 0 lastOffset: {len(lines) - 1} count: {len(lines)} baseSequence: 0 lastSequence: {len(lines) - 1} "
        f"producerId: 7 producerEpoch: 1 partitionLeaderEpoch: 0 {batch} isControl: false "
        "deleteHorizonMs: OptionalLong.empty position: 0 LogAppendTime: 5 "
        f"size: {61 + sum(map(len, lines))} magic: 2 compresscodec: none crc: 1 isvalid: true\n"
    )
    return head.encode() + b"".join(b"| offset: %d LogAppendTime: 5 %b\n" % pair for pair in enumerate(lines))


def sized(key: int, value: int, rest: bytes) -> bytes:
    return b"keySize: %d valueSize: %d sequence: 0 headerKeys: %b" % (key, value, rest)


@pytest.mark.parametrize(
    ("key", "value", "rest", "expected"),
    [
        (2, 3, b"[] key: k1 payload: v 1", (b"k1", b"v 1", None)),
        (-1, 2, b"[] payload: v1", (None, b"v1", None)),
        (0, 0, b"[] key:  payload: ", (b"", b"", None)),
        (2, -1, b"[] key: k1", (b"k1", None, None)),
        (2, -1, b"[]", (None, None, KEY_LOST)),
        (2, 3, b"[a,b] key: k1 payload: v 1", (b"k1", b"v 1", HEADERS_LOST + "a,b")),
        (2, 21, b"[] key: k1 payload: v ] key: x payload: y", (b"k1", b"v ] key: x payload: y", None)),
        (2, 3, b"[] key: k1 payload: v?1", (b"k1", b"v?1", QUESTION_MARK)),
        (2, 4, "[] key: k1 payload: v\ufffd".encode(), (b"k1", "v\ufffd".encode(), NOT_UTF8)),
        (2, 3, "[] key: k1 payload: v\ufffd1".encode(), (b"k1", "v\ufffd1".encode(), f"{SIZES_DIFFER}; {NOT_UTF8}")),
    ],
)
def test_each_way_a_record_is_printed(key, value, rest, expected):
    (found,) = printed(dump(sized(key, value, rest)), 7)
    assert (found.key, found.value, found.doubt) == expected
    assert (found.offset, found.timestamp, found.timestamp_type, found.sequence) == (0, 5, "LogAppendTime", 0)
    assert (found.producer_id, found.producer_epoch, found.headers) == (7, 1, ())


def test_a_value_that_looks_like_records_stays_one_value():
    value = b"a\n| offset: 1 CreateTime: 5 keySize: -1 valueSize: 1 sequence: 0 headerKeys: [] payload: b"
    text = dump(sized(1, len(value), b"[] key: k payload: " + value), sized(1, 1, b"[] key: k payload: w"))
    assert [(one.offset, one.value, one.doubt) for one in printed(text, 7)] == [(0, value, None), (1, b"w", None)]


def test_only_the_wanted_section_producer_and_offsets():
    lines = [sized(1, 1, b"[] key: k payload: %d" % number) for number in range(4)]
    text = dump(*lines) + dump(*lines).replace(b"orders-0", b"orders-1") + dump(*lines, batch="isTransactional: false")
    assert [one.offset for one in printed(text, 7, (1,), 1, 2)] == [1, 2]
    assert printed(text, 8) == []
    assert printed(text, 7, (2,)) == []
