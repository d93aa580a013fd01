"""The recipe of docs/rescue.md: what it hands to a producer is what was saved, and it refuses what it cannot keep."""

import base64
import json
import re
import sys
import types
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "rescue.md"
ROWS = [
    {"key": None, "value": b"", "headers": []},
    {"key": b"\x00\xff", "value": None, "headers": [(b"trace", b"1"), (b"trace", None), (b"trace", b"\xff")]},
    {"key": b"", "value": b"line\nline", "headers": [("ключ".encode(), b"")]},
]


def encoded(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


@pytest.fixture
def replay(tmp_path, monkeypatch):
    """A function: rows of records.jsonl in, what the recipe did with its client out."""

    def _replay(rows):
        calls = []

        class Producer:
            """Takes note of what a client is asked to do."""

            def __init__(self, settings):
                assert settings["transactional.id"]

            def __len__(self):
                return 0

            def __getattr__(self, name):
                return lambda *args, **named: calls.append((name, args, named))

        path = tmp_path / "records.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        monkeypatch.setitem(sys.modules, "confluent_kafka", types.SimpleNamespace(Producer=Producer))
        monkeypatch.setattr("sys.argv", ["replay.py", str(path), "broker:9092"])
        (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        exec(compile(code, "replay.py", "exec"), {})  # noqa: S102 - the recipe as a reader would run it
        return calls

    return _replay


def rows(**changed):
    for number, row in enumerate(ROWS):
        headers = [{"key": encoded(key), "value": encoded(value)} for key, value in row["headers"]]
        place = {"topic": "orders", "partition": 2, "offset": number, "timestamp": 1000 + number, "doubt": None}
        yield place | {"key": encoded(row["key"]), "value": encoded(row["value"]), "headers": headers} | changed


def test_every_byte_is_produced_again_in_one_transaction(replay):
    calls = [(name, args, named) for name, args, named in replay(rows()) if name != "poll"]
    names = [name for name, _, _ in calls]
    assert names == ["init_transactions", "begin_transaction", *["produce"] * 3, "commit_transaction"]
    produced = [(args, named) for name, args, named in calls if name == "produce"]
    assert produced == [
        (
            ("orders",),
            {"partition": 2, "timestamp": 1000 + number}
            | row
            | {"headers": [(key.decode(), value) for key, value in row["headers"]]},
        )
        for number, row in enumerate(ROWS)
    ]


@pytest.mark.parametrize("changed", [{"doubt": "bytes that are not UTF-8"}, {"topic": "__consumer_offsets"}])
def test_what_must_not_be_produced_is_refused_before_anything_is(replay, changed):
    with pytest.raises(SystemExit, match="in doubt, or of an internal topic"):
        replay(rows(**changed))
