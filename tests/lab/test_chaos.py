"""A cluster under chaos, from raw files with a compacted coordinator: what hung there was proven on the live cluster."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from judged_together import Document, judged_together
from judging import Row, false_accusations, hangs, named
from test_scenarios import brokers_offsets, brokers_opens, judged_rows

from analyzer.report.rendering import render
from tests.report.screens import rows_of

NAME = "chaos_391"


@judged_together
def documents(lab) -> dict[str, Path]:
    return {NAME: lab / "dev" / NAME / "logdir"}


@pytest.fixture
def chaos(documents) -> Document:
    return documents[NAME]


@pytest.fixture(scope="module")
def truth(lab) -> Row:
    return json.loads((lab / "dev" / NAME / "truth.json").read_text())


def test_the_report_of_it_stays_short_and_begins_with_its_causes(chaos):
    lines = render(chaos, "text").splitlines()
    assert len(lines) <= 250
    causes = [line for line in lines[:40] if line.startswith("CAUSE ")]
    assert len(causes) >= 3
    assert len(rows_of(chaos)) >= len(causes)


def test_every_hang_is_named(chaos, truth):
    assert len(hangs(truth)) == 51
    assert hangs(truth) - named(chaos) == set()


def test_nobody_else_is_accused(chaos, truth):
    assert false_accusations(chaos, truth) == []


def test_each_hang_has_a_name_that_is_right(chaos, truth):
    for expected in truth["expected_findings"]:
        row = next(row for row in chaos["open_transactions"] if row["authority"] and place(row) == place(expected))
        assert row["verdict"] in {expected["kind"], *expected["accept"]}, row


def test_the_causes_that_files_tell_are_told(chaos):
    causes = Counter(row["verdict"] for row in chaos["open_transactions"] if row["authority"])
    assert causes["hanging_late_write"] >= 24
    assert not causes["undecided"]


def test_lso_and_open_sets_are_the_brokers_own(chaos, lab, truth):
    compared = 0
    for partition, answer in brokers_offsets(lab / "dev" / NAME).items():
        rows = [row for row in judged_rows(chaos, partition) if row["authority"]]
        assert [row["lso"] for row in rows] == [answer["lso"]], partition
        compared += 1
    for partition, wanted in brokers_opens(lab / "dev" / NAME).items():
        if partition not in truth.get("open_not_comparable", []):
            topic, _, number = partition.rpartition("-")
            rows = [row for row in chaos["open_transactions"] if row["authority"]]
            mine = [row for row in rows if (row["topic"], row["partition"]) == (topic, int(number))]
            assert {(row["producer_id"], row["first_offset"]) for row in mine} == wanted, partition
    assert compared > 30


def test_the_coordinators_answer_as_plans_expect(chaos, lab):
    answers = coordinators_answers(lab / "dev" / NAME)
    asked = 0
    for finding in chaos["findings"]:
        for step in finding["action"].get("steps") or []:
            command = step["commands"][0]["command"] if step["commands"] else ""
            if step["stage"] == "check" and " describe --transactional-id " in command:
                expected = step["expect"].partition(";")[0]
                assert expected == f"TransactionState {answers[finding['transactional_id']]}", finding["id"]
                asked += 1
    assert asked == 51


def test_no_plan_expects_a_stable_offset_below_the_log_start(chaos):
    starts = {f"{row['topic']}-{row['partition']}": row["log_start_offset"] for row in chaos["partitions"]}
    expected = re.compile(
        r"verify: the LSO of (\S+) (?:moves|stays)(?: from (\d+))?(?: to| at)(?: the high watermark)? \(?(\d+)"
    )
    seen = 0
    for finding in chaos["findings"]:
        for step in finding["action"].get("steps") or []:
            for partition, *offsets in expected.findall(step["text"]):
                assert all(int(offset) >= starts[partition] for offset in offsets if offset), (
                    finding["id"],
                    step["text"],
                )
                seen += 1
    assert seen >= 40


def coordinators_answers(folder: Path) -> dict[str, str]:
    """What kafka-transactions.sh list said: the state of each id."""
    rows = [line.split() for line in (folder / "oracle" / "transactions-list.txt").read_text().splitlines()]
    return {row[0]: row[3] for row in rows if len(row) == 4 and row[0] != "TransactionalId"}


def place(row: Row) -> tuple[str, int, int]:
    return row["topic"], row["partition"], row["producer_id"]
