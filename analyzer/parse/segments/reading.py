"""Reads the raw files of a log dir into rows, and one place of a raw file as a readable line."""

from collections.abc import Iterator

import pyarrow as pa

from analyzer.parse.rows import Rows
from analyzer.parse.segments.byte_layout import PREFIX_BYTES
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.rendering import rendered
from analyzer.parse.segments.segment import add_plain_section, read_segment
from analyzer.parse.small_files.snapshots_and_indexes import read_snapshot, read_txnindex
from analyzer.tables import NO_KEYS, KeyReading

__all__ = ["line_at", "read_raw"]


def read_raw(
    path: str,
    kind: str,
    name: str,
    file_id: str,
    *,
    part: tuple[int, int | None] = (0, None),
    check_crc: bool = True,
    keys: KeyReading = NO_KEYS,
    rows_per_batch: int = 65_536,
) -> Iterator[pa.RecordBatch]:
    """Yield the facts of a raw file of one of `tables.RAW_KINDS`, or of a part of a segment, as batches of SCHEMA.

    Damage never raises: it becomes rows of `damaged_ranges`. Raises OSError if the file cannot be opened.
    """
    rows = Rows(file_id)
    with RawBytes(path) as file:
        if kind in ("snapshot", "txnindex"):
            data = file.read(0, file.size)
            entries, faults = read_snapshot(data, name, rows) if kind == "snapshot" else read_txnindex(data, rows)
            lost = [("cut_tail", file.size, file.opened_size - file.size)] if file.fault else []
            add_plain_section(kind, entries, faults + lost, rows)
        else:
            for _ in read_segment(file, kind, rows, part=part, check_crc=check_crc, keys=keys):
                if rows.count >= rows_per_batch:
                    yield from rows.take(rows_per_batch)
    yield from rows.take(rows_per_batch)


def line_at(path: str, kind: str, position: int, record: int | None = None) -> str:
    """Return what is at this position of a raw file as one readable line. Raises OSError if it cannot be opened."""
    with RawBytes(path) as file:
        return rendered(file, kind, position, record)


def batch_at(path: str, position: int) -> memoryview:
    """Return the bytes of the batch at this position of a segment. Raises OSError if it cannot be opened."""
    with RawBytes(path) as file:
        head = file.read(position, position + PREFIX_BYTES)
        size = int.from_bytes(head[8:PREFIX_BYTES], "big", signed=True)
        return memoryview(bytes(file.read(position, position + PREFIX_BYTES + max(size, 0))))
