"""What stands at a place of a file that was read, as a finding or an answer quotes it."""

from collections.abc import Mapping
from typing import Any

from analyzer.kafka.wrapped_lines import without_escapes
from analyzer.opening import raw_file, read_line
from analyzer.tables import RAW_KINDS

GONE = "(the file is no longer there)"


def quoted(
    file: Mapping[str, Any], path: str, line: int | None, byte_offset: int, record: int | None = None
) -> dict[str, Any]:
    """Return a quote: file and line of a text file, or file and position of a raw file (a row of `capture_files`)."""
    raw = file["file_kind"] in RAW_KINDS
    try:
        text = _rendered(file, byte_offset, record) if raw else _line(file, byte_offset)
    except OSError:
        text = GONE
    place = {"position": byte_offset} if raw else {"line": line}
    return {"file": path, **place, "text": text}


def _line(file: Mapping[str, Any], byte_offset: int) -> str:
    return without_escapes(read_line(file["absolute_path"], byte_offset, file["compression"], file["encoding"]))


def _rendered(file: Mapping[str, Any], byte_offset: int, record: int | None) -> str:
    from analyzer.parse.segments.reading import line_at  # noqa: PLC0415 - a line of text needs none of it

    with raw_file(file["absolute_path"], file["compression"]) as path:
        return line_at(path, file["file_kind"], byte_offset, record)
