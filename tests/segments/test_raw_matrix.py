"""Raw files of real brokers, field by field against what their bytes say, and rendered as the real tool prints them."""

import json
from pathlib import Path

import pytest

from analyzer.parse.segments.reading import line_at

RAW = ("raw-2.8.2", "raw-4.1.1")
BATCH_COLUMNS = (
    "base_offset last_offset count base_sequence last_sequence producer_id producer_epoch partition_leader_epoch "
    "is_transactional is_control delete_horizon_ms timestamp_type base_timestamp max_timestamp position size magic codec "
    "crc crc_valid"
).split()
STATE_COLUMNS = (
    "transactional_id version producer_id producer_epoch timeout_ms state last_update_ms start_ms previous_producer_id "
    "next_producer_id client_transaction_version"
).split()


def segments(lab: Path, raw: str):
    """Each segment of a raw set with the batches that its bytes hold."""
    canonical = json.loads((lab / "matrix" / raw / "canonical.json").read_text())
    for partition, files in canonical.items():
        if isinstance(files, dict):
            for name, held in files.items():
                if name.endswith(".log"):
                    yield lab / "matrix" / raw / partition / name, held["batches"]


@pytest.mark.parametrize("raw", RAW)
def test_batches_and_markers(lab, read, raw):
    seen = 0
    for path, batches in segments(lab, raw):
        facts = read(path)
        markers = [(b["records"] or [{}])[0] for b in batches]
        expected = [{name: batch[name] for name in BATCH_COLUMNS} for batch in batches]
        assert [{name: row[name] for name in BATCH_COLUMNS} for row in facts["batches"]] == expected, path
        assert [(row["marker"], row["coordinator_epoch"]) for row in facts["batches"]] == [
            (record.get("marker"), record.get("coordinator_epoch")) for record in markers
        ], path
        assert [row["byte_offset"] for row in facts["batches"]] == [batch["position"] for batch in batches]
        assert {row["line"] for row in facts["batches"]} == {None}
        (section,) = facts["sections"]
        assert (section["ending"], section["note"], section["batches"]) == ("complete", None, len(batches))
        assert section["records"] == sum(batch["count"] for batch in batches)
        assert not facts["damaged_ranges"]
        seen += len(batches)
    assert seen > 190


@pytest.mark.parametrize("raw", RAW)
def test_transaction_state(lab, read, raw):
    seen = 0
    for path, batches in segments(lab, raw):
        records = [
            ((batch["position"], number), record)
            for batch in batches
            for number, record in enumerate(batch["records"])
            if record.get("txn")
        ]
        rows = read(path)["coordinator_states"]
        for row, (place, record) in zip(rows, records, strict=True):
            state = record["txn"]
            assert (row["offset"], row["timestamp"]) == (record["offset"], record["timestamp"])
            assert {name: row[name] for name in STATE_COLUMNS} == {name: state.get(name) for name in STATE_COLUMNS}
            assert row["tombstone"] is state.get("tombstone", False)
            assert row["partitions"] == (None if row["tombstone"] else sorted(state["partitions"] or []))
            assert (row["byte_offset"], row["record"]) == place
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("raw", RAW)
def test_offsets_and_groups(lab, read, raw):
    seen = 0
    for path, batches in segments(lab, raw):
        if "__consumer_offsets" not in str(path):
            continue
        facts = read(path)
        wanted = [
            (batch, number, record, record["offsets"])
            for batch in batches
            for number, record in enumerate(batch["records"])
            if record.get("offsets", {"kind": "other"})["kind"] != "other"
        ]
        generations = [row for row in facts["group_metadata"] if row["key_type"] == 2]
        rows = sorted([*facts["offset_commits"], *generations], key=lambda row: row["offset"])
        for row, (batch, number, record, held) in zip(rows, wanted, strict=True):
            assert (row["byte_offset"], row["record"]) == (batch["position"], number)
            assert (row["offset"], row["timestamp"], row["group"], row["tombstone"]) == (
                record["offset"], record["timestamp"], held["group"], held.get("tombstone", False),
            )  # fmt: skip
            if held["kind"] == "offset_commit":
                place = ("topic", "partition", "leader_epoch", "metadata")
                assert [row[name] for name in place] == [held.get(name) for name in place]
                assert (row["committed_offset"], row["commit_ms"]) == (held.get("offset"), held.get("commit_ts"))
                producer = ("producer_id", "producer_epoch", "is_transactional")
                assert [row[name] for name in producer] == [batch[name] for name in producer]
            else:
                plain = ("protocol_type", "generation", "leader")
                assert [row[name] for name in plain] == [held.get(name) for name in plain]
                members = None if row["tombstone"] else sorted(one["member_id"] for one in held["members"])
                assert row["members"] == members
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("raw", RAW)
def test_snapshots_and_aborted_ranges(lab, read, raw):
    seen = 0
    canonical = json.loads((lab / "matrix" / raw / "canonical.json").read_text())
    for path in sorted((lab / "matrix" / raw).glob("*/*")):
        if path.suffix not in (".snapshot", ".txnindex"):
            continue
        entries = canonical[path.parent.name][path.name]["entries"]
        facts = read(path)
        rows = facts["producer_states" if path.suffix == ".snapshot" else "aborted_ranges"]
        for row, entry in zip(rows, entries, strict=True):
            assert {name: row[name] for name in entry if name != "version"} == {
                name: value for name, value in entry.items() if name != "version"
            }
            assert path.suffix == ".txnindex" or row["snapshot_offset"] == int(path.stem)
            seen += 1
        (section,) = facts["sections"]
        assert (section["kind"], section["ending"], section["batches"]) == (path.suffix[1:], "complete", len(entries))
    assert seen > 20


def lines(path: Path, *beginnings: str) -> list[str]:
    return [line for line in path.read_text(errors="replace").splitlines() if line.startswith(beginnings)]


def test_rendered_as_the_real_tool_prints(lab, read):
    """Byte for byte what DumpLogSegments 3.9.1 says of the same batch or entry; markers and states by their content."""
    partition, dumps = lab / "matrix" / "raw-2.8.2" / "mx-0", lab / "matrix" / "3.9.1"
    log = partition / "00000000000000000000.log"
    printed = lines(dumps / "data.shallow.txt", "baseOffset: ")
    rows = read(log)["batches"]
    rendered = [line_at(str(log), "segment", row["byte_offset"]).partition(" | ")[0] for row in rows]
    assert rendered == printed
    markers = [line.partition("endTxnMarker: ")[2] for line in lines(dumps / "data.deep.txt", "| ") if "endTxn" in line]
    found = [line_at(str(log), "segment", row["byte_offset"]) for row in rows if row["marker"]]
    assert [line.partition("endTxnMarker: ")[2] for line in found] == markers
    for name, kind, table in (("snapshot", "snapshot", "producer_states"), ("txnindex", "txnindex", "aborted_ranges")):
        (path,) = partition.glob(f"*.{kind}")
        entries = [line_at(str(path), kind, row["byte_offset"]) for row in read(path)[table]]
        assert entries == [line.rstrip() for line in lines(dumps / f"{name}.txt", "producerId: ", "version: ")]


def test_rendered_records_of_internal_topics(lab, read):
    raw, dumps = lab / "matrix" / "raw-2.8.2", lab / "matrix" / "3.7.2"
    for partition, name, kind, tables in (
        ("__transaction_state-7", "txn", "transaction_segment", ["coordinator_states"]),
        ("__consumer_offsets-12", "offsets", "offsets_segment", ["offset_commits"]),
    ):
        path = raw / partition / "00000000000000000000.log"
        facts = read(path)
        for row in [row for table in tables for row in facts[table]]:
            line = line_at(str(path), kind, row["byte_offset"], row["record"])
            key = line.partition(" key: ")[2]
            said = lines(dumps / f"{name}.txt", f"| offset: {row['offset']} ")
            assert line.startswith(f"| offset: {row['offset']} CreateTime: {row['timestamp']} keySize: ")
            assert len(said) == 1
            assert _in_order(key) == _in_order(said[0].partition(" key: ")[2])


def _in_order(printed: str) -> str:
    """The payload with its partitions sorted, as the facts hold them."""
    before, found, rest = printed.partition("partitions=[")
    names, _, after = rest.partition("]")
    return f"{before}{found}{','.join(sorted(names.split(',')))}]{after}" if found else printed
