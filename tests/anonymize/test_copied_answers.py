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

PASTES = {
    "rpk": NAMED["rpk"],
    "log": NAMED["client"],
    "producers of kcl": KCL_PRODUCERS,
    "producers of rpk": RPK_PRODUCERS,
    "described by kcl": KCL_DESCRIBED,
    "described by rpk": RPK_DESCRIBED.format("orders[0;3],payments[1]"),
    "dated": AT_NINE.format("UTC") + ASK + TABLE + AT_NINE.format("CEST") + ASK + TABLE,
    "of a loop": f"{OF_TOPIC}== orders-6\n{TABLE}",
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
