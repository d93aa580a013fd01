"""Answers of searches in logs that are one line of more than is held at once."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table

from analyzer.kafka.pasting.json_pieces import JsonPieces
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

SAID = (
    "[TransactionCoordinator id=1] Completed rollback of ongoing transaction for transactionalId pay-{} due to timeout"
)
QUIET = {"_source": {"@timestamp": "2026-11-21T09:13:21Z", "message": 'nothing "[{ ' + "x" * 1_000}}


def hit(number: int) -> dict:
    return {"_index": "a", "_source": {"@timestamp": "2026-11-21T09:13:21Z", "message": SAID.format(number)}}


ANSWER = {
    "took": 3,
    "shards": {"failures": []},
    "hits": {"total": 9, "hits": [hit(1), QUIET, hit(2)], "tags": [{"a": 1}]},
}


@pytest.mark.parametrize("size", [1, 2, 7, 100, 10_000])
def test_the_pieces_do_not_depend_on_how_much_is_read_at_a_time(size):
    text = json.dumps(ANSWER).encode()
    pieces = JsonPieces()
    lines = b"".join(pieces.take(text[at : at + size]) for at in range(0, len(text), size)).splitlines()
    assert [json.loads(line) for line in lines] == [hit(1), QUIET, hit(2), {"a": 1}]


def test_an_object_that_is_too_long_stays_one_line():
    text = json.dumps([{"message": "y", "pad": "x" * 9_000_000}, hit(2)]).encode()
    pieces = JsonPieces()
    lines = b"".join(pieces.take(text[at : at + 100_000]) for at in range(0, len(text), 100_000)).splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1]) == hit(2)
    assert len(lines[0]) > 9_000_000


def test_a_string_that_is_too_long_is_not_held():
    text = json.dumps({"pad": 'x\\"' * 3_000_000, "hits": [hit(1)]}).encode()
    pieces = JsonPieces()
    lines, most = b"", 0
    for at in range(0, len(text), 100_000):
        lines += pieces.take(text[at : at + 100_000])
        most = max(most, len(pieces._rest))
    assert [json.loads(line) for line in lines.splitlines()] == [hit(1)]
    assert most < 5_000_000


def test_a_long_answer_is_read(tmp_path):
    path = tmp_path / "search.json"
    path.write_text(json.dumps({"hits": {"hits": [hit(1), *[QUIET] * 17_000, hit(2)]}}))
    assert path.stat().st_size > 1 << 24
    facts = rows_by_table(read_facts(scan_capture(CaptureRequest((str(path),))).sources()[0]))
    assert [(row["says"], row["transactional_id"], row["logged_ms"]) for row in facts["log_lines"]] == [
        ("rolled_back", "pay-1", 1_795_252_401_000), ("rolled_back", "pay-2", 1_795_252_401_000)
    ]  # fmt: skip
