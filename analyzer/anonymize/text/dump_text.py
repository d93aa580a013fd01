r"""Replaces what a dump of DumpLogSegments tells of names, keys and payloads, whichever version printed it.

The reader of dumps cuts the text into batch lines, records with all their lines, and other lines; what each is, is its
knowledge. Here each of these is written again: numbers as they stand, contents replaced.

| offset: 0 CreateTime: 1 keySize: 8 valueSize: 10 sequence: 0 headerKeys: [] key: user-115 payload: user-115#0
"""

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.json_values import printed_json, replaced_json
from analyzer.anonymize.text.paths import Paths
from analyzer.anonymize.text.printed_records import replaced_record
from analyzer.anonymize.text.text_lines import TextLines
from analyzer.parse.dump.printed_payload import printed_payload
from analyzer.parse.dump.reader import read_dump
from analyzer.parse.dump.record_text import decoded
from analyzer.parse.lines.batch_lines import batch_head
from analyzer.parse.lines.printed_text import KEY, PAYLOAD
from analyzer.parse.lines.record_lines import FLAT, MARKER, record_head
from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.stream import Lines

_CRC = re.compile(rb"(?<= crc: )\d{1,10}")
_DUMPING = re.compile(rb"Dumping (\S.*)")
_ENTRY = re.compile(rb"(?:version: \d+ )?(?:producerId|offset|timestamp): .*")
_JSON = re.compile(r"(\] (?:payload: |(?:LeaderChange|Snapshot\w+|KRaft\w+):? ))(\{.*\})", re.DOTALL)
_REFUSED = re.compile(r"\] (?:payload: Error at -?\d+, skipping\. .*|controlType: \w+\(\d{1,9}\))", re.DOTALL)
_UNKNOWN = re.compile(r"\] key: (?:unknown::version=|Unknown record type |Error at offset ).*", re.DOTALL)
_UNKNOWN_VERSION = re.compile(r"\] key: unknown::version=-?\d{1,5}")


class DumpText:
    """Writes one dump again."""

    def __init__(self, to: Replacing, lines: TextLines, paths: Paths) -> None:
        """Use these replacements."""
        self._to = to
        self._lines = lines
        self._paths = paths

    def written(self, stream: BinaryIO, again: BinaryIO) -> Iterator[bytes]:
        """Yield the new text piece by piece; both streams are the same text from its begin on."""
        rows = Rows("")
        lines = Lines(stream)
        begin = lines.offset
        for _ in read_dump(lines, rows, bulk=False):
            yield self._piece(again.read(lines.offset - begin))
            begin = lines.offset
            if rows.count > 1 << 12:
                for _ in rows.take(1 << 16):
                    pass
        yield self._piece(again.read())

    def _piece(self, piece: bytes) -> bytes:
        """Return a batch line, a record with all its lines, or another line, with its line end."""
        body = piece.rstrip(b"\r\n") if piece.count(b"\n") <= 1 else piece[: -1 if piece.endswith(b"\n") else None]
        end = piece[len(body) :]
        if body.endswith(b"\r"):
            body, end = body[:-1], b"\r" + end
        return self._body(body) + end

    def _body(self, body: bytes) -> bytes:
        edge = body.find(b"\n")
        edge = len(body) if edge < 0 else edge
        pipe = record_head(body, 0, edge)
        if pipe:
            head = self._checksums(body[: pipe.text_at])
            rest = body[pipe.text_at :]
            if not pipe.raw_headers:
                return head + self._contents(rest, pipe.key_size, pipe.value_size)
            return head + self._with_headers(rest, pipe.key_size, pipe.value_size)
        if edge == len(body) and batch_head(body, 0, edge, whole=True):
            return self._checksums(body)
        flat = FLAT.match(body, 0, edge)
        if flat:
            return self._flat(flat, body)
        return b"\n".join(map(self._other, body.split(b"\n")))

    def _flat(self, flat: re.Match[bytes], body: bytes) -> bytes:
        head, rest = self._checksums(body[: flat.end()]), body[flat.end() :]
        key, value = int(flat["key"] or flat["oldkey"] or -1), int(flat["value"])
        if flat["sequence"] is not None:
            return head + self._with_headers(rest, key, value)
        return head + self._contents(rest, key, value)

    def _with_headers(self, rest: bytes, key_size: int, value_size: int) -> bytes:
        """Return what follows `headerKeys: [`."""
        text = rest.decode("utf-8", "replace")
        if MARKER.fullmatch(rest) or rest == b"]" or _REFUSED.fullmatch(text):
            return rest
        told = _JSON.fullmatch(text)
        if told and (key_size < 0 or not told[1].startswith("] payload")):
            return self._json(told) or self._filled(rest)
        if rest.startswith(b"]"):
            contents = self._internal(rest[1:], key_size, value_size)
            if contents is not None:
                return b"]" + contents
        if _UNKNOWN_VERSION.fullmatch(text):
            return rest
        if _UNKNOWN.fullmatch(text):
            return self._lines.masked(text).encode()
        if rest.endswith(b"]") and not any(mark in rest for mark in (b"]" + KEY, b"]" + PAYLOAD)):
            return self._headers(rest)
        printed = printed_payload(rest, 0, len(rest), key_size, value_size)
        contents = self._key(printed.key) + self._payload(printed.value)
        new = self._headers(rest[: len(rest) - len(contents)]) + contents
        return new if len(contents) <= len(rest) else self._filled(rest)

    def _headers(self, text: bytes) -> bytes:
        """Return header keys and their `]` with other keys."""
        return re.sub(rb"[^\],\r\n]+", lambda match: self._to.payload(match[0]), text)

    def _contents(self, rest: bytes, key_size: int, value_size: int) -> bytes:
        """Return the contents of a record without header keys: of formats 0 and 1, or of 0.8 to 0.10."""
        if not rest:
            return rest
        internal = self._internal(rest, key_size, value_size)
        if internal is not None:
            return internal
        printed = printed_payload(b"]" + rest, 0, len(rest) + 1, key_size, value_size)
        new = self._key(printed.key) + self._payload(printed.value)
        return new if len(new) == len(rest) else self._filled(rest)

    def _internal(self, rest: bytes, key_size: int, value_size: int) -> bytes | None:
        """Return the contents that a decoder of an internal topic printed, None if none did."""
        text = decoded(rest, 0, key_size, value_size)
        if text is None or not text.decoder or text.key is None:
            return None
        new = replaced_record(text.key, text.value, self._to)
        if new is None:
            return None
        key, value = new
        left = self._to.payload(rest[text.stop :]) if text.stop < len(rest) else b""
        return b" key: " + key.encode() + (b"" if value is None else b" payload: " + value.encode()) + left

    def _json(self, told: re.Match[str]) -> bytes | None:
        try:
            value = json.loads(told[2])
        except (ValueError, RecursionError):
            return None
        return (told[1] + printed_json(replaced_json(value, self._to))).encode()

    def _key(self, key: bytes | None) -> bytes:
        return b"" if key is None else KEY + self._to.printed_key(key)

    def _payload(self, value: bytes | None) -> bytes:
        if value is None:
            return b""
        return PAYLOAD + (value if value == b"null" else self._to.printed(value))

    def _filled(self, rest: bytes) -> bytes:
        """Return contents of a form that is not known: marks and line ends stay."""
        parts = re.split(rb"(\] key: | key: | payload: )", rest)
        return b"".join(part if number % 2 else self._to.printed(part) for number, part in enumerate(parts))

    def _checksums(self, head: bytes) -> bytes:
        return _CRC.sub(lambda match: str(self._to.checksum(int(match[0]))).encode(), head)

    def _other(self, line: bytes) -> bytes:
        """Return a line that is no batch and no record."""
        end = b"\r" if line.endswith(b"\r") else b""
        bare = line.removesuffix(b"\r")
        text = bare.decode("utf-8", "replace")
        dumping = _DUMPING.fullmatch(bare)
        if dumping:
            return b"Dumping " + self._paths.of(dumping[1].decode("utf-8", "replace")).encode() + end
        said = remark_of(bare)
        new = self._lines.line(text).encode()
        if (said is not None and remark_of(new) is said) or _ENTRY.fullmatch(bare):
            return new + end
        return self._lines.masked(text).encode() + end
