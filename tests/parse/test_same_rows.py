"""Whatever way a dump is read, the rows are the same, and every place in them is where the line stands."""

import runpy
from pathlib import Path

import pytest

from analyzer.opening import open_text, read_line

MAKE_DUMPS = Path(__file__).parents[2] / "bench" / "make_dumps.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A dump of thousands of batches, as `make bench` writes them."""
    return runpy.run_path(str(MAKE_DUMPS))["write"](tmp_path_factory.mktemp("made"), 0, 3_000_000, 4, 7)


def lab_dumps(lab: Path) -> list[Path]:
    names = ("normal_mix", "late_write", "legacy_formats", "S15_clean_compaction", "epoch_bumps")
    dumps = [path for name in names for path in sorted((lab / "dev" / name / "dumps").rglob("*.log*.txt"))]
    versions = ("0.11.0.3", "2.1.1", "2.2.2", "2.8.2", "3.1.2", "3.9.1", "4.4.0-branch")
    return [path for path in dumps if path.stat().st_size > 200] + [
        path for version in versions for path in sorted((lab / "matrix" / version).glob("*.txt"))
    ]


def test_the_fast_way_and_the_slow_way_give_equal_rows(lab, read, made):
    fast = 0
    for path in [made, *lab_dumps(lab)[::2]]:
        assert read(path) == read(path, bulk=False), path
        fast += 1
    assert fast > 100


def test_the_fast_way_is_taken(made):
    from analyzer.parse.dump.reader import _DumpReader
    from analyzer.parse.rows import Rows
    from analyzer.parse.stream import Lines
    from analyzer.tables import NO_KEYS

    with made.open("rb") as stream:
        lines = Lines(stream)
        reader = _DumpReader(lines, Rows("f"), bulk=True, keys=NO_KEYS, payloads=False)
        steps = 0
        while not lines.ended:
            reader.step()
            steps += 1
    assert steps < lines.number / 50


def damaged(text: bytes) -> dict[str, bytes]:
    """A plain dump with something in it that is not plain, at different places."""
    lines = text.splitlines(keepends=True)
    middle = len(lines) // 2
    at = next(number for number in range(middle, len(lines)) if lines[number].startswith(b"baseOffset"))
    record = next(number for number in range(middle, len(lines)) if lines[number].startswith(b"|"))
    return {
        "torn batch line": b"".join([*lines[:at], lines[at][:50] + b"\n", *lines[at + 1 :]]),
        "lost batch line": b"".join([*lines[:at], *lines[at + 1 :]]),
        "lost record": b"".join([*lines[:record], *lines[record + 1 :]]),
        "odd record": b"".join([*lines[:record], b"| offset: 1 CreateTime: x]\n", *lines[record + 1 :]]),
        "record out of range": b"".join([*lines[:record], b"| offset: 1" + lines[record][10:], *lines[record + 1 :]]),
        "header key with a line end": b"".join(
            [*lines[:record], lines[record].replace(b"[", b"[a]\nb"), *lines[record + 1 :]]
        ),
        "foreign line": b"".join([*lines[:record], b"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\n", *lines[record:]]),
        "garbage line": b"".join([*lines[:record], b"baseOffset garbage\n", *lines[record:]]),
        "number too large": b"".join(
            [
                *lines[:at],
                lines[at].replace(b"partitionLeaderEpoch: 5", b"partitionLeaderEpoch: 9999999999"),
                *lines[at + 1 :],
            ]
        ),
        "number of twenty digits": b"".join(
            [*lines[:at], lines[at].replace(b"producerId: ", b"producerId: 99999999999999999"), *lines[at + 1 :]]
        ),
        "unknown codec": b"".join([*lines[:at], lines[at].replace(b"codec: ", b"codec: \xff"), *lines[at + 1 :]]),
        "carriage returns": text.replace(b"\n", b"\r\n"),
        "no line end": text[:-1],
        "twice": text + text,
        "twice without a header": text + b"".join(lines[2:]),
        "shallow": b"".join(line for line in lines if not line.startswith(b"|")),
        "markers only": b"".join(line for line in lines if not line.startswith(b"|") or b"endTxn" in line),
    }


def with_contents(decoder: str) -> bytes:
    """A dump of 400 batches whose records' contents are printed; now and then a value has a line end."""
    topic = {"data": "t-0", "transaction": "__transaction_state-1", "offsets": "__consumer_offsets-1"}[decoder]
    lines = [f"Dumping {topic}/00000000000000000000.log\nLog starting offset: 0\n"]
    for offset in range(400):
        value = f"value {offset}" + ("\nnext" if offset % 97 == 5 else "")
        key, key_size, value_size = f"k{offset}", len(f"k{offset}"), len(value)
        if decoder == "transaction":
            key, key_size, value_size = f'{{"type":"0","data":{{"transactionalId":"id{offset}"}}}}', 6, 40
            value = f'{{"version":"1","data":{{"producerId":{offset},"producerEpoch":0,"transactionTimeoutMs":1,"transactionStatus":1,"transactionPartitions":[{{"topic":"t","partitionIds":[0]}}],"transactionLastUpdateTimestampMs":1,"transactionStartTimestampMs":1}}}}'
        if decoder == "offsets":
            key, key_size = f"offset_commit::group=g{offset % 7},partition=t-0", 13
            value, value_size = f"offset={offset},metadata={value}", 24 + len(value)
        if offset % 50 == 49 and decoder != "data":
            value, value_size = "<DELETE>", -1
        lines.append(
            f"baseOffset: {offset} lastOffset: {offset} count: 1 baseSequence: 0 lastSequence: 0 producerId: 9 producerEpoch: 1 partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: {offset * 300} CreateTime: 5 size: 300 magic: 2 compresscodec: none crc: 1 isvalid: true\n"
            f"| offset: {offset} CreateTime: 5 keySize: {key_size} valueSize: {value_size} sequence: 0 headerKeys: [] key: {key} payload: {value}\n"
        )
    return "".join(lines).encode()


@pytest.mark.parametrize("decoder", ["data", "transaction", "offsets"])
def test_the_fast_way_and_the_slow_way_agree_on_contents(read, decoder):
    text = with_contents(decoder)
    for name, dump in {"whole": text, **damaged(text)}.items():
        fast, slow = read(dump), read(dump, bulk=False)
        assert fast == slow, name
        assert len(fast["batches"]) > 350, name
    facts = read(text)
    assert facts["sections"][0]["decoder"] == decoder
    assert len(facts["batches"]) == 400
    assert not facts["unparsed_lines"]
    assert len(facts["coordinator_states"]) == (400 if decoder == "transaction" else 0)
    assert len(facts["offset_commits"]) == (400 if decoder == "offsets" else 0)


def test_the_fast_way_and_the_slow_way_agree_on_damage(read, made):
    text = made.read_bytes()[:300_000]
    text = text[: text.rindex(b"\nbaseOffset") + 1]
    for name, dump in damaged(text).items():
        fast, slow = read(dump), read(dump, bulk=False)
        assert fast == slow, name
        assert len(fast["batches"]) > 300, name


def test_block_sizes(lab, read, made):
    text = made.read_bytes()[:60_000]
    for dump in [text, *damaged(text).values()]:
        whole = read(dump)
        for block_bytes in (101, 4_096, 50_000):
            assert read(dump, block_bytes=block_bytes) == whole
    for path in lab_dumps(lab)[::9]:
        data = path.read_bytes()[:40_000]
        assert read(data, block_bytes=997) == read(data), path


def test_places_are_true(lab, read, made):
    for path in [made, *lab_dumps(lab)[::2]]:
        text = path.read_bytes()
        starts = [0]
        for line in text.split(b"\n")[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        for table, rows in read(path).items():
            for row in rows:
                assert starts[row["line"] - 1] == row["byte_offset"], (path, table, row)
                if table == "batches":
                    wanted = (b"baseOffset: ", b"offset: ") if row["batch_source"] == "batch" else (b"offset: ",)
                    assert text.startswith(wanted, row["byte_offset"])
                    assert f" position: {row['position']} ".encode() in text[row["byte_offset"] :][:600]
                if row.get("marker_line"):
                    assert starts[row["marker_line"] - 1] == row["marker_byte_offset"]
                    marker = text[row["marker_byte_offset"] :].split(b"\n")[0]
                    assert marker.endswith(
                        f"endTxnMarker: {row['marker']} coordinatorEpoch: {row['coordinator_epoch']}".encode()
                    )


def test_a_line_is_read_again(made, read):
    rows = read(made)["batches"][::500]
    for row in rows:
        assert read_line(made, row["byte_offset"]).startswith(f"baseOffset: {row['base_offset']} ")
    with open_text(made) as stream:
        assert stream.read(8) == b"Dumping "


def test_rows_per_batch(made, read):
    import io

    from analyzer.parse.reading import read_stream

    text = made.read_bytes()
    sizes = [batch.num_rows for batch in read_stream(io.BytesIO(text), "dump", "", "f", rows_per_batch=100)]
    assert max(sizes) <= 100
    assert sum(sizes) == sum(len(rows) for rows in read(made).values())
