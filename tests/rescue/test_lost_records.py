"""Committed records that the leader lost: real logs are cut as an unclean election cuts them, and read by another reader."""

import random
import shutil
from pathlib import Path

import pytest
from consumer import Got, batches, committed, read_uncommitted
from saved import as_consumed, rows_of, summary_of

from analyzer.config import Config
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

CUT = ("normal_mix", "late_write", "in_flight", "S8_marker_lost", "chaos_391")
"""Scenarios whose logs are cut; the last two have several replicas and elections of their own."""
HEALTHY = ("coordinator_never_expanded", "coordinator_expansion_rf3_before")
"""Captures in which some followers are made to lag."""
NEW_EPOCH = 1_000
CUTS = 6


def elected(log: Path, copy: Path, offset: int) -> None:
    """Write the log of a replica that became leader with this log end: what came before, and a new leader epoch."""
    copy.mkdir(parents=True)
    for path in sorted(log.glob("*.log")):
        data = path.read_bytes()
        kept = [one for one in batches(data) if one.base_offset < offset]
        if kept or path.name == "00000000000000000000.log":
            (copy / path.name).write_bytes(data[: kept[-1].end if kept else 0])
    old = log / "leader-epoch-checkpoint"
    lines = [line for line in old.read_text("utf-8").split("\n")[2:] if line] if old.exists() else ["0 0"]
    before = [line for line in lines if int(line.split()[1]) < offset]
    text = "\n".join(["0", str(len(before) + 1), *before, f"{NEW_EPOCH} {offset}"])
    (copy / "leader-epoch-checkpoint").write_text(text + "\n", "utf-8")


def unclean(source: Path, folder: Path, seed: int) -> dict[tuple[str, int], int]:
    """Copy a capture in which broker 9 was elected with less of some partitions; return where their logs were cut."""
    shutil.copytree(source, folder)
    chance = random.Random(seed)
    logs = [log for log in sorted(folder.glob("broker-*/*-[0-9]*")) if not log.name.startswith("__")]
    places = {log.name: log for log in logs if any(path.stat().st_size for path in log.glob("*.log"))}
    cut = {}
    for name in chance.sample(sorted(places), min(CUTS, len(places))):
        starts = [one.base_offset for path in sorted(places[name].glob("*.log")) for one in batches(path.read_bytes())]
        at = chance.choice(starts[len(starts) // 2 :])
        elected(places[name], folder / "broker-9" / name, at)
        topic, _, partition = name.rpartition("-")
        cut[topic, int(partition)] = at
    return cut


@pytest.fixture(scope="module")
def cuts(lab, tmp_path_factory) -> dict[str, tuple[Path, dict[tuple[str, int], int]]]:
    """The folders of captures with an unclean election, by scenario, and where their partitions were cut."""
    place = tmp_path_factory.mktemp("cut")
    return {name: (place / name, unclean(lab / "dev" / name / "logdir", place / name, seed=len(name))) for name in CUT}


@pytest.fixture(scope="module")
def case(lab, spark, cuts, tmp_path_factory) -> tuple[Path, dict[str, dict]]:
    """A case with all captures of this module, and their documents by name."""
    place = tmp_path_factory.mktemp("rescue")
    paths = {name: folder for name, (folder, _) in cuts.items()}
    for name in HEALTHY:
        paths[name] = place / name
        lagging(lab / "dev" / name / "logdir", paths[name])
    captures = [scan_capture(CaptureRequest((str(path),), name)) for name, path in paths.items()]
    opened = Case(spark, str(place / "case"))
    ingest(opened, captures)
    documents = analyze(opened, list(paths), Config())
    return place / "case", dict(zip(paths, documents, strict=True))


@pytest.fixture(scope="module")
def as_they_are(lab, spark, tmp_path_factory) -> dict[str, dict]:
    """The documents of captures with elections of their own, which nobody cut."""
    names = ["dev/S8_marker_lost", "dev/S8b_truncation", "metadata/3.9.1", "metadata/4.1.1"]
    captures = [scan_capture(CaptureRequest((str(lab / name / "logdir"),), name)) for name in names]
    opened = Case(spark, str(tmp_path_factory.mktemp("as-they-are") / "case"))
    ingest(opened, captures)
    return dict(zip(names, analyze(opened, names, Config()), strict=True))


def lagging(source: Path, folder: Path) -> None:
    """Copy a capture in which every third log ends earlier, at a batch."""
    chance = random.Random(folder.name)
    shutil.copytree(source, folder)
    logs = [path for path in sorted(folder.glob("broker-*/*-[0-9]*/*.log")) if path.stat().st_size]
    for path in chance.sample(logs, len(logs) // 3):
        ends = [one.end for one in batches(path.read_bytes())]
        path.write_bytes(path.read_bytes()[: chance.choice(ends)])


def taken(folder: Path, cut: dict[tuple[str, int], int]) -> set[tuple[str, int, Got]]:
    """The committed records that some copy has and the elected one has not."""
    found = set()
    for (topic, partition), at in cut.items():
        copies = (one for one in folder.glob(f"broker-*/{topic}-{partition}") if one.parent.name != "broker-9")
        found |= {(topic, partition, one) for log in copies for one in committed(log) if one.offset >= at}
    return found


@pytest.mark.parametrize("name", CUT)
def test_every_committed_record_that_the_election_took_and_no_other(case, cuts, command, tmp_path, name):
    place, documents = case
    document, expected = documents[name], taken(*cuts[name])
    assert expected
    assert sum(row["records"] for row in document["rescuable"]) == len(expected)
    rescued = [one for one in document["findings"] if one["action"]["kind"] == "rescue"]
    assert sum(one["action"]["loses_records"] for one in rescued) == len(expected)
    outcome = command("rescue", "--case", place, "--capture", name, "--lost", "-o", tmp_path / "saved")
    assert outcome.code == 0, outcome
    assert {(row["topic"], row["partition"], as_consumed(row)) for row in rows_of(tmp_path / "saved")} == expected
    assert sum(one["records"] for one in summary_of(tmp_path / "saved")) == len(expected)


def test_a_line_of_the_plan_saves_its_transaction(case, cuts, command, tmp_path):
    place, documents = case
    (first, *_) = documents["normal_mix"]["rescuable"]
    words = first["command"].split()
    assert words[:2] == ["txn-forensics", "rescue"]
    where = [word if word != words[-1] else tmp_path / "one" for word in words[2:]]
    outcome = command("rescue", *where)
    assert outcome.code == 0, outcome
    inside = {
        one
        for topic, partition, one in taken(*cuts["normal_mix"])
        if (topic, partition, one.producer_id) == (first["topic"], first["partition"], first["producer_id"])
        and first["first_offset"] <= one.offset <= first["last_offset"]
    }
    assert {as_consumed(row) for row in rows_of(tmp_path / "one")} == inside
    finding = next(one for one in documents["normal_mix"]["findings"] if one["id"] == first["finding"])
    assert f"--case {place} --capture normal_mix --lost" in finding["action"]["save_command"]
    again = command(
        "rescue", "--case", place, "--capture", "normal_mix", "--finding", finding["id"], "-o", tmp_path / "f"
    )
    assert again.code == 0
    assert inside <= {as_consumed(row) for row in rows_of(tmp_path / "f")}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_follower_that_lags_has_nothing_of_its_own(case, command, tmp_path, name):
    place, documents = case
    assert documents[name]["rescuable"] == []
    assert not [one for one in documents[name]["findings"] if one["action"]["kind"] == "rescue"]
    outcome = command("rescue", "--case", place, "--capture", name, "--lost", "-o", tmp_path / "saved")
    assert (outcome.code, (tmp_path / "saved").exists()) == (2, False)
    assert "is only on a copy that will be cut off" in outcome.err


def test_a_segment_is_read_once_however_many_transactions_it_holds(case, cuts, command, tmp_path, monkeypatch):
    place, documents = case
    wanted = {(row["topic"], row["partition"], row["replica"]) for row in documents["chaos_391"]["rescuable"]}
    assert len(wanted) < len(documents["chaos_391"]["rescuable"])
    opened = []
    begin = RawBytes.__init__
    monkeypatch.setattr(RawBytes, "__init__", lambda self, name: (opened.append(name), begin(self, name))[1])
    outcome = command("rescue", "--case", place, "--capture", "chaos_391", "--lost", "-o", tmp_path / "saved")
    assert outcome.code == 0
    assert len(opened) == len(set(opened)) >= len(wanted)
    rows = rows_of(tmp_path / "saved")
    assert rows == sorted(rows, key=lambda row: (row["topic"], row["partition"], row["offset"]))


@pytest.mark.parametrize("name", ["dev/S8_marker_lost", "dev/S8b_truncation", "metadata/3.9.1", "metadata/4.1.1"])
def test_real_elections_list_what_only_a_deposed_replica_has_and_nothing_else(as_they_are, lab, name):
    document, folder = as_they_are[name], lab / name / "logdir"
    judged = {(row["topic"], row["partition"]): row for row in document["partitions"] if row["authority"]}
    only_there = set()
    for log in sorted(folder.glob("broker-*/*-[0-9]*")):
        topic, _, partition = log.name.rpartition("-")
        leads = judged.get((topic, int(partition)))
        if leads is None or topic.startswith("__") or log.parent.name == f"broker-{leads['replica']}":
            continue
        kept = set(committed(folder / f"broker-{leads['replica']}" / log.name)) | set(
            read_uncommitted(folder / f"broker-{leads['replica']}" / log.name)
        )
        only_there |= {(topic, int(partition), one) for one in committed(log) if one not in kept}
    assert sum(row["records"] for row in document["rescuable"]) == len(only_there)
