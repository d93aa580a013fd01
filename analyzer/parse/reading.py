"""Reads a raw file or a text of Kafka's tools into rows of the fact tables, in one pass and bounded memory."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

import pyarrow as pa

from analyzer.kafka.placement import own_name
from analyzer.opening import name_before, open_text, raw_file
from analyzer.parse.console.reader import read_console
from analyzer.parse.dump.reader import read_dump
from analyzer.parse.logs.reader import read_log
from analyzer.parse.rows import SCHEMA, Rows
from analyzer.parse.segments.reading import line_at, read_raw
from analyzer.parse.small_files.admin import read_admin
from analyzer.parse.small_files.checkpoints import read_checkpoint, read_metadata
from analyzer.parse.small_files.pasted import Pasted
from analyzer.parse.small_files.stderr import read_stderr
from analyzer.parse.stream import BLOCK_BYTES, Lines
from analyzer.tables import NO_KEYS, RAW_KINDS, KeyReading, Source

__all__ = ["SCHEMA", "line_at", "read_facts", "read_stream"]


def read_facts(source: Source, *, rows_per_batch: int = 65_536) -> Iterator[pa.RecordBatch]:
    """Yield the facts of a file as Arrow batches of SCHEMA: `table`, then every column of every fact table.

    A row fills the columns of its own table only. A raw segment is read in the part that the source names. Bad content
    never raises: it becomes rows of `unparsed_lines` or `damaged_ranges` and a section's ending and note. Raises
    OSError if the file cannot be opened.
    """
    name = PurePath(source.absolute_path).name
    name = own_name(name_before(name) if source.compression else name)
    if source.file_kind in RAW_KINDS:
        with raw_file(source.absolute_path, source.compression) as path:
            yield from read_raw(
                path,
                source.file_kind,
                name,
                source.file_id,
                part=(source.first_byte, source.stop_byte),
                check_crc=source.check_crc,
                keys=source.keys,
                rows_per_batch=rows_per_batch,
            )
        return
    with open_text(source.absolute_path, source.compression, source.encoding) as stream:
        yield from read_stream(
            stream, source.file_kind, name, source.file_id, keys=source.keys, rows_per_batch=rows_per_batch
        )


def read_stream(
    stream: BinaryIO,
    file_kind: str,
    name: str,
    file_id: str,
    *,
    keys: KeyReading = NO_KEYS,
    rows_per_batch: int = 65_536,
    block_bytes: int = BLOCK_BYTES,
    bulk: bool = True,
) -> Iterator[pa.RecordBatch]:
    """Yield the facts of UTF-8 text of this kind (`capture_files.file_kind`) and file name.

    `block_bytes` (how much is read at a time) and `bulk` (the fast way for plain dumps and logs) change no row.
    """
    rows = Rows(file_id)
    for _ in _reader(stream, file_kind, name, rows, block_bytes, bulk=bulk, keys=keys):
        if rows.count >= rows_per_batch:
            yield from rows.take(rows_per_batch)
    yield from rows.take(rows_per_batch)


def _reader(
    stream: BinaryIO, file_kind: str, name: str, rows: Rows, block_bytes: int, *, bulk: bool, keys: KeyReading
) -> Iterator[None]:
    if file_kind == "console":
        return read_console(stream, rows, block_bytes)
    lines = Lines(stream, block_bytes)
    if lines.ended and not lines.fault:
        return iter(())
    if file_kind == "checkpoint":
        return read_checkpoint(lines, rows, name)
    if file_kind == "metadata":
        return read_metadata(lines, rows)
    if file_kind == "admin":
        return read_admin(lines, rows, name)
    if file_kind == "broker_log":
        pasted = Pasted(rows, name)
        return read_log(lines, rows, pasted.take, pasted.close, bulk=bulk)
    if file_kind == "stderr":
        return read_stderr(lines, rows)
    return read_dump(lines, rows, bulk=bulk, keys=keys)
