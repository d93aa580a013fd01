"""Turns the key of a record of a named topic into a row of `keyed_records`: digest, hashes and a sample.

Raw segments hold every key. In a printed record the key begins after `key: ` and has as many bytes as `keySize` says:
| offset: 0 CreateTime: 1 keySize: 8 valueSize: 10 sequence: 0 headerKeys: [] key: user-115 payload: user-115#0
"""

import functools
import hashlib
from collections.abc import Sequence

from analyzer.kafka.key_hashing import key_crc32, key_murmur2
from analyzer.parse.lines.printed_text import KEY, PAYLOAD, REPLACED, at_line_end
from analyzer.parse.rows import Row

DIGEST_DIGITS = 16
SAMPLE_CHARACTERS = 12
KNOWN_KEYS = 1 << 16
"""This many keys are cached with their hashes: most topics write few keys again and again."""

KeyColumns = tuple[str, str, int, int, int]
"""key_digest, key_sample, key_bytes, key_murmur2, key_crc32."""

Producer = Sequence[object]
"""producer_id, producer_epoch, is_transactional of the record's batch."""


@functools.lru_cache(maxsize=KNOWN_KEYS)
def key_columns(key: bytes, *, whole: bool) -> KeyColumns:
    """Return the stored columns of a key. With `whole` its text is kept, else only a sample (see `sample_of`)."""
    return digest_of(key), sample_of(key, whole=whole), len(key), key_murmur2(key), key_crc32(key)


def digest_of(key: bytes) -> str:
    """Return the name of a key whose text is not kept: the first digits of its SHA-256."""
    return hashlib.sha256(key).hexdigest()[:DIGEST_DIGITS]


def sample_of(key: bytes, *, whole: bool = False) -> str:
    r"""Return the first half of a key's text, at most 12 characters, and `...`; non-UTF-8 bytes become \\xNN."""
    text = key.decode("utf-8", "backslashreplace")
    return text if whole else text[: min(len(text) // 2, SAMPLE_CHARACTERS)] + "..."


def keyed_row(key: bytes, offset: int, timestamp: int | None, producer: Producer, *, whole: bool) -> Row:
    """Return the row of `keyed_records` of a record with a key."""
    return "keyed_records", (offset, timestamp, *key_columns(key, whole=whole), *producer)


def printed_key(buffer: bytes, text_at: int, stop: int, key_size: int, value_size: int) -> bytes | None:
    """Return the key of a record whose raw text is `buffer[text_at:stop]`, None if its bytes are not certain.

    Without header keys the key comes first. After header keys it is found from the end, by both sizes, or after the
    only place that looks like their end. Bytes that printing has changed are not a key.
    """
    if key_size < 0:
        return None
    starts = [text_at + 1] if buffer.startswith(b"]", text_at) else [text_at]
    if not buffer.startswith(KEY, starts[0]):
        starts = [stop - max(value_size, 0) - (len(PAYLOAD) if value_size >= 0 else 0) - key_size - len(KEY)]
        only = buffer.find(b"]" + KEY, text_at, stop)
        if only >= 0 and buffer.find(b"]" + KEY, only + 1, stop) < 0:
            starts.append(only + 1)
    for start in starts:
        begin, end = start + len(KEY), start + len(KEY) + key_size
        fits = text_at <= start and end <= stop and buffer.startswith(KEY, start)
        if fits and (buffer.startswith(PAYLOAD, end) or (value_size < 0 and at_line_end(buffer, end))):
            key = buffer[begin:end]
            return None if REPLACED in key else key
    return None
