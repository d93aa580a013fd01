"""Splits the raw text of a data record of `--print-data-log` into key and value, and says what printing may have lost.

... headerKeys: [trace,source] key: user-115 payload: user-115#0

The tool decodes bytes as UTF-8, replaces what is none, and prints only the keys of headers (DumpLogSegments).
"""

import dataclasses

from analyzer.parse.lines.printed_text import KEY, PAYLOAD, REPLACED
from analyzer.parse.rows import Place, Row, Rows

PRINTED = "printed_records"
"""Names the rows of `payload_row`, which are no table of a case."""

SIZES_DIFFER = "the text is not as long as the record: printing or copying has changed it"
NOT_UTF8 = "U+FFFD in the text may stand for bytes that are not UTF-8"
QUESTION_MARK = "a ? in the text may stand for a character that the terminal of the tool could not print"
KEY_LOST = "this version of the tool prints no key where the value is null"
HEADERS_LOST = "the values of the headers are not printed, only their keys: "


@dataclasses.dataclass(frozen=True, slots=True)
class Payload:
    """Key and value as printed, null apart from empty, and why they may not be those of the log."""

    key: bytes | None
    value: bytes | None
    doubt: str | None


def printed_payload(buffer: bytes, text_at: int, stop: int, key_size: int, value_size: int) -> Payload:
    """Return the key and value of a record whose raw text, header keys and their `]` first, is `buffer[text_at:stop]`.

    The sizes are those of the record line, -1 for null. Text that fits them exactly is cut by them.
    """
    key_length = len(KEY) + key_size if key_size >= 0 else 0
    value_length = len(PAYLOAD) + value_size if value_size >= 0 else 0
    start = stop - key_length - value_length
    middle = start + key_length
    begins = start > text_at and buffer.startswith(b"]", start - 1)
    if begins and (not key_length or buffer.startswith(KEY, start)) and _begins_value(buffer, middle, value_size):
        key = buffer[start + len(KEY) : middle] if key_length else None
        value = buffer[middle + len(PAYLOAD) : stop] if value_length else None
        return Payload(key, value, _doubts(buffer[text_at : start - 1], key, value))
    if value_size < 0 <= key_size and buffer.startswith(b"]", stop - 1):
        return Payload(None, None, "; ".join([KEY_LOST, *_of_headers(buffer[text_at : stop - 1])]))
    return _torn(buffer[text_at:stop], key_size, value_size)


def payload_row(record: tuple[object, ...], payload: Payload) -> Row:
    """Return the row of a printed record: `record`, then key, value and doubt."""
    return PRINTED, (*record, payload.key, payload.value, payload.doubt)


class PrintedRows(Rows):
    """Keeps the rows of `payload_row` with their section's number, and nothing else of what a reader adds."""

    def __init__(self) -> None:
        """Hold nothing."""
        super().__init__("")
        self.printed: list[tuple[int, tuple[object, ...]]] = []

    def add_row(self, row: Row, place: Place, record: int | None = None) -> None:
        """Keep a printed record."""
        del record
        if row[0] == PRINTED:
            self.printed.append((place[0], row[1]))

    def add_columns(self, table: str, columns: dict[str, object], count: int) -> None:
        """Drop the batches."""


def _begins_value(buffer: bytes, at: int, value_size: int) -> bool:
    return value_size < 0 or buffer.startswith(PAYLOAD, at)


def _torn(text: bytes, key_size: int, value_size: int) -> Payload:
    """Split text that does not fit its sizes at the marks that open a key and a payload."""
    marks = [at for at in (text.find(b"]" + KEY), text.find(b"]" + PAYLOAD)) if at >= 0]
    at = min(marks, default=0)
    headers, rest = text[:at], text[at + 1 :]
    key = value = None
    if key_size >= 0 and rest.startswith(KEY):
        key, _, value = rest[len(KEY) :].partition(PAYLOAD)
    elif value_size >= 0:
        value = rest.removeprefix(PAYLOAD)
    doubts = [SIZES_DIFFER, *([NOT_UTF8] if REPLACED in rest else []), *_of_headers(headers)]
    return Payload(key, value if value_size >= 0 else None, "; ".join(doubts))


def _doubts(headers: bytes, key: bytes | None, value: bytes | None) -> str | None:
    text = (key or b"") + (value or b"")
    doubts = [NOT_UTF8] if REPLACED in text else []
    doubts += [QUESTION_MARK] if b"?" in text else []
    return "; ".join([*doubts, *_of_headers(headers)]) or None


def _of_headers(headers: bytes) -> list[str]:
    return [HEADERS_LOST + headers.decode("utf-8", "replace")] if headers else []
