"""Whole clusters judged with and without their controllers' log: what it makes certain, and nobody else accused."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from quorum_files import VERSIONS, truth_of

from analyzer.config import Config
from analyzer.kafka.hashing import partition_for
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

FORMS = ("logdir", "dumps")
OTHER_EPOCH = 9


def without_log(folder: Path, target: Path) -> Path:
    """The same files without those of the controllers' log."""
    ignored = shutil.ignore_patterns("__cluster_metadata-0", "bootstrap.checkpoint*")
    return Path(shutil.copytree(folder, target, ignore=ignored))


def with_changed_marker(folder: Path, target: Path) -> Path:
    """The same dumps, the first marker of orders-0 with another coordinator epoch in every copy."""
    shutil.copytree(folder, target)
    for path in target.glob("broker-*/orders-0/*.log.txt"):
        path.chmod(0o644)
        text = path.read_text()
        path.write_text(re.sub(r"coordinatorEpoch: \d+", f"coordinatorEpoch: {OTHER_EPOCH}", text, count=1))
    return target


def without_unclean(folder: Path, target: Path, *, crashed: bool) -> Path:
    """The same dumps, every election told as a clean one; `crashed`: no broker told that it shut down either."""
    shutil.copytree(folder, target)
    for path in target.glob("broker-*/__cluster_metadata-0/*.txt"):
        path.chmod(0o644)
        text = path.read_text().replace(',"leaderRecoveryState":1', "")
        path.write_text(text.replace('"inControlledShutdown":1', '"fenced":0') if crashed else text)
    return target


def without_states(cluster: Path, target: Path) -> Path:
    """The dumps of the cluster without those of __transaction_state, and what two admin tools said."""
    shutil.copytree(cluster / "dumps", target, ignore=shutil.ignore_patterns("__transaction_state-*"))
    for name in ("transactions-list.txt", "metadata-quorum-status.txt"):
        shutil.copy(cluster / "oracle" / name, target / name)
    return target


@pytest.fixture(scope="module")
def judged(clusters, spark: SparkSession, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """The documents by version, form and what was done to the files."""
    scratch = tmp_path_factory.mktemp("clusters")
    folders = {f"{version} {form}": clusters[version] / form for version in VERSIONS for form in FORMS}
    for version in VERSIONS:
        folders[f"{version} without"] = without_log(clusters[version] / "logdir", scratch / f"{version}-without")
        folders[f"{version} changed"] = with_changed_marker(clusters[version] / "dumps", scratch / f"{version}-changed")
        folders[f"{version} stateless"] = without_states(clusters[version], scratch / f"{version}-stateless")
    for name, crashed in (("clean", False), ("crashed", True)):
        folders[name] = without_unclean(clusters["4.1.1"] / "dumps", scratch / name, crashed=crashed)
    captures = [scan_capture(CaptureRequest((str(folder),), name)) for name, folder in folders.items()]
    case = Case(spark, str(scratch / "case"))
    ingest(case, captures)
    return dict(zip(folders, analyze(case, list(folders), Config()), strict=True))


def found(document: dict[str, Any], code: str) -> list[dict[str, Any]]:
    return [finding for finding in document["findings"] if finding["code"] == code]


def lost(version: str) -> set[tuple[str, str]]:
    """Who committed in which partition and has no trace there, of topics that still exist (a deleted one has no log)."""
    gone = {topic["name"] for topic in truth_of_version(version)["topics"] if topic["deleted"]}
    return {
        (one["transactional_id"], place)
        for one in truth_of_version(version)["transactions"]
        for place in one.get("partitions_without_trace_at_the_end", [])
        if one["outcome"] == "commit" and place.rpartition("-")[0] not in gone
    }


TRUTHS: dict[str, dict[str, Any]] = {}


def truth_of_version(version: str) -> dict[str, Any]:
    return TRUTHS[version]


@pytest.fixture(scope="module", autouse=True)
def truths(clusters) -> None:
    TRUTHS.update({version: truth_of(path) for version, path in clusters.items()})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("form", "confidence"), [("logdir", "certain"), ("dumps", "certain"), ("without", "likely")])
def test_committed_data_that_is_gone(judged, version, form, confidence):
    findings = found(judged[f"{version} {form}"], "TXN015")
    assert {(one["transactional_id"], f"{one['topic']}-{one['partition']}") for one in findings} == lost(version)
    assert {one["confidence"] for one in findings} == {confidence}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("form", FORMS)
def test_the_expansion_is_dated_and_brokers_have_their_counts(judged, version, form):
    (finding,) = found(judged[f"{version} {form}"], "RTE003")
    topic = next(one for one in truth_of_version(version)["topics"] if one["name"] == "__transaction_state")
    moment = topic["partition_counts"][1]["ts"]
    assert finding["confidence"] == "certain"
    assert "6 before, 9 after" in finding["explanation"]
    assert f".{moment % 1000:03d}Z: 6 before" in finding["explanation"]
    evidence = "\n".join(one["text"] for one in finding["evidence"])
    assert f"| offset: {topic['partition_counts'][1]['offset']} " in evidence
    assert [f"broker {broker} started at" in finding["explanation"] for broker in (1, 2, 3)] == [True] * 3
    assert finding["explanation"].count("and uses 9 partitions") == 3


@pytest.mark.parametrize("version", VERSIONS)
def test_coordinator_epochs_of_markers(judged, version):
    for form in FORMS:
        log = judged[f"{version} {form}"]["controller"]
        assert (log["markers"] > 30, log["strange_markers"]) == (True, 0)
    changed = judged[f"{version} changed"]["controller"]
    assert changed["strange_markers"] == 1
    assert f"has coordinator epoch {OTHER_EPOCH}, but the leader epoch" in changed["strange"]
    (note,) = [one for one in judged[f"{version} changed"]["coverage"]["notes"] if one["kind"] == "strange_marker"]
    assert (note["topic"], note["partition"], note["number"]) == ("orders", 0, 1)
    assert f"1 marker carries coordinator epoch {OTHER_EPOCH} " in note["note"]
    assert "no coordinator had that epoch yet" in note["note"]


@pytest.mark.parametrize("version", VERSIONS)
def test_markers_tell_who_coordinated_where_state_files_are_missing(judged, version):
    """The partition of each id is among those that fit, and its partition count among the counts that fit."""
    served = judged[f"{version} stateless"]["controller"]["served"]
    truth = truth_of_version(version)["transactional_id_partitions"]
    placed = {producer: (name, int(place)) for name, places in truth.items() for place, ids in places.items() for producer in ids}  # fmt: skip
    assert {one["producer_id"] for one in served} == set(placed)
    for one in served:
        name, place = placed[one["producer_id"]]
        assert one["transactional_id"] == name
        assert place in one["state_partitions"]
        assert {count for count in (6, 9) if partition_for(name, count) == place} <= set(one["counts"])
    by_one_count = {one["producer_id"]: one["counts"] for one in served if len(one["counts"]) == 1}
    assert by_one_count
    if version == "3.9.1":
        assert (by_one_count[0], by_one_count[3000], by_one_count[3001]) == ([6], [9], [9])
        (exact,) = [one for one in served if one["producer_id"] == 3000]
        assert (exact["state_partitions"], exact["coordinator"], exact["since"]) == ([4], 1, 1795312389339)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_copy_that_ends_before_the_quorum_is_told(judged, version):
    log = judged[f"{version} stateless"]["controller"]
    assert (log["high_watermark_asked"] > 600, log["quorum_end"] > log["high_watermark_asked"]) == (True, True)


def test_a_clean_election_accuses_nobody_and_a_crash_probably(judged):
    """The same logs, but for what the controllers' log says of the elections: broker 3 led frail-0 after a restart."""
    assert not found(judged["clean"], "TXN015")
    (frail,) = [one for one in found(judged["crashed"], "TXN015") if one["topic"] == "frail"]
    assert frail["confidence"] == "likely"
    assert "broker 3 restarted at " in frail["explanation"]
    assert "without a controlled shutdown" in frail["explanation"]
    assert not [one for one in frail["cause"] if "unclean election" in one]
    assert {(one["transactional_id"], f"{one['topic']}-{one['partition']}") for one in found(judged["crashed"], "TXN015")} <= lost("4.1.1")  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("form", FORMS)
def test_causes_that_the_cluster_cannot_have_are_not_told(judged, version, form):
    """Where an unclean election is known to have taken the records, no crash is told beside it."""
    for finding in found(judged[f"{version} {form}"], "TXN015"):
        (cause,) = finding["cause"]
        assert "unclean election" in cause
        assert "unclean.leader.election.enable is " in cause or finding["topic"] == "frail2"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_minutes_of_an_incident(judged, version):
    (frail,) = [one for one in found(judged[f"{version} logdir"], "TXN015") if one["topic"] == "frail"]
    windows = judged[f"{version} logdir"]["controller"]["windows"]
    (window,) = [one for one in windows if one["finding"] == frail["id"]]
    unclean = [
        (one["at"], one["places"], one["broker"]) for one in window["events"] if one["event"] == "unclean_election"
    ]
    assert unclean == [
        (one["ts"], [f"{one['topic']}-{one['partition']}"], one["new_leader"])
        for one in truth_of_version(version)["unclean_elections"]
        if window["since"] <= one["ts"] <= window["until"]
    ]
    assert window["covered"]
    quorum = [one for one in truth_of_version(version)["control_records"] if one["type"] == "KRAFT_VERSION"]
    control = {(one["ts"], "feature", None) for one in quorum}
    told = {(one["at"], one["event"], one.get("broker")) for one in window["events"]} - control
    truth = truth_of_version(version)
    happened = {
        *((one["ts"], "fenced", one["broker"]) for one in truth["brokers"] if one["event"] == "fenced"),
        *((one["ts"], "quorum_leader", one["leader"]) for one in truth["control_records"] if one["type"] == "LEADER_CHANGE"),
        *((one["ts"], "feature", None) for one in truth["features"]),
    }  # fmt: skip
    kinds = {"fenced", "quorum_leader", "feature"}
    inside = {one for one in happened if window["since"] <= one[0] <= window["until"]}
    assert inside
    assert {one for one in told if one[1] in kinds} == inside


@pytest.mark.parametrize("version", VERSIONS)
def test_without_it_there_is_no_such_part(judged, version):
    assert "controller" not in judged[f"{version} without"]
