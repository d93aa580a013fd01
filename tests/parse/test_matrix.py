"""Dumps of the same files by 29 versions of the tool: each gives what the bytes say, but for what its text loses."""

import json
import re
from pathlib import Path

import pytest

VERSIONS = (
    "0.11.0.3 1.0.2 1.1.1 2.0.1 2.1.1 2.2.2 2.3.1 2.4.1 2.5.1 2.6.3 2.7.2 2.8.2 3.0.2 3.1.2 3.2.3 3.3.2 3.4.1 3.5.2 3.6.2 "
    "3.7.2 3.8.1 3.9.1 4.0.1 4.1.1 4.2.0 4.2.1 4.3.0 4.3.1 4.4.0-branch"
).split()

PARTITIONS = {
    "data": "mx-0",
    "skipmeta": "mx-0",
    "simple": "simple-0",
    "lat": "mxlat-0",
    "nasty": "nasty-0",
    "zstd": "mxz-0",
    "txn": "__transaction_state-7",
    "txn8": "__transaction_state-8",
    "offsets": "__consumer_offsets-12",
}
BATCH_COLUMNS = (
    "base_offset last_offset count base_sequence last_sequence producer_id producer_epoch partition_leader_epoch "
    "is_transactional is_control delete_horizon_ms timestamp_type max_timestamp position size magic codec crc crc_valid "
    "marker coordinator_epoch"
).split()

MARKERS = {"marker", "coordinator_epoch"}


def version_of(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", name))


def batch_losses(version: tuple[int, ...], form: str) -> set[str]:
    """What a log dump of this version and form cannot say of a batch."""
    if form == "flat":
        return {"partition_leader_epoch", "size", "crc", "crc_valid"}
    lost = MARKERS if form in ("shallow", "skipmeta") else set()
    if version < (2, 0):
        lost = lost | {"count"}
    if version < (2, 0, 1):
        lost = lost | {"is_control"}
    return lost


def form_of(version: tuple[int, ...], run: str, arguments: str) -> str:
    """Whether a log dump has batch lines only, flat record lines, both, or records without metadata."""
    if "--skip-record-metadata" in arguments:
        return "skipmeta"
    implied = version >= (1, 1) and ("--print-data-log" in arguments or "-decoder" in arguments)
    if "--deep-iteration" not in arguments and not implied:
        return "shallow"
    return "flat" if version < (2, 2) else "deep"


def expected_batches(batches: list[dict], lost: set[str]) -> list[dict]:
    rows = []
    for batch in batches:
        record = batch["records"][0] if batch["records"] else {}
        full = {**batch, "marker": record.get("marker"), "coordinator_epoch": record.get("coordinator_epoch")}
        rows.append({name: None if name in lost else full[name] for name in BATCH_COLUMNS})
    return rows


def runs(folder: Path) -> dict[str, tuple[int, str]]:
    """Exit code and arguments of each run."""
    lines = (folder / "runs.tsv").read_text().splitlines()
    cells = [line.split("\t") for line in lines]
    return {cell[1]: (int(cell[2].removeprefix("rc=")), cell[4]) for cell in cells}


def log_dumps(matrix: Path, name: str):
    """Yield each log dump of a version: its path, version, arguments and the batches that the bytes hold."""
    canonical = {raw: json.loads((matrix / raw / "canonical.json").read_text()) for raw in ("raw-2.8.2", "raw-4.1.1")}
    for run, (code, arguments) in runs(matrix / name).items():
        part = run.removeprefix("tv2-").split(".")[0]
        path = matrix / name / f"{run}.txt"
        if part in PARTITIONS and path.exists():
            raw = canonical["raw-4.1.1" if run.startswith("tv2-") or part == "zstd" else "raw-2.8.2"]
            yield run, path, code, arguments, raw[PARTITIONS[part]]["00000000000000000000.log"]["batches"]


@pytest.mark.parametrize("name", VERSIONS)
def test_batches(lab, read, name):
    version = version_of(name)
    seen = 0
    for run, path, code, arguments, batches in log_dumps(lab / "matrix", name):
        facts = read(path)
        form = form_of(version, run, arguments)
        expected = expected_batches(batches, batch_losses(version, form))
        found = [{column: row[column] for column in BATCH_COLUMNS} for row in facts["batches"]]
        (section,) = facts["sections"]
        if code:
            assert 0 < len(found) < len(expected) or not found, run
            if found:
                assert found[:-1] == expected[: len(found) - 1], run
                assert found[-1]["base_offset"] == expected[len(found) - 1]["base_offset"], run
        else:
            assert found == expected, run
            assert section["ending"] == "complete", run
        assert not facts["unparsed_lines"], run
        assert section["deep"] is (form in ("flat", "deep")), run
        assert section["batches"] == len(found)
        assert (
            section["records"] == (0 if form == "shallow" else sum(row["count"] for row in found) - (code and 0))
            or code
        )
        seen += 1
    assert seen > 7


STATE_COLUMNS = (
    "offset timestamp transactional_id tombstone version producer_id producer_epoch timeout_ms state partitions "
    "last_update_ms start_ms previous_producer_id next_producer_id client_transaction_version"
).split()


def state_losses(version: tuple[int, ...]) -> set[str]:
    """What a decoded dump of `__transaction_state` of this version cannot say."""
    if version < (4, 1):
        return {"version", "start_ms", "previous_producer_id", "next_producer_id", "client_transaction_version"}
    return set()


def expected_states(batches: list[dict], lost: set[str]) -> list[dict]:
    rows = []
    for batch in batches:
        for record in batch["records"]:
            state = {"tombstone": False, **record["txn"]}
            full = {**state, "offset": record["offset"], "timestamp": record["timestamp"]}
            if not state["tombstone"]:
                full["partitions"] = sorted(full["partitions"] or [])  # a stored null is no partitions either
            rows.append({column: None if column in lost else full.get(column) for column in STATE_COLUMNS})
    return rows


@pytest.mark.parametrize("name", VERSIONS)
def test_coordinator_states(lab, read, name):
    version = version_of(name)
    seen = 0
    for run, path, code, arguments, batches in log_dumps(lab / "matrix", name):
        if "txn" not in run or form_of(version, run, arguments) == "shallow":
            continue
        facts = read(path)
        expected = expected_states(batches, state_losses(version))
        found = [{column: row[column] for column in STATE_COLUMNS} for row in facts["coordinator_states"]]
        assert found == (expected[: len(found)] if code else expected), run
        assert facts["sections"][0]["decoder"] == ("transaction" if found else "none")
        if code:
            assert facts["sections"][0]["ending"] == "died", run
        seen += 1
    assert seen >= 2


COMMIT_COLUMNS = (
    "offset timestamp group topic partition committed_offset leader_epoch metadata commit_ms tombstone producer_id "
    "producer_epoch is_transactional"
).split()
GROUP_COLUMNS = "offset timestamp group tombstone generation protocol_type leader members".split()


def offset_losses(version: tuple[int, ...]) -> set[str]:
    """What a decoded dump of `__consumer_offsets` of this version cannot say."""
    return {"leader_epoch", "commit_ms", "leader"} if version < (3, 8) else set()


def expected_offsets(batches: list[dict], lost: set[str], *, tombstones: bool) -> tuple[list[dict], list[dict]]:
    commits, groups = [], []
    for batch in batches:
        for record in batch["records"]:
            read = record.get("offsets")
            if not read or read["kind"] == "other" or (read.get("tombstone") and not tombstones):
                continue
            full = {"tombstone": False, **read, **{key: record[key] for key in ("timestamp",)}}
            full |= {key: batch[key] for key in ("producer_id", "producer_epoch", "is_transactional")}
            full |= {
                "commit_ms": read.get("commit_ts"),
                "committed_offset": read.get("offset"),
                "offset": record["offset"],
            }
            if "members" in read:
                full["members"] = sorted(member["member_id"] for member in read["members"])
            columns, rows = (COMMIT_COLUMNS, commits) if read["kind"] == "offset_commit" else (GROUP_COLUMNS, groups)
            rows.append({column: None if column in lost else full.get(column) for column in columns})
    return commits, groups


@pytest.mark.parametrize("name", VERSIONS)
def test_offsets_and_groups(lab, read, name):
    version = version_of(name)
    for run, path, code, arguments, batches in log_dumps(lab / "matrix", name):
        if "offsets" not in run or form_of(version, run, arguments) == "shallow":
            continue
        facts = read(path)
        commits, groups = expected_offsets(batches, offset_losses(version), tombstones=version >= (2, 4, 1))
        found = [{column: row[column] for column in COMMIT_COLUMNS} for row in facts["offset_commits"]]
        assert found == (commits[: len(found)] if code else commits), run
        found = [
            {column: row[column] for column in GROUP_COLUMNS} for row in facts["group_metadata"] if row["key_type"] == 2
        ]
        assert found == (groups[: len(found)] if code else groups), run
        assert facts["sections"][0]["ending"] == ("died" if code else "complete"), run


@pytest.mark.parametrize("name", VERSIONS)
def test_snapshots_and_aborted_ranges(lab, read, name):
    version = version_of(name)
    matrix = lab / "matrix"
    for prefix, raw in (("", "raw-2.8.2"), ("tv2-", "raw-4.1.1")):
        canonical = json.loads((matrix / raw / "canonical.json").read_text())
        for run, partition in (("snapshot", "mx-0"), ("snapshot8", "__consumer_offsets-12"), ("txnindex", "mx-0")):
            path = matrix / name / f"{prefix}{run}.txt"
            if not path.exists():
                continue
            facts = read(path)
            kind = "txnindex" if run == "txnindex" else "snapshot"
            (file,) = [file for file in canonical[partition] if file.endswith(f".{kind}")]
            entries = canonical[partition][file]["entries"]
            table = "aborted_ranges" if kind == "txnindex" else "producer_states"
            for entry, row in zip(entries, facts[table], strict=True):
                lost = set()
                if (2, 4, 1) <= version < (3, 1) and entry.get("last_offset") == -1:
                    lost = {"timestamp"}
                for column, value in entry.items():
                    if column != "version":
                        assert row[column] == (None if column in lost else value), (path.name, column)
                if table == "producer_states":
                    assert row["snapshot_offset"] == int(file.split(".")[0])
            assert facts["sections"][0]["kind"] == kind
            assert not facts["unparsed_lines"]


@pytest.mark.parametrize("name", VERSIONS)
def test_indexes_give_a_section_only(lab, read, name):
    for kind in ("index", "timeindex"):
        facts = read(lab / "matrix" / name / f"{kind}.txt")
        assert set(facts) == {"sections"}
        assert (facts["sections"][0]["kind"], facts["sections"][0]["segment"]) == (kind, 0)
        assert facts["sections"][0]["batches"] > 5


DAMAGED_VERSIONS = "0.11.0.3 1.0.2 1.1.1 2.0.1 2.1.1 2.2.2 2.4.1 2.8.2 3.2.3 3.9.1 4.1.1 4.3.1 4.4.0-branch".split()


@pytest.mark.parametrize("name", DAMAGED_VERSIONS)
def test_damaged_segments(lab, read, name):
    folder = lab / "matrix" / name
    flat = version_of(name) < (2, 2)
    cut = read(folder / "broken.cut.txt")
    assert "invalid bytes" in cut["sections"][0]["note"]
    assert len(cut["batches"]) == 23
    flip = read(folder / "broken.flip.txt")
    assert [row["crc_valid"] for row in flip["batches"]].count(False) == (0 if flat else 1)
    zeros = read(folder / "broken.zeros.txt")
    assert len(zeros["batches"]) == 24
    second = read(folder / "second.txt")["batches"]
    assert (second[0]["base_offset"], second[0]["position"], len(second)) == (14, 0, 16)


def console_files(lab: Path):
    return sorted((lab / "matrix" / "console").glob("*.txt"))


def test_console_output(lab, read):
    files = console_files(lab)
    assert len(files) == 15
    for path in files:
        raw, tool, partition = re.fullmatch(r"from-(.*)_by-(.*)-p(\d)\.txt", path.name).groups()
        canonical = json.loads((lab / "matrix" / raw / "canonical.json").read_text())
        batches = canonical[f"__transaction_state-{partition}"]["00000000000000000000.log"]["batches"]
        lost = {"offset", "timestamp"}
        if tool != "4.1.1":  # 3.9 does not know the tagged fields
            lost |= {"previous_producer_id", "next_producer_id", "client_transaction_version"}
        if "json" not in tool and tool != "4.1.1":
            lost |= {"version"}
        facts = read(path, "console")
        found = [{column: row[column] for column in STATE_COLUMNS} for row in facts["coordinator_states"]]
        assert found == expected_states(batches, lost), path.name
        assert not facts["unparsed_lines"], path.name
