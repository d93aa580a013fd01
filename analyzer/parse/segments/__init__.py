"""From the raw files of a log dir to rows of the fact tables, and from a position in one to a line a person can read."""

from collections.abc import Iterator

import pyarrow as pa

from analyzer.parse.rows import Rows
from analyzer.parse.segments.layout import mapped
from analyzer.parse.segments.segment import DECODERS, add_plain_section, read_segment
from analyzer.parse.segments.small_files import read_snapshot, read_txnindex

RAW_KINDS = frozenset({*DECODERS, "snapshot", "txnindex"})
"""Kinds of raw files that are read (`capture_files.file_kind`)."""

__all__ = ["RAW_KINDS", "read_raw"]


def read_raw(
    path: str,
    kind: str,
    name: str,
    file_id: str,
    *,
    part: tuple[int, int | None] = (0, None),
    check_crc: bool = True,
    rows_per_batch: int = 65_536,
) -> Iterator[pa.RecordBatch]:
    """Yield the facts of a raw file of one of RAW_KINDS, or of the part of a segment, as batches of `rows.SCHEMA`.

    Damage never raises: it becomes rows of `damaged_ranges`. Raises OSError where the file cannot be opened.
    """
    rows = Rows(file_id)
    data = mapped(path)
    if kind == "snapshot":
        add_plain_section(kind, *read_snapshot(data, name, rows), rows)
    elif kind == "txnindex":
        add_plain_section(kind, *read_txnindex(data, rows), rows)
    else:
        for _ in read_segment(data, kind, rows, part=part, check_crc=check_crc):
            if rows.count >= rows_per_batch:
                yield from rows.take(rows_per_batch)
    yield from rows.take(rows_per_batch)
