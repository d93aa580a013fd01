"""What the tests of the readers share: text in, rows by table out."""

import io
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.opening import open_text
from analyzer.parse.reading import read_stream
from analyzer.tables import TABLES

Facts = dict[str, list[dict[str, Any]]]


def rows_by_table(batches) -> Facts:
    """Return the rows of each table with its own columns; a row may fill no column of another table."""
    facts: Facts = defaultdict(list)
    for batch in batches:
        for row in batch.to_pylist():
            table = row.pop("table")
            names = TABLES[table].names
            assert all(value is None or name in names for name, value in row.items()), row
            facts[table].append({name: row[name] for name in names if name != "file_id"})
    return facts


@pytest.fixture(scope="session")
def read() -> Callable[..., Facts]:
    """A function: text, bytes or path of a file in, its rows by table out."""

    def _read(
        what: str | bytes | Path, kind: str = "dump", name: str = "", encoding: str = "utf-8", **options
    ) -> Facts:
        if isinstance(what, Path):
            compression = {".gz": "gzip", ".zst": "zstd"}.get(what.suffix, "")
            with open_text(what, compression, encoding) as stream:
                return rows_by_table(read_stream(stream, kind, name or what.name, "file", **options))
        data = what.encode() if isinstance(what, str) else what
        return rows_by_table(read_stream(io.BytesIO(data), kind, name, "file", **options))

    return _read
