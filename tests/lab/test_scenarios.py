"""What we say of real clusters against what really happened there and what their brokers answered."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analyzer.cli.judging.exit_codes import exit_code

SCENARIOS = (
    "normal_mix", "late_write", "late_write_verified", "epoch_bumps", "in_flight", "snapshot_only", "legacy_formats",
    "S5_kafka13727_1_before", "S5_kafka13727_2_after_pass1", "S5_kafka13727_3_after_pass2",
    "S5_kafka13727_4_after_pass3", "S5_kafka13727_5_recovered", "S5_fixed_1_before", "S5_fixed_2_after_pass1",
    "S5_fixed_3_after_pass2", "S5_fixed_5_recovered", "S5r_reassigned_replica", "S8_marker_lost", "S8b_truncation",
    "S8c_slipped_after_lost_marker", "S14_prepare_stuck_down", "S14_prepare_stuck_healed",
    "S14c_stuck_coordinator_down", "S15_clean_compaction", "S15_clean_compaction_mid",
)  # fmt: skip
"""Faults of transactions: each must come out whole. Routing, groups and keys have tests of their own."""

ABOUT = ("topic", "partition", "producer_id", "transactional_id", "first_offset")


def same(expected: dict[str, Any], got: dict[str, Any], names: tuple[str, ...] = ABOUT) -> bool:
    return all(expected.get(name) is None or expected[name] == got.get(name) for name in names)


def names_of(expected: dict[str, Any]) -> set[str]:
    return {expected["kind"], *expected.get("accept", []), *expected.get("alt_kinds", [])}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_expected_finding_and_no_other(scenarios, name):
    document, truth = scenarios[name].document, scenarios[name].truth
    wanted = [e for e in truth["expected_findings"] if e["kind"] != "in_flight"]
    for expected in wanted:
        if not expected.get("optional"):
            hits = [f for f in document["findings"] if f["name"] in names_of(expected) and same(expected, f)]
            assert len(hits) == 1, expected
            assert hits[0]["last_offset"] == expected["last_offset"]
    for finding in document["findings"]:
        assert any(finding["name"] in names_of(e) and same(e, finding) for e in wanted), finding["headline"]


def still_running(expected: dict[str, Any]) -> bool:
    """Whether retention took the data of a transaction that its coordinator still lets run (RULES A 9)."""
    return expected["kind"] == "snapshot_only" and expected.get("coordinator_state") == "Ongoing"


@pytest.mark.parametrize("name", SCENARIOS)
def test_running_transactions_are_in_flight(scenarios, name):
    document, truth = scenarios[name].document, scenarios[name].truth
    wanted = [e for e in truth["expected_findings"] if e["kind"] == "in_flight" or still_running(e)]
    got = [row for row in document["open_transactions"] if row["verdict"] == "in_flight"]
    assert len(wanted) == len(got)
    for expected in wanted:
        assert [row for row in got if same(expected, row) and row["last_offset"] == expected["last_offset"]], expected


@pytest.mark.parametrize("name", SCENARIOS)
def test_exit_code(scenarios, name):
    faults = [e for e in scenarios[name].truth["expected_findings"] if e["kind"] != "in_flight"]
    sure = [e for e in faults if not e.get("optional")]
    assert exit_code([scenarios[name].document]) in ({1} if sure else {0, 1} if faults else {0})


def test_lso_equals_the_brokers_in_every_partition(scenarios):
    wrong, compared = [], 0
    for scenario in scenarios.values():
        for partition, answer in brokers_offsets(scenario.folder).items():
            rows = judged_rows(scenario.document, partition)
            if not rows and not list(scenario.dumps.glob(f"*/{partition}")):
                continue
            compared += 1
            if answer["lso"] not in {row["lso"] for row in rows}:
                wrong.append((scenario.name, partition, answer["lso"], [row["lso"] for row in rows]))
    assert not wrong
    assert compared > 1_000


def test_open_transactions_equal_describe_producers(scenarios):
    wrong, compared = [], 0
    for scenario in scenarios.values():
        for partition, wanted in brokers_opens(scenario.folder).items():
            apart = partition in scenario.truth.get("open_not_comparable", [])
            if apart or not list(scenario.dumps.glob(f"*/{partition}")):
                continue
            compared += 1
            topic, _, number = partition.rpartition("-")
            got = {
                (row["producer_id"], row["first_offset"])
                for row in scenario.document["open_transactions"]
                if row["authority"] and row["topic"] == topic and row["partition"] == int(number)
            }
            if got != wanted:
                wrong.append((scenario.name, partition, wanted, got))
    assert not wrong
    assert compared > 100


def test_nothing_healthy_is_accused_anywhere(scenarios):
    """In every scenario, also of faults that have no detector yet: what we accuse is at a transaction that is broken."""
    for scenario in scenarios.values():
        faults = [e for e in scenario.expected() if e["kind"] != "in_flight"]
        for finding in scenario.document["findings"]:
            about = ("topic", "partition", *(["producer_id"] if finding["producer_id"] is not None else []))
            assert any(same(e, finding, about) for e in faults), (
                scenario.name,
                finding["headline"],
            )


def test_controls_are_clean(scenarios):
    for scenario in scenarios.values():
        if not scenario.expected():
            assert scenario.document["verdict"] == "clean", scenario.name
            assert not scenario.document["findings"], scenario.name


def test_every_quoted_line_stands_in_its_file(scenarios):
    quoted = 0
    for scenario in scenarios.values():
        for finding in scenario.document["findings"]:
            assert finding["evidence"], finding["headline"]
            for evidence in finding["evidence"]:
                lines = (scenario.dumps / evidence["file"]).read_bytes().split(b"\n")
                line = lines[evidence["line"] - 1].rstrip(b"\r").decode("utf-8", "replace")
                assert evidence["text"] == line
                quoted += 1
    assert quoted > 30


def test_nothing_of_undamaged_dumps_is_left_unparsed(scenarios):
    unparsed = {s.name: s.document["unparsed"]["lines"] for s in scenarios.values() if s.document["unparsed"]["lines"]}
    assert not unparsed


def test_records_without_timestamps_are_of_the_time_of_their_update(scenarios):
    """What brokers wrote in message format 0 has no timestamps; the state in it tells when it was made."""
    document = scenarios["legacy_formats"].document
    state, taken = document["coverage"]["state"], document["capture"]["captured_at"]
    assert taken - 3_600_000 < state["from"] <= state["to"] <= taken


def test_documents_follow_the_schema(scenarios):
    schema = json.loads((Path(__file__).parents[2] / "schemas" / "report.schema.json").read_text())
    for scenario in scenarios.values():
        jsonschema.validate(scenario.document, schema)


def brokers_offsets(folder: Path) -> dict[str, dict[str, int]]:
    """The live brokers' LSO, high watermark and start, by partition; without the leaderless ones."""
    path = folder / "oracle" / "offsets.json"
    answers = json.loads(path.read_text()) if path.exists() else {}
    return {
        name: answer for name, answer in answers.items() if isinstance(answer, dict) and answer.get("lso") is not None
    }


def judged_rows(document: dict[str, Any], partition: str) -> list[dict[str, Any]]:
    topic, _, number = partition.rpartition("-")
    return [row for row in document["partitions"] if row["topic"] == topic and row["partition"] == int(number)]


def brokers_opens(folder: Path) -> dict[str, set[tuple[int, int]]]:
    """What kafka-transactions.sh describe-producers said: (producer id, start offset) by partition."""
    out: dict[str, set[tuple[int, int]]] = {}
    for path in (folder / "oracle").glob("describe-producers.*.txt"):
        partition = path.name.removeprefix("describe-producers.").removesuffix(".txt")
        if ".broker-" not in partition:
            add_opens(out, partition, path.read_text())
    whole = folder / "oracle" / "describe-producers.txt"
    if whole.exists():
        for part in whole.read_text().split("$ ")[1:]:
            asked = re.search(r"--topic (\S+) --partition (\d+)", part)
            if asked:
                add_opens(out, f"{asked[1]}-{asked[2]}", part)
    return out


def add_opens(out: dict[str, set[tuple[int, int]]], partition: str, answer: str) -> None:
    lines = answer.splitlines()
    headers = [number for number, line in enumerate(lines) if line.split()[:1] == ["ProducerId"]]
    if not headers:
        return
    rows = [line.split() for line in lines[headers[0] + 1 :]]
    rows = [row for row in rows if len(row) == 6 and row[0].lstrip("-").isdigit()]
    if rows:
        out.setdefault(partition, set()).update((int(row[0]), int(row[5])) for row in rows if row[5] != "None")
