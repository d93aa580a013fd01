"""What the tests of the raw readers share: a file or bytes in, its rows by table out."""

import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from analyzer.parse.segments.reading import read_raw
from analyzer.tables import TABLES

Facts = dict[str, list[dict[str, Any]]]


def kind_of(path: Path) -> str:
    """How a file of a log dir is read."""
    if path.suffix != ".log":
        return path.suffix.removeprefix(".")
    topic = path.parent.name.rpartition("-")[0]
    return {"__transaction_state": "transaction_segment", "__consumer_offsets": "offsets_segment"}.get(topic, "segment")


@pytest.fixture(scope="session")
def read() -> Callable[..., Facts]:
    """A function: a raw file in, its rows by table out; no row fills a column of another table."""

    def _read(path: Path, kind: str = "", **options) -> Facts:
        facts: Facts = defaultdict(list)
        for batch in read_raw(str(path), kind or kind_of(path), path.name, "file", **options):
            for row in batch.to_pylist():
                table = row.pop("table")
                names = TABLES[table].names
                assert all(value is None or name in names for name, value in row.items()), row
                facts[table].append({name: row[name] for name in names if name != "file_id"})
        # Plain records of a stretch come before the others.
        facts.get("coordinator_states", []).sort(key=lambda row: (row["byte_offset"], row["record"]))
        return facts

    return _read
