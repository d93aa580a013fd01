"""Answers of tools, and lines of franz-go: their copy keeps the tables, and that the brokers are Redpanda's."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))
sys.path.insert(0, str(Path(__file__).parent.parent / "parse"))

from copies import copy_of
from test_dated_answers import ASK, AT_NINE, TABLE
from test_logs import IN_JSON, facts
from test_loops import OF_TOPIC
from test_other_brokers import CLUSTER, NAMED
from test_other_tools import KCL_DESCRIBED, KCL_PRODUCERS, RPK_DESCRIBED, RPK_PRODUCERS, read
from test_values import (
    AKHQ,
    CALLED,
    DESCRIBED,
    GROUPS,
    KAFKA_UI,
    KAFKACTL_TABLE,
    KAFKACTL_YAML,
    OF_RPK,
    PRINTED,
    PRODUCER,
    REDPANDAS,
    STATES,
    TOPIC_TABLE,
)

PASTES = {
    "rpk": NAMED["rpk"],
    "log": NAMED["client"],
    "producers of kcl": KCL_PRODUCERS,
    "producers of rpk": RPK_PRODUCERS,
    "described by kcl": KCL_DESCRIBED,
    "described by rpk": RPK_DESCRIBED.format("orders[0;3],payments[1]"),
    "dated": AT_NINE.format("UTC") + ASK + TABLE + AT_NINE.format("CEST") + ASK + TABLE,
    "of a loop": f"{OF_TOPIC}== orders-6\n{TABLE}",
    "kafka-python": json.dumps({"orders:3": {"active_producers": [PRODUCER]}}, indent=2),
    "printed by kafka-python": PRINTED + CALLED + DESCRIBED,
    "yaml of rpk": OF_RPK,
    "Admin API of Redpanda": json.dumps([REDPANDAS]),
    "AKHQ": json.dumps(AKHQ, indent=2),
    "Kafka UI": json.dumps(KAFKA_UI),
    "Cruise Control": STATES,
    "kafkactl": TOPIC_TABLE + KAFKACTL_TABLE,
    "yaml of kafkactl": KAFKACTL_YAML,
    **{f"group {number}": json.dumps(group) for number, group in enumerate(GROUPS)},
}
NUMBERS = (
    "asked",
    "partition",
    "producer_id",
    "producer_epoch",
    "state",
    "first_offset",
    "last_ms",
    "started_ms",
    "answered_ms",
)


@pytest.mark.parametrize("name", PASTES)
def test_a_copy_says_the_same(tmp_path, name):
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "paste.txt").write_text(PASTES[name])
    copy = copy_of(name, folder, tmp_path / "copy")
    [made] = copy.folder.rglob("*.txt")
    text = made.read_text()
    assert "orders" not in text
    assert CLUSTER not in text
    before, after = read(tmp_path, PASTES[name]), read(tmp_path, text)
    assert [[row[one] for one in NUMBERS] for row in after["answers"]] == [
        [row[one] for one in NUMBERS] for row in before["answers"]
    ]
    seen = [[row["observed"] for row in facts["observations"]] for facts in (before, after)]
    assert seen[0] == seen[1]


def test_a_copy_of_json_says_the_same(tmp_path):
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "paste.txt").write_text("".join(f"{json.dumps(line)}\n" for line, *_ in IN_JSON[:2]))
    copy = copy_of("franz", folder, tmp_path / "copy")
    [made] = copy.folder.rglob("*.txt")
    rows = [row for row in facts(made.read_text()) if row["table"] == "log_lines"]
    assert [(row["says"], row["producer_id"], row["producer_epoch"]) for row in rows] == [
        (says, producer_id, epoch) for _, says, _, producer_id, epoch in IN_JSON[:2]
    ]
    assert "pay-1" not in made.read_text()


def test_a_copy_of_an_answer_in_a_log_says_the_same(tmp_path):
    """What is read as a log kept no line that a log does not say."""
    row = {"broker": 1, "transaction_id": "pay-1", "producer_id": 5017, "state": "Ongoing"}
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "paste.txt").write_text(f"{json.dumps([row])}\n")
    [made] = copy_of("rpk", folder, tmp_path / "copy").folder.rglob("*.txt")
    assert "pay-1" not in made.read_text()
    [answer] = [row for row in facts(made.read_text()) if row["table"] == "answers"]
    assert (answer["producer_id"], answer["state"], answer["coordinator"]) == (5017, "Ongoing", 1)
