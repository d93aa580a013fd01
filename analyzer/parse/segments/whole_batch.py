"""Reads the records of a batch of format 2 as bytes, headers included, so that they can be saved as they are.

aiokafka, which decodes elsewhere, refuses header keys that are not UTF-8. A record: length varint, attributes i8,
timestamp delta varlong, offset delta varint, key, value, number of headers varint, key and value of each header. Keys
and values are a length, a zigzag varint and -1 for null, and their bytes (DefaultRecord).
"""

import numpy as np

from analyzer.parse.codecs import CODEC_BITS, fits, unpacked
from analyzer.parse.segments.byte_layout import HEADER, HEADER_BYTES, LOG_APPEND_TIME
from analyzer.parse.segments.records import CONTENT_LIMIT
from analyzer.tables.rescued import Header, WholeRecord

_SEQUENCE_MASK = 0x7FFFFFFF
_MOST_VARINT_BYTES = 10


def whole_records_of(batch: memoryview) -> list[WholeRecord] | None:
    """Return the records of a v2 batch, None if they cannot be decoded: damaged, too large, or an unlisted codec."""
    try:
        return _decoded(batch)
    except Exception:  # noqa: BLE001 - each codec has errors of its own, and no input may end a run
        return None


def _decoded(batch: memoryview) -> list[WholeRecord] | None:
    row = np.frombuffer(batch[:HEADER_BYTES], HEADER)[0]
    head = {name: int(row[name]) for name in HEADER.names or ()}
    codec, content = head["attributes"] & CODEC_BITS, batch[HEADER_BYTES:]
    if codec and not fits(codec, content, CONTENT_LIMIT):
        return None
    fields = _Fields(unpacked(codec, content))
    records = [_record(fields, head) for _ in range(head["count"])]
    fields.end()
    return records


def _record(fields: "_Fields", head: dict[str, int]) -> WholeRecord:
    size = fields.varint()
    end = fields.at + size
    fields.skip(1)
    time_delta, offset_delta = fields.varint(), fields.varint()
    key, value = fields.content(), fields.content()
    count = fields.varint()
    headers = tuple(_header(fields) for _ in range(count))
    if count < 0 or fields.at != end:
        raise ValueError("a record that is not as long as it says, or with fewer headers than none")
    appended = bool(head["attributes"] & LOG_APPEND_TIME)
    first = head["base_sequence"]
    return WholeRecord(
        offset=head["base_offset"] + offset_delta,
        timestamp=head["max_timestamp"] if appended else head["base_timestamp"] + time_delta,
        timestamp_type="LogAppendTime" if appended else "CreateTime",
        key=key,
        value=value,
        headers=headers,
        producer_id=head["producer_id"],
        producer_epoch=head["producer_epoch"],
        sequence=-1 if first < 0 else (first + offset_delta) & _SEQUENCE_MASK,
    )


def _header(fields: "_Fields") -> Header:
    key = fields.content()
    if key is None:
        raise ValueError("a header without a key")
    return key, fields.content()


class _Fields:
    """A cursor over the records of a batch; reading past the end raises IndexError or ValueError."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def varint(self) -> int:
        """Return the next zigzag varint or varlong."""
        number = 0
        for index in range(_MOST_VARINT_BYTES):
            byte = self._data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << 7 * index
            if byte < 0x80:  # noqa: PLR2004 - the bit that says more follows
                return number >> 1 ^ -(number & 1)
        raise ValueError("a varint of more than ten bytes")

    def content(self) -> bytes | None:
        """Return the next length and its bytes, None for null."""
        size = self.varint()
        return None if size < 0 else self.skip(size)

    def skip(self, size: int) -> bytes:
        """Return the next bytes."""
        part = self._data[self.at : self.at + size]
        if len(part) != size:
            raise ValueError("the batch ends inside a record")
        self.at += size
        return part

    def end(self) -> None:
        """Raise ValueError if bytes are left."""
        if self.at != len(self._data):
            raise ValueError("the batch goes on after its last record")
