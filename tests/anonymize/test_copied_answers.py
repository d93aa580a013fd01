"""Answers of rpk and kcl: their copy keeps the tables, and that the brokers are Redpanda's."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))
sys.path.insert(0, str(Path(__file__).parent.parent / "parse"))

from copies import copy_of
from test_other_brokers import CLUSTER, NAMED
from test_other_tools import KCL_DESCRIBED, KCL_PRODUCERS, RPK_DESCRIBED, RPK_PRODUCERS, read

PASTES = {
    "rpk": NAMED["rpk"],
    "log": NAMED["client"],
    "producers of kcl": KCL_PRODUCERS,
    "producers of rpk": RPK_PRODUCERS,
    "described by kcl": KCL_DESCRIBED,
    "described by rpk": RPK_DESCRIBED.format("orders[0;3],payments[1]"),
}
NUMBERS = ("asked", "partition", "producer_id", "producer_epoch", "state", "first_offset", "last_ms", "started_ms")


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
