"""Damaged dumps: nothing raises, nothing is invented, and what is missing is said."""

import gzip
import io
import json

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings, strategies as st

from analyzer.opening import open_text
from analyzer.parse.reading import read_stream

DUMP = """\
Dumping t-0/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 1 count: 2 baseSequence: 0 lastSequence: 1 producerId: 7 producerEpoch: 3 partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 0 CreateTime: 11 size: 90 magic: 2 compresscodec: none crc: 123456 isvalid: true
| offset: 0 CreateTime: 10 keySize: 1 valueSize: 3 sequence: 0 headerKeys: [h] key: k payload: a
c
| offset: 1 CreateTime: 11 keySize: -1 valueSize: 2 sequence: 1 headerKeys: [] payload: xy
baseOffset: 2 lastOffset: 2 count: 1 baseSequence: -1 lastSequence: -1 producerId: 7 producerEpoch: 3 partitionLeaderEpoch: 0 isTransactional: true isControl: true deleteHorizonMs: OptionalLong[77] position: 90 CreateTime: 12 size: 78 magic: 2 compresscodec: none crc: 99 isvalid: true
| offset: 2 CreateTime: 12 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] endTxnMarker: ABORT coordinatorEpoch: 15
"""
OLD = """\
Dumping t-0/00000000000000000000.log
Starting offset: 0
offset: 0 position: 0 CreateTime: 10 isvalid: true keysize: 1 valuesize: 3 magic: 2 compresscodec: NONE producerId: 7 producerEpoch: 3 sequence: 0 isTransactional: true headerKeys: [] key: k payload: a
c
offset: 1 position: 0 CreateTime: 11 isvalid: true keysize: -1 valuesize: 2 magic: 2 compresscodec: NONE producerId: 7 producerEpoch: 3 sequence: 1 isTransactional: true headerKeys: [] payload: xy
offset: 2 position: 90 CreateTime: 12 isvalid: true keysize: 4 valuesize: 6 magic: 2 compresscodec: NONE producerId: 7 producerEpoch: 3 sequence: -1 isTransactional: true headerKeys: [] endTxnMarker: ABORT coordinatorEpoch: 15
Dumping t-0/00000000000000000003.snapshot
producerId: 7 producerEpoch: 3 coordinatorEpoch: 15 currentTxnFirstOffset: Some(5) firstSequence: 0 lastSequence: 1 lastOffset: 1 offsetDelta: 1 timestamp: 11
Dumping t-0/00000000000000000000.txnindex
version: 0 producerId: 7 firstOffset: 0 lastOffset: 2 lastStableOffset: 3
"""
PLACES = ("section", "line", "byte_offset", "marker_line", "marker_byte_offset")


def values(rows, *, only=()):
    return [
        {name: value for name, value in row.items() if name not in ("last_offset", "last_sequence", "count", *only)}
        for row in rows
    ]


@pytest.mark.parametrize("text", [DUMP, OLD])
def test_cut_at_every_byte(read, text):
    data = text.encode()
    whole = read(data)
    for cut in range(len(data)):
        facts = read(data[:cut])
        for table in ("producer_states", "aborted_ranges"):
            assert facts[table] == whole[table][: len(facts[table])], cut
        batches = facts["batches"]
        allowed = [*whole["batches"]]
        for found, true in zip(batches, allowed, strict=False):
            same = {name for name in found if found[name] == true[name]}
            missing = {name for name in found if found[name] is None}
            ours = {"last_offset", "count", "last_sequence", "max_timestamp", "is_control", "payload_bytes"}
            growing = ours if text is OLD else set()
            assert set(found) == same | missing | growing, cut
        assert len(batches) <= len(allowed)
        only_end_is_missing = data[cut : cut + 1] == b"\n" or data[:cut].endswith(b"coordinatorEpoch: 1")
        if cut and data[cut - 1 : cut] != b"\n" and facts["sections"] and not only_end_is_missing:
            assert facts["sections"][-1]["ending"] != "complete", cut


def test_a_torn_marker_gives_no_type(read):
    start = DUMP.index("endTxnMarker")
    torn = read(DUMP[: start + len("endTxnMarker: ABO")])
    assert [row["marker"] for row in torn["batches"]] == [None, None]
    assert torn["sections"][0]["ending"] == "cut"
    torn = read(DUMP[:-2])
    assert (torn["batches"][1]["marker"], torn["batches"][1]["coordinator_epoch"]) == ("ABORT", None)


BATCH = (
    "baseOffset: {0} lastOffset: {0} count: 1 baseSequence: 0 lastSequence: 0 producerId: 8 producerEpoch: 0 "
    "partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: {1} "
    "CreateTime: 12 size: 70 magic: 2 compresscodec: none crc: 9 isvalid: true\n"
)
RECORD = "| offset: {0} CreateTime: 12 keySize: -1 valueSize: 5 sequence: 0 headerKeys: []{1}\n"


@pytest.mark.parametrize(
    ("lines", "ending"),
    [
        ([BATCH.format(0, 0), BATCH.format(1, 70)], "complete"),
        ([BATCH.format(0, 0), RECORD.format(0, ""), BATCH.format(1, 70), RECORD.format(1, "")], "complete"),
        ([*DUMP.splitlines(keepends=True)], "complete"),
        (
            [
                BATCH.format(0, 0),
                RECORD.format(0, " payload: whole"),
                BATCH.format(1, 70),
                RECORD.format(1, " payload: who"),
            ],
            "cut",
        ),
        (
            [BATCH.format(0, 0), RECORD.format(0, " payload: whole"), BATCH.format(1, 70), RECORD.format(1, " payl")],
            "cut",
        ),
        ([BATCH.format(0, 0), BATCH.format(1, 70).removesuffix("ue\n")], "cut"),
    ],
)
def test_a_last_line_that_lacks_only_its_end_is_whole(read, lines, ending):
    """A paste ends without a line end: where the grammar of its last line shows its end, the dump did not break off."""
    text = "".join(lines)
    text = (
        text if text.startswith("Dumping") else f"Dumping t-0/00000000000000000000.log\nLog starting offset: 0\n{text}"
    )
    facts = read(text.rstrip("\n"))
    assert facts["sections"][-1]["ending"] == ending
    assert len(facts["batches"]) == len(read(text)["batches"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_broken_bytes_never_raise(read, data):
    text = bytearray(data.draw(st.sampled_from([DUMP, OLD])).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        what = data.draw(st.sampled_from([b"\x00", b"\xff\xfe", b"\n", b"9" * 30, b"-", b"", b"\r\n", b"|", b" "]))
        text[at : at + data.draw(st.integers(0, 40))] = what
    read(bytes(text))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=300),
    st.sampled_from(["dump", "console", "checkpoint", "metadata", "admin", "broker_log", "stderr"]),
)
def test_any_bytes_as_any_kind(read, text, kind):
    read(text, kind, "replication-offset-checkpoint")


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_compressed_dump_that_breaks_off(tmp_path, read, suffix):
    text = (DUMP + DUMP.replace("t-0", "t-1") * 50).encode()
    packed = gzip.compress(text) if suffix == "gz" else zstandard.ZstdCompressor().compress(text)
    whole = tmp_path / f"whole.txt.{suffix}"
    whole.write_bytes(packed + packed)
    assert len(read(whole)["sections"]) == 2 * 51
    cut = tmp_path / f"cut.txt.{suffix}"
    cut.write_bytes(packed[: len(packed) * 3 // 4])
    facts = read(cut)
    rows = facts["sections"] or facts["unparsed_lines"]
    assert "end" in (rows[-1].get("note") or rows[-1].get("reason"))


def test_a_head_that_is_missing(read):
    lines = DUMP.splitlines(keepends=True)
    facts = read(
        "".join(lines[5:])
        + "baseOffset: 3 lastOffset: 3 count: 1 baseSequence: 0 lastSequence: 0 producerId: 8 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 168 CreateTime: 12 size: 70 magic: 2 compresscodec: none crc: 9 isvalid: true\n| offset: 3 CreateTime: 12 keySize: -1 valueSize: 1 sequence: 0 headerKeys: [] payload: z\n"
    )
    assert [(row["base_offset"], row["marker"]) for row in facts["batches"]] == [(2, "ABORT"), (3, None)]
    assert facts["sections"][0]["note"] == "the dump begins at position 90"
    assert [(row["line"], row["lines"]) for row in facts["unparsed_lines"]] == [(1, 1)]


def test_a_batch_line_that_is_torn_is_lost_alone(read):
    def batch(offset):
        return (
            f"baseOffset: {offset} lastOffset: {offset} count: 1 baseSequence: 0 lastSequence: 0 producerId: 8 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: {offset * 70} CreateTime: 12 size: 70 magic: 2 compresscodec: none crc: 9 isvalid: true\n",
            f"| offset: {offset} CreateTime: 12 keySize: -1 valueSize: 1 sequence: 0 headerKeys: []\n",
        )

    lines = [
        "Dumping t-0/00000000000000000000.log\n",
        "Log starting offset: 0\n",
        *[line for offset in range(6) for line in batch(offset)],
    ]
    torn = lines[6]
    lines[6] = torn[:60] + "[2026-11-21 09:40:01,123] WARN on stderr (kafka.tools.X)\n" + torn[60:]
    facts = read("".join(lines))
    assert [row["base_offset"] for row in facts["batches"]] == [0, 1, 3, 4, 5]
    assert [(row["line"], row["lines"]) for row in facts["unparsed_lines"]] == [(7, 2)]
    assert facts["sections"][0]["note"] == (
        "70 bytes of the segment are missing at position 140; the batch line of 1 record at offset 2 is not here: "
        "what it belongs to is not known"
    )
    assert facts["sections"][0]["ending"] == "complete"


def test_a_line_of_two_gigabytes_is_passed_over():
    class Endless(io.RawIOBase):
        """x, for ever so long, in one line."""

        left = 64

        def read(self, _size=-1):
            self.left -= 1
            return b"x" * (1 << 20) if self.left > 0 else b"\n" + DUMP.encode() if self.left == 0 else b""

    rows = [row for batch in read_stream(Endless(), "dump", "", "f") for row in batch.to_pylist()]
    assert [row["base_offset"] for row in rows if row["table"] == "batches"] == [0, 2]
    (unparsed,) = [row for row in rows if row["table"] == "unparsed_lines"]
    assert (unparsed["line"], unparsed["lines"], len(unparsed["text"])) == (1, 1, 500)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_encodings(tmp_path, read, encoding):
    path = tmp_path / "dump.txt"
    path.write_bytes(DUMP.replace("\n", "\r\n").replace("a\r\nc", "a\nc").encode(encoding))
    facts = read(path, encoding=encoding)
    assert [row["base_offset"] for row in facts["batches"]] == [0, 2]
    assert not facts["unparsed_lines"]
    with open_text(path, "", encoding) as stream:
        text = stream.read()
    offset = facts["batches"][1]["marker_byte_offset"]
    assert text[offset:].startswith(b"| offset: 2 CreateTime")


def test_files_that_users_damaged(lab, read):
    folder = lab / "dev" / "S16_damaged_input"
    seen = 0
    for case in json.loads((folder / "truth.json").read_text())["cases"]:
        for name, rows in (case.get("rows_expected") or {}).items():
            path = folder / "cases" / case["case"] / name
            if not name.endswith((".txt", ".gz")) or not isinstance(rows, list):
                continue
            encoding = "utf-8"
            if case["case"] == "10_utf16":
                encoding = "utf-8-sig" if "utf8bom" in name else "utf-16"
            facts = read(path, encoding=encoding)
            assert [row["base_offset"] for row in facts["batches"]] == rows, name
            seen += 1
    assert seen > 12
