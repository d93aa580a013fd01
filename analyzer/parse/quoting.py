"""What stands at a place of a file that was read: a line as it is quoted, the records that a batch has left."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from analyzer.kafka.pasting.characters import without_escapes
from analyzer.opening import open_text, raw_file, read_line, skip
from analyzer.scratch import unpacked_member
from analyzer.tables import RAW_KINDS

GONE = "(the file is no longer there)"
PACKED = "(the file is in an archive, which is not unpacked again for a quote)"
_RECORD = re.compile(rb"\| offset: (\d+) ")
_BLOCK_BYTES = 1 << 16


def quoted(
    file: Mapping[str, Any], path: str, line: int | None, byte_offset: int, record: int | None = None
) -> dict[str, Any]:
    """Return a quote: file and line of a text file, or file and position of a raw file (a row of `capture_files`)."""
    raw = file["file_kind"] in RAW_KINDS
    try:
        text = _rendered(file, byte_offset, record) if raw else _line(file, byte_offset)
    except OSError:
        text = PACKED if unpacked_member(file["absolute_path"]) else GONE
    place = {"position": byte_offset} if raw else {"line": line}
    return {"file": path, **place, "text": text}


def _line(file: Mapping[str, Any], byte_offset: int) -> str:
    return without_escapes(read_line(file["absolute_path"], byte_offset, file["compression"], file["encoding"]))


def _rendered(file: Mapping[str, Any], byte_offset: int, record: int | None) -> str:
    from analyzer.parse.segments.reading import line_at  # noqa: PLC0415 - a line of text needs none of it

    with raw_file(file["absolute_path"], file["compression"]) as path:
        return line_at(path, file["file_kind"], byte_offset, record)


def offsets_left(file: Mapping[str, Any], byte_offset: int) -> frozenset[int] | None:
    """Return the offsets of the records that the batch at this place has: None where the file does not tell.

    It does not where it is gone, where records were not printed, and where their codec cannot be opened. The file is a
    row of `capture_files`; in a dump, a batch's records follow its line: `| offset: 5 CreateTime: 1 keySize: 4 ...`.
    """
    try:
        if file["file_kind"] in RAW_KINDS:
            return _decoded(file, byte_offset)
        with open_text(file["absolute_path"], file["compression"], file["encoding"]) as stream:
            skip(stream, byte_offset, file["compression"], file["encoding"])
            return frozenset(_printed(stream)) or None
    except OSError:
        return None


def _decoded(file: Mapping[str, Any], position: int) -> frozenset[int] | None:
    from analyzer.parse.segments.reading import batch_at  # noqa: PLC0415 - a text needs none of it
    from analyzer.parse.segments.records import records_of  # noqa: PLC0415

    with raw_file(file["absolute_path"], file["compression"]) as path:
        records = records_of(batch_at(path, position))
    return None if records is None else frozenset(record.offset for record in records)


def _printed(stream: BinaryIO) -> Iterator[int]:
    """Yield the offsets of record lines up to the next line of another kind, after the batch line."""
    rest, first = b"", True
    while block := stream.read(_BLOCK_BYTES):
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            found = _RECORD.match(line)
            if found is None and not first:
                return
            first = False
            if found is not None:
                yield int(found[1])
    if (found := _RECORD.match(rest)) is not None:
        yield int(found[1])
