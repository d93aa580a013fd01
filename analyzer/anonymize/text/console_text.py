"""Writes the output of the console consumer's formatters again: JSON objects without line ends, or a line a record."""

import json
from collections.abc import Iterator
from typing import BinaryIO

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.json_values import printed_json, replaced_json
from analyzer.anonymize.text.printed_records import replaced_console_line
from analyzer.anonymize.text.text_lines import TextLines
from analyzer.parse.remarks import remark_of

OBJECT = '{"key":'
_BLOCK_BYTES = 1 << 20
_DECODER = json.JSONDecoder()


def written_console(stream: BinaryIO, to: Replacing, lines: TextLines) -> Iterator[bytes]:
    """Yield the new text a line at a time."""
    with stream:
        for line in _lines(stream):
            bare = line.rstrip(b"\r\n")
            yield _line(bare.decode("utf-8", "replace"), to, lines).encode() + line[len(bare) :]


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield lines with their ends: a stream that is made of a file reads blocks only, and a topic may be one line."""
    pieces: list[bytes] = []
    while block := stream.read(_BLOCK_BYTES):
        first, *others = block.split(b"\n")
        pieces.append(first)
        for other in others:
            yield b"".join((*pieces, b"\n"))
            pieces = [other]
    if any(pieces):
        yield b"".join(pieces)


def _line(text: str, to: Replacing, lines: TextLines) -> str:
    new = replaced_console_line(text, to)
    if new is not None:
        return new
    said = remark_of(text.encode())
    if said is not None and remark_of(lines.line(text).encode()) is said:
        return lines.line(text)
    at, parts = 0, []
    while at < len(text):
        begin = text.find(OBJECT, at)
        if begin < 0:
            break
        parts.append(lines.masked(text[at:begin]))
        try:
            value, at = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            parts.append(lines.masked(text[begin : begin + 1]))
            at = begin + 1
            continue
        parts.append(printed_json(replaced_json(value, to)))
    parts.append(lines.masked(text[at:]))
    return "".join(parts)
