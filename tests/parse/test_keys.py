"""Keys of named topics: the same from raw segments and printed dumps, delimited by bytes, and never stored whole."""

import io
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "segments"))

from written import batch, entry

from analyzer.parse.contents.keys import key_columns, printed_key, sample_of
from analyzer.parse.reading import read_facts, read_stream
from analyzer.parse.segments.reading import read_raw
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.tables import KeyReading

ORDERS = KeyReading(("orders",), folder_topic="orders")
SHOWN = ("offset", "timestamp", "key_digest", "key_sample", "key_bytes", "key_murmur2", "key_crc32", "producer_id",
         "producer_epoch", "is_transactional")  # fmt: skip


def rows_of(batches, table="keyed_records"):
    return [row for batch in batches for row in batch.to_pylist() if row["table"] == table]


def raw_keys(tmp_path, data: bytes, keys: KeyReading = ORDERS):
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(data)
    return rows_of(read_raw(str(path), "segment", path.name, "f", keys=keys))


def text_keys(text: bytes, keys: KeyReading = ORDERS, **how):
    batches = list(read_stream(io.BytesIO(text), "dump", "orders-0.txt", "f", keys=keys, **how))
    return rows_of(batches), rows_of(batches, "sections")


def dump(*records: bytes) -> bytes:
    """One batch whose record lines end as given, behind `headerKeys: `."""
    size = 61 + sum(map(len, records))
    head = (
        "Dumping orders-0/00000000000000000000.log\nLog starting offset: 0\n"
        f"baseOffset: 0 lastOffset: {len(records) - 1} count: {len(records)} baseSequence: 0 lastSequence: 0 "
        "producerId: 7 producerEpoch: 1 partitionLeaderEpoch: 0 isTransactional: true isControl: false "
        "deleteHorizonMs: OptionalLong.empty position: 0 CreateTime: 5 "
        f"size: {size} magic: 2 compresscodec: none crc: 1 isvalid: true\n"
    )
    return head.encode() + b"".join(
        b"| offset: %d CreateTime: 5 " % number + record + b"\n" for number, record in enumerate(records)
    )


def line(key: bytes, value: bytes, headers: bytes = b"[]") -> bytes:
    sizes = b"keySize: %d valueSize: %d sequence: 0 headerKeys: " % (len(key), len(value))
    return sizes + headers + b" key: " + key + b" payload: " + value


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_raw_keys_of_every_codec(tmp_path, codec):
    data = batch(5, (b"a", b"1"), (None, b"2"), (b"\xff\x00", None), codec=codec, flags=0x10, producer_id=7)
    first, second = raw_keys(tmp_path, data)
    assert (first["offset"], first["key_digest"]) == (5, key_columns(b"a", whole=False)[0])
    assert (first["producer_id"], first["is_transactional"], first["record"]) == (7, True, 0)
    assert (second["offset"], second["key_murmur2"]) == (7, key_columns(b"\xff\x00", whole=False)[3])


def test_raw_keys_of_old_formats(tmp_path):
    rows = raw_keys(tmp_path, entry(0, b"a", b"1", 0) + entry(1, b"b", b"2", 1))
    assert [(row["offset"], row["producer_id"]) for row in rows] == [(0, -1), (1, -1)]


def test_a_topic_that_was_not_named_is_not_opened(tmp_path):
    assert raw_keys(tmp_path, batch(5, (b"a", b"1")), KeyReading(("other",), folder_topic="orders")) == []


def test_dumps_and_raw_files_of_the_lab_tell_the_same_keys(lab):
    told = []
    for form in ("dumps", "logdir"):
        capture = scan_capture(CaptureRequest((str(lab / "dev" / "data_expansion" / form),)))
        partition = {file["file_id"]: file["folder_partition"] for file in capture.files}
        told.append(
            sorted(
                (partition[source.file_id], *[row[name] for name in SHOWN])
                for source in capture.sources()
                for row in rows_of(read_facts(source))
            )
        )
    assert told[0] == told[1]
    assert len(told[0]) > 300


def test_the_fast_way_and_the_slow_way_read_the_same_keys(lab):
    for path in sorted((lab / "dev" / "data_expansion" / "dumps").rglob("*.data.txt")):
        keys = KeyReading(("user-events",))
        fast, slow = (text_keys(path.read_bytes(), keys, bulk=bulk)[0] for bulk in (True, False))
        assert fast == slow
        assert fast


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (line(b"user-1", b"x"), b"user-1"),
        (line(b"", b"x"), b""),
        (line(b"a payload: b", b"x"), b"a payload: b"),
        (line(b"two\nlines", b"x key: y"), b"two\nlines"),
        (line(b"user-1", b"x", b"[h1,h2]"), b"user-1"),
        (line(b"user-1", b"x", b"[h] key: forged payload: ]"), b"user-1"),
        (b"keySize: 6 valueSize: -1 sequence: 0 headerKeys: [] key: user-1", b"user-1"),
        (b"keySize: 6 valueSize: 3 sequence: 0 headerKeys: [] key: user-1 payload: \xef\xbf\xbdxx", b"user-1"),
    ],
)
def test_a_printed_key_is_told_by_its_bytes(record, key):
    (row,), _ = text_keys(dump(record))
    assert row["key_digest"] == key_columns(key, whole=False)[0]
    assert (row["producer_id"], row["producer_epoch"], row["is_transactional"]) == (7, 1, True)


@pytest.mark.parametrize(
    "record",
    [
        b"keySize: 3 valueSize: 1 sequence: 0 headerKeys: [] key: a\xef\xbf\xbdb payload: x",
        b"keySize: 4 valueSize: 1 sequence: 0 headerKeys: [] key: a?b payload: x",
    ],
)
def test_a_key_that_printing_changed_is_counted_and_not_guessed(record):
    rows, (section,) = text_keys(dump(line(b"user-1", b"x"), record))
    assert [row["offset"] for row in rows] == [0]
    assert "the keys of 1 records" in section["note"]


def test_a_record_without_a_key_is_nothing_to_count():
    rows, (section,) = text_keys(dump(b"keySize: -1 valueSize: 1 sequence: 0 headerKeys: [] payload: x"))
    assert (rows, section["note"]) == ([], None)


def test_keys_of_a_dump_of_2017():
    flat = (
        b"Dumping orders-0/00000000000000000000.log\nStarting offset: 0\n"
        b"offset: 3 position: 0 CreateTime: 5 isvalid: true keysize: 6 valuesize: 1 magic: 2 compresscodec: NONE "
        b"producerId: 9 producerEpoch: 2 sequence: 0 isTransactional: true headerKeys: [] key: user-1 payload: x\n"
    )
    (row,), _ = text_keys(flat)
    assert row["key_digest"] == key_columns(b"user-1", whole=False)[0]
    assert (row["offset"], row["producer_id"], row["producer_epoch"]) == (3, 9, 2)


def test_a_sample_is_never_the_whole_key():
    for key in (b"", b"a", b"ab", b"user-1", b"x" * 500, "日本語".encode(), b"\xff\xfe"):
        assert sample_of(key).removesuffix("...") != sample_of(key, whole=True) or not key
        assert len(sample_of(key)) <= 15
    assert sample_of(b"user-038") == "user..."
    assert sample_of(b"user-038", whole=True) == "user-038"


def test_whole_keys_are_stored_only_where_asked(tmp_path):
    (row,) = raw_keys(tmp_path, batch(0, (b"user-1", b"1")), KeyReading(("orders",), folder_topic="orders", whole=True))
    assert row["key_sample"] == "user-1"


def test_how_keys_are_read_is_part_of_the_file_id(lab):
    folder = str(lab / "dev" / "late_write" / "logdir")

    def ids(**how):
        capture = scan_capture(CaptureRequest((folder,), **how))
        return {file["path"]: file["file_id"] for file in capture.files}

    plain = ids()
    topic = next(path.split("/")[1].rpartition("-")[0] for path in plain if path.endswith(".log") and "/__" not in path)
    keyed, whole = ids(keys=(topic,)), ids(keys=(topic,), store_keys=True)
    changed = {path for path in plain if plain[path] != keyed[path]}
    assert changed == {path for path in plain if f"/{topic}-" in path and path.endswith(".log")}
    assert all(keyed[path] != whole[path] for path in changed)


def test_printed_key_refuses_what_is_cut():
    assert printed_key(b"] key: user", 0, 11, 6, 1) is None
