"""The files of a rescue read back: JSON lines and Parquet must say the same."""

import base64
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from consumer import Got


def raw(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The saved records with their bytes."""
    rows = [json.loads(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
    for row in rows:
        row |= {"key": raw(row["key"]), "value": raw(row["value"])}
        row["headers"] = [{"key": raw(one["key"]), "value": raw(one["value"])} for one in row["headers"]]
    assert pq.read_table(folder / "records.parquet").to_pylist() == rows
    assert not list(folder.glob("*.unfinished"))
    return rows


def as_consumed(row: dict[str, Any]) -> Got:
    """A saved record as a consumer would have got it."""
    headers = tuple((one["key"], one["value"]) for one in row["headers"])
    return Got(*(row[name] if name != "headers" else headers for name in Got._fields))


def summary_of(folder: Path) -> list[dict[str, Any]]:
    """What rescue.json says of each transaction."""
    return json.loads((folder / "rescue.json").read_text())["rescued"]
