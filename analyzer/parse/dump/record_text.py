"""Measures a record's raw text, by byte sizes and then by grammar, and splits it into key and value.

Nothing in it is escaped, so a line end alone never marks its end as long as the sizes do.
"""

import json
from collections.abc import Callable

from analyzer.parse.contents.consumer_offsets import (
    COMMIT_KEY_OVERHEAD,
    COMMIT_PREFIXES,
    COMMIT_VALUE_OVERHEADS,
    GROUP_KEY_OVERHEAD,
    GROUP_PREFIXES,
)
from analyzer.parse.contents.transaction_state import KEY_OVERHEAD, KEY_PREFIXES
from analyzer.parse.lines.printed_text import KEY, PAYLOAD, REPLACED, RecordText, at_line_end

MOST_TRIES = 10_000
PARTITION_DIGITS = 10

_JSON = json.JSONDecoder()


def exact_stop(buffer: bytes, start: int, key_size: int, value_size: int) -> int | None:
    """Return where the contents that begin here end by their byte sizes, if the plain string decoder printed them.

    `start` is after `headerKeys: [...]`. A null value is printed as `null` before 0.9.0.1, left out together with its
    key by 0.9.0.1 to 2.3, and left out alone by 2.4 and later (KAFKA-8745).
    """
    at = start
    if key_size >= 0 and buffer.startswith(KEY, at):
        at += len(KEY) + key_size
    elif key_size >= 0 and value_size >= 0:
        return None
    if value_size >= 0:
        if not buffer.startswith(PAYLOAD, at):
            return None
        at += len(PAYLOAD) + value_size
    elif buffer.startswith(PAYLOAD + b"null", at):
        at += len(PAYLOAD) + 4
    return at if at <= len(buffer) and at_line_end(buffer, at) else None


def likely_stop(
    buffer: bytes, start: int, key_size: int, value_size: int, widest: int, follows: Callable[[int], bool]
) -> int | None:
    """Return where contents end whose bytes printing has changed: the first line end that the sizes allow.

    Each U+FFFD stands for one to three bytes, each `?` for up to four (stdout not in UTF-8), each CR LF for at least
    one, each other byte for up to `widest`. The next line must be one that may follow.
    """
    if not buffer.startswith((KEY, PAYLOAD), start):
        return None
    size = max(key_size, 0) + max(value_size, 0)
    frame = (len(KEY) if key_size >= 0 else 0) + (len(PAYLOAD) if value_size >= 0 else 0)
    stop = start
    for _ in range(MOST_TRIES):
        stop = buffer.find(b"\n", stop + 1)
        if stop < 0 or stop - start > 3 * size + frame + 2:
            return None
        edge = stop - 1 if buffer[stop - 1] == 13 else stop  # noqa: PLR2004 - "\r"
        length = edge - start - frame
        least = length - 2 * buffer.count(REPLACED, start, edge) - buffer.count(b"\r\n", start, edge)
        if least <= size <= widest * length + 3 * buffer.count(b"?", start, edge) and follows(stop + 1):
            return edge
    return None


def decoded(buffer: bytes, start: int, key_size: int, value_size: int) -> RecordText | None:
    """Return the text that a decoder of an internal topic printed here, None if none did.

    `start` is after `headerKeys: [...]`. Ids, groups and metadata are printed raw; the stored sizes give their lengths.
    """
    if not buffer.startswith(KEY, start):
        return None
    at = start + len(KEY)
    if buffer.startswith(b'{"type":"', at):
        return _json_text(buffer, at)
    if buffer.startswith(KEY_PREFIXES, at):
        prefix = next(len(name) for name in KEY_PREFIXES if buffer.startswith(name, at))
        return _text(buffer, at, "transaction", (prefix + key_size - KEY_OVERHEAD,), ())
    if buffer.startswith(COMMIT_PREFIXES, at):
        old = buffer.startswith(COMMIT_PREFIXES[0], at)
        frame = len(b"offset::::") if old else len(b"offset_commit::group=,partition=-")
        least = frame + key_size - COMMIT_KEY_OVERHEAD
        return _text(
            buffer, at, "offsets", tuple(least + digits for digits in range(1, PARTITION_DIGITS + 1)),
            tuple(value_size - overhead for overhead in COMMIT_VALUE_OVERHEADS),
        )  # fmt: skip
    if buffer.startswith(GROUP_PREFIXES, at):
        prefix = next(len(name) for name in GROUP_PREFIXES if buffer.startswith(name, at))
        close = 2 if buffer.startswith(b"{", at) else 0
        return _text(buffer, at, "offsets", (prefix + key_size - GROUP_KEY_OVERHEAD + close,), ())
    if buffer.startswith((b"unknown::version=", b"Unknown record type ", b"Error at offset "), at):
        stop = _line_stop(buffer, at)
        return RecordText(stop, "", _str(buffer, at, stop))
    return None


def _json_text(buffer: bytes, at: int) -> RecordText | None:
    """Take `{"type":"0","data":{...}} payload: {...}` or `<DELETE>`, always one line because JSON is escaped."""
    stop = _line_stop(buffer, at)
    text = _str(buffer, at, stop)
    try:
        key, end = _JSON.raw_decode(text)
        data = key["data"]
        kind = key["type"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    decoder = "transaction" if "transactionalId" in data else "offsets" if kind != "0" or "group" in data else ""
    if text.startswith(" payload: ", end):
        return RecordText(stop, decoder, text[:end], text[end + 10 :], key)
    return RecordText(stop, decoder, text[:end], None, key) if end == len(text) else None


def _text(
    buffer: bytes, at: int, decoder: str, key_lengths: tuple[int, ...], metadata_lengths: tuple[int, ...]
) -> RecordText:
    """Take a text form; its key ends by its length, else at the line's last ` payload: `."""
    stop = _line_stop(buffer, at)
    for length in key_lengths:
        end = at + length
        if length > 0 and buffer.startswith(PAYLOAD, end):
            start = end + len(PAYLOAD)
            value_stop = _value_stop(buffer, start, metadata_lengths)
            return RecordText(value_stop, decoder, _str(buffer, at, end), _str(buffer, start, value_stop))
        if length > 0 and end <= len(buffer) and at_line_end(buffer, end):
            return RecordText(end, decoder, _str(buffer, at, end))
    end = buffer.rfind(PAYLOAD, at, stop)
    if end < 0:
        return RecordText(stop, decoder, _str(buffer, at, stop))
    return RecordText(stop, decoder, _str(buffer, at, end), _str(buffer, end + len(PAYLOAD), stop))


def _value_stop(buffer: bytes, start: int, metadata_lengths: tuple[int, ...]) -> int:
    """Return where a payload ends: at the line's end, or after raw metadata of one of these lengths."""
    stop = _line_stop(buffer, start)
    head = start
    marks = (b",metadata=", b":")
    mark = next((name for name in marks if buffer.find(name, start, stop) >= 0), None)
    if mark is None or not metadata_lengths:
        return stop
    head = buffer.find(mark, start, stop) + len(mark)
    if stop - head in metadata_lengths:
        return stop
    ends = [head + length for length in metadata_lengths if length > 0 and head + length <= len(buffer)]
    return next((end for end in ends if at_line_end(buffer, end)), stop)


def _line_stop(buffer: bytes, start: int) -> int:
    stop = buffer.find(b"\n", start)
    if stop < 0:
        return len(buffer)
    return stop - 1 if stop > start and buffer[stop - 1] == 13 else stop  # noqa: PLR2004 - "\r"


def _str(buffer: bytes, start: int, stop: int) -> str:
    return buffer[start:stop].decode("utf-8", "replace")
