"""Writes saved records as JSON lines and as Parquet; the files get their names only once they are complete."""

import base64
import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from analyzer.errors import UsageError
from analyzer.tables.rescued import RECORD_SCHEMA, WholeRecord

JSON_LINES, PARQUET, SUMMARY = "records.jsonl", "records.parquet", "rescue.json"
UNFINISHED = ".unfinished"
ROW_GROUP_BYTES = 64 << 20
"""About this many bytes of keys and values are written to Parquet together."""


class RecordFiles:
    """The files of one rescue in a folder of their own; leaving the context without an error completes them."""

    def __init__(self, folder: Path) -> None:
        """Create the folder. Raises UsageError where an earlier rescue is in it: that is never overwritten."""
        there = [name for name in (JSON_LINES, PARQUET, SUMMARY) if (folder / name).exists()]
        if there:
            raise UsageError(f"{folder} holds {there[0]} of an earlier rescue.", do="name another folder with -o.")
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._lines: IO[bytes] = (folder / (JSON_LINES + UNFINISHED)).open("wb")
        self._parquet = pq.ParquetWriter(folder / (PARQUET + UNFINISHED), RECORD_SCHEMA, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0
        self.summary: dict[str, Any] = {}

    def __enter__(self) -> Self:
        """Return the open files."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Complete the files and give them their names; after an error they keep the ending `.unfinished`."""
        if kind is None:
            self._flush()
            summary = json.dumps(self.summary, ensure_ascii=False, indent=2) + "\n"
            (self._folder / (SUMMARY + UNFINISHED)).write_text(summary, encoding="utf-8")
        self._lines.close()
        self._parquet.close()
        if kind is None:
            for name in (JSON_LINES, PARQUET, SUMMARY):
                _settle(self._folder / (name + UNFINISHED), self._folder / name)

    def add(self, topic: str, partition: int, records: Sequence[WholeRecord]) -> None:
        """Write records of a partition."""
        for record in records:
            row = {"topic": topic, "partition": partition} | {
                name: getattr(record, name) for name in RECORD_SCHEMA.names[2:]
            }
            row["headers"] = [{"key": key, "value": value} for key, value in record.headers]
            self._lines.write(json.dumps(_encoded(row), separators=(",", ":")).encode() + b"\n")
            self._rows.append(row)
            self._bytes += len(record.key or b"") + len(record.value or b"")
        if self._bytes > ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._parquet.write_table(pa.Table.from_pylist(self._rows, schema=RECORD_SCHEMA))
        self._rows, self._bytes = [], 0


def _encoded(value: Any) -> Any:  # noqa: ANN401 - any value of a row
    """Return a row's value with all bytes in base64; null stays null."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, list):
        return [_encoded(one) for one in value]
    return {name: _encoded(one) for name, one in value.items()} if isinstance(value, dict) else value


def _settle(unfinished: Path, path: Path) -> None:
    """Bring a file to the disk and give it its name."""
    with unfinished.open("rb+") as stream:
        os.fsync(stream.fileno())
    unfinished.rename(path)
