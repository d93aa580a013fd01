"""The state over time against the live cluster's answers and the history: from raw files, and from each tool's text."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from quorum_files import TOOLS, VERSIONS, truth_of

from analyzer.config import Config
from analyzer.lifecycles.controller import tables
from analyzer.lifecycles.registry import ALL as STAGES
from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.workbench import workbench
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.stages.running import Run
from analyzer.storage.case import Case

RAW_FORMS = ("logdir", "logdir/broker-1", "logdir/broker-3")
PARTITION_FIELDS = {
    "replicas": "replica_ids", "isr": "isr", "leader": "leader_id", "leader_epoch": "leader_epoch",
    "partition_epoch": "partition_epoch", "adding": "adding", "removing": "removing", "elr": "elr",
    "last_known_elr": "last_known_elr",
}  # fmt: skip
BLIND = ("3.3.2", "3.5.2")
"""Tools that do not print PARTITION_RECORD and REGISTER_BROKER_RECORD as these clusters write them."""

SILENT = (*BLIND, "3.7.2")
"""Tools that print no contents of the quorum's newer control records; 3.9.1 prints none of its leaders either."""


def forms_of(version: str) -> dict[str, str]:
    """Each form of the log by a name: folders of raw files and of dumps."""
    dumps = {tool: f"dumps-other-tools/{tool}" for tool in TOOLS if tool != version} | {version: "dumps/broker-1"}
    return {form: form for form in RAW_FORMS} | dumps


ALL = [(version, form) for version in VERSIONS for form in forms_of(version)]
TELLING = [(version, form) for version, form in ALL if form not in BLIND]


@dataclasses.dataclass(frozen=True)
class States:
    """The tables of the controllers' log of every capture, and the truth of each cluster."""

    rows: Callable[[str, str, str], list[dict[str, Any]]]
    truth: dict[str, dict[str, Any]]
    oracle: dict[str, Path]


@pytest.fixture(scope="module")
def states(clusters, spark: SparkSession, tmp_path_factory) -> States:
    captures = [
        scan_capture(CaptureRequest((str(clusters[version] / folder),), f"{version} {form}"))
        for version in VERSIONS
        for form, folder in forms_of(version).items()
    ]
    case = Case(spark, str(tmp_path_factory.mktemp("quorum") / "case"))
    ingest(case, captures)
    with workbench(case, [capture.name for capture in captures]) as bench:
        names = [table.name for table in tables.OF_LOG if table is not tables.QUORUM_RECORDS]
        made = Run(STAGES, bench, Config()).tables(*names)
        held = {name: [row.asDict() for row in rows.collect()] for name, rows in made.items()}

    def rows(version: str, form: str, table: str) -> list[dict[str, Any]]:
        name = f"{version} {form}"
        found = [row for row in held[table] if row["capture"] == name]
        return sorted(found, key=lambda row: row.get("offset") or 0)

    return States(rows, {version: truth_of(path) for version, path in clusters.items()},
                  {version: path / "oracle" for version, path in clusters.items()})  # fmt: skip


def at(rows: list[dict[str, Any]], offset: int) -> list[dict[str, Any]]:
    """What holds right below this offset."""
    return [row for row in rows if row["offset"] < offset and (row["next_offset"] or offset) >= offset]


def known(states: States, version: str, form: str) -> range:
    """The offsets whose changes this form of the log has."""
    (log,) = states.rows(version, form, "quorum_logs")
    assert log["complete"]
    return range(log["checkpoint_end"] or 0, log["quorum_end"])


def described(text: str) -> dict[str, dict[str, Any]]:
    """Topics of kafka-topics.sh --describe with partitions: leader, replicas, ISR, ELR."""
    found: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        words = dict(re.findall(r"(\w+): ?([^\t]*)", line))
        if "TopicId" in words:
            found[words["Topic"]] = {"id": words["TopicId"], "count": int(words["PartitionCount"]), "partitions": {}}
        elif "Partition" in words:
            lists = {
                name: [int(one) for one in words.get(name, "").split(",") if one] for name in ("Replicas", "Isr", "Elr")
            }
            leader = int(words["Leader"]) if words["Leader"].lstrip("-").isdigit() else -1
            found[words["Topic"]]["partitions"][int(words["Partition"])] = {"leader": leader, **lists}
    return found


@pytest.mark.parametrize(("version", "form"), TELLING)
def test_the_state_of_the_oracle(states, version, form):
    """Topics, ids, counts, leaders, replicas, ISR and ELR of the live cluster, asked just before its stop."""
    offset = states.truth[version]["oracle_metadata_offset"]
    oracle = described((states.oracle[version] / "topics-describe.txt").read_text())
    assert known(states, version, form).start <= offset
    topics = [row for row in states.rows(version, form, "quorum_topics") if (row["removed_offset"] or offset) >= offset]
    assert {row["topic"]: row["topic_id"] for row in topics} == {name: one["id"] for name, one in oracle.items()}
    ids = {one["id"] for one in oracle.values()}
    counts = at(states.rows(version, form, "partition_counts"), offset)
    assert {row["topic"]: row["partition_count"] for row in counts if row["topic_id"] in ids} == {
        name: one["count"] for name, one in oracle.items()
    }
    found: dict[str, dict[int, Any]] = {}
    for row in at(states.rows(version, form, "partition_changes"), offset):
        if row["topic_id"] in ids:
            found.setdefault(row["topic"], {})[row["partition"]] = {
                "leader": row["leader_id"], "Replicas": row["replica_ids"], "Isr": row["isr"], "Elr": row["elr"],
            }  # fmt: skip
    assert found == {name: one["partitions"] for name, one in oracle.items()}


@pytest.mark.parametrize(("version", "form"), [one for one in ALL if one[1] in BLIND])
def test_leaders_that_old_tools_print(states, version, form):
    """Without PARTITION_RECORDs the leaders and ISRs that have changed since are known, and no epoch is made up."""
    offset = states.truth[version]["oracle_metadata_offset"]
    oracle = described((states.oracle[version] / "topics-describe.txt").read_text())
    rows = [row for row in at(states.rows(version, form, "partition_changes"), offset) if row["topic"] in oracle]
    assert len(rows) > 10
    for row in rows:
        live = oracle[row["topic"]]["partitions"][row["partition"]]
        assert row["leader_id"] in (live["leader"], None)
        assert row["isr"] in (live["Isr"], None)
        assert row["leader_epoch"] is None
    (log,) = states.rows(version, form, "quorum_logs")
    assert log["undecoded_records"] > 40
    assert "PARTITION_RECORD" in log["some_undecoded"]


@pytest.mark.parametrize(("version", "form"), TELLING)
def test_every_change_of_every_partition(states, version, form):
    here = known(states, version, form)
    expected = {
        (topic["topic_id"], int(partition), change["offset"]): change
        for topic in states.truth[version]["topics"]
        for partition, changes in topic["partitions"].items()
        for change in changes
        if change["offset"] in here and change["change"] in ("created", "changed")
    }
    rows = {
        (row["topic_id"], row["partition"], row["offset"]): row
        for row in states.rows(version, form, "partition_changes")
        if row["change"] in ("created", "changed")
    }
    assert rows.keys() == expected.keys()
    for key, change in expected.items():
        row = rows[key]
        assert {name: row[ours] for name, ours in PARTITION_FIELDS.items()} == {
            n: change[n] for n in PARTITION_FIELDS
        }, key
        assert (row["changed_ms"], int(row["recovering"])) == (change["ts"], change["recovery"])


@pytest.mark.parametrize(("version", "form"), ALL)
def test_unclean_elections_are_those_of_the_truth(states, version, form):
    here = known(states, version, form)
    expected = [
        (one["offset"], one["ts"], one["topic"], one["partition"], one["new_leader"], one["previous_leader"])
        for one in states.truth[version]["unclean_elections"]
        if one["offset"] in here
    ]
    found = [row for row in states.rows(version, form, "partition_changes") if row["unclean"]]
    assert [
        (row["offset"], row["changed_ms"], row["topic"], row["partition"], row["leader_id"], row["previous_leader_id"])
        for row in found
    ] == expected
    clean = {one["offset"] for one in states.truth[version]["leader_not_in_previous_isr_but_clean"]}
    assert clean
    assert not clean & {row["offset"] for row in found}


@pytest.mark.parametrize(("version", "form"), TELLING)
def test_partition_counts(states, version, form):
    here = known(states, version, form)
    expected = [
        (topic["name"], one["count"], one["offset"], one["last_offset"], one["ts"])
        for topic in states.truth[version]["topics"]
        for one in topic["partition_counts"]
        if one["offset"] in here
    ]
    rows = [row for row in states.rows(version, form, "partition_counts") if row["changed_ms"]]
    assert sorted(
        (row["topic"], row["partition_count"], row["offset"], row["last_added_offset"], row["changed_ms"])
        for row in rows
    ) == sorted(expected)


@pytest.mark.parametrize(("version", "form"), TELLING)
def test_brokers(states, version, form):
    here = known(states, version, form)
    words = {"in controlled shutdown": "controlled_shutdown"}
    expected = [
        (one["offset"], one["ts"], one["broker"], words.get(one["event"], one["event"]), one["epoch"], one["fenced"])
        for one in states.truth[version]["brokers"]
        if one["offset"] in here
    ]
    rows = [row for row in states.rows(version, form, "broker_events") if row["changed_ms"]]
    assert [
        (row["offset"], row["changed_ms"], row["broker"], row["event"], row["broker_epoch"], row["fenced"])
        for row in rows
    ] == expected
    if here.start == 0:
        registered = [one for one in expected if one[3] == "registered"]
        assert sum(row["restart"] for row in rows) == len(registered) - 3


@pytest.mark.parametrize(("version", "form"), ALL)
def test_features_and_settings(states, version, form):
    here = known(states, version, form)
    rows = [row for row in states.rows(version, form, "dynamic_configs") if row["resource_type"] == "feature"]
    features = [row for row in rows if row["changed_ms"]]
    expected = [(one["offset"], one["ts"], one["name"], one["level"]) for one in states.truth[version]["features"]]
    if version == "3.9.1":
        assert len(expected) == 3  # the static quorum's kraft.version is an ordinary feature there
    found = [(row["offset"], row["changed_ms"], row["config"], int(row["setting"])) for row in features]
    assert [one for one in found if one[0] != _kraft_version(states, version)] == [
        one for one in expected if one[0] in here
    ]
    offset = states.truth[version]["oracle_metadata_offset"]
    levels = {row["config"]: int(row["setting"]) for row in at(rows, offset)}
    live = dict(re.findall(r"Feature: (\S+)\t.*FinalizedVersionLevel: (\d+)\t", (states.oracle[version] / "features-describe.txt").read_text()))  # fmt: skip
    live = {name: int(level) for name, level in live.items()}
    shown = {name: level for name, level in live.items() if level}
    if version != "3.9.1" and form in SILENT:
        shown.pop("kraft.version")
    assert {name: level for name, level in levels.items() if level and name != "metadata.version"} == shown
    assert levels["metadata.version"] == states.truth[version]["features_at_oracle"]["metadata.version"]


def _kraft_version(states: States, version: str) -> int | None:
    """The offset of the control record that finalizes kraft.version, where the quorum has one."""
    return next(
        (one["offset"] for one in states.truth[version]["control_records"] if one["type"] == "KRAFT_VERSION"), None
    )


@pytest.mark.parametrize(("version", "form"), ALL)
def test_dynamic_settings_of_the_oracle(states, version, form):
    offset = states.truth[version]["oracle_metadata_offset"]
    rows = at(states.rows(version, form, "dynamic_configs"), offset)
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        if row["setting"] is not None and row["resource_type"] != "feature":
            found.setdefault((row["resource_type"], row["resource"]), {})[row["config"]] = row["setting"]
    live: dict[tuple[str, str], dict[str, str]] = {}
    for name in ("configs-topics-overrides.txt", "configs-broker-default.txt", "configs-broker-2.txt"):
        about = ("", "")
        for line in (states.oracle[version] / name).read_text().splitlines():
            head = re.match(r"(?:Dynamic|Default) configs for (?:(topic|broker) (\S+)|brokers)", line)
            if head:
                about = (head[1] or "broker", head[2] or "")
            elif about != ("", ""):
                setting = line.split()[0].partition("=")
                live.setdefault(about, {})[setting[0]] = setting[2]
    assert found == live


@pytest.mark.parametrize(("version", "form"), ALL)
def test_producer_id_blocks(states, version, form):
    here = known(states, version, form)
    expected = [
        (one["offset"], one["broker"], one["next_producer_id"] - 1000, one["next_producer_id"] - 1, one["ts"])
        for one in states.truth[version]["producer_ids"]
        if one["offset"] in here
    ]
    rows = [row for row in states.rows(version, form, "producer_id_blocks") if row["changed_ms"]]
    assert [
        (row["offset"], row["broker"], row["first_producer_id"], row["last_producer_id"], row["changed_ms"])
        for row in rows
    ] == expected


@pytest.mark.parametrize(("version", "form"), ALL)
def test_leaders_of_the_quorum(states, version, form):
    here = known(states, version, form)
    expected = [
        (one["offset"], one["ts"], one["leader_epoch"], one["leader"])
        for one in states.truth[version]["control_records"]
        if one["type"] == "LEADER_CHANGE" and one["offset"] in here
    ]
    events = states.rows(version, form, "quorum_events")
    rows = [row for row in events if row["event"] == "quorum_leader"]
    silent = form in (*SILENT, "3.9.1")
    assert [(row["offset"], row["changed_ms"], int(row["now"])) for row in rows] == [one[:3] for one in expected]
    assert [row["broker"] for row in rows] == [None if silent else one[3] for one in expected]


def test_a_trimmed_log_begins_with_its_checkpoint(states):
    (log,) = states.rows("3.9.1", "logdir/broker-3", "quorum_logs")
    assert (log["from_start"], log["complete"], log["checkpoint_end"]) == (False, True, 801)
    changes = states.rows("3.9.1", "logdir/broker-3", "partition_changes")
    checkpoint = [row for row in changes if row["change"] == "checkpoint"]
    assert checkpoint
    assert {row["offset"] for row in checkpoint} == {800}
    assert {row["changed_ms"] for row in checkpoint} == {None}
