"""Writes one batch of any format and codec again with other keys, values and headers, and a checksum that is right.

Every field keeps its length, so the batch does, too, unless it is compressed. A checksum that was wrong stays wrong.
The layouts are those of `parse/segments/byte_layout.py` and `parse/segments/whole_batch.py`.
"""

import dataclasses
import struct
import zlib
from collections.abc import Callable

from aiokafka.codec import gzip_encode, lz4_encode, snappy_encode, zstd_encode
from crc32c import crc32c

from analyzer.anonymize.replacing import Replacing
from analyzer.parse.codecs import CODEC_BITS, fits, unpacked
from analyzer.parse.segments.byte_layout import (
    CONTROL,
    CRC_LEGACY_FROM,
    CRC_V2_FROM,
    HEADER_BYTES,
    MAGIC_AT,
    PREFIX_BYTES,
)
from analyzer.parse.segments.records import CONTENT_LIMIT

Content = bytes | None
EditRecord = Callable[[Content, Content, Replacing], tuple[Content, Content]]
"""Key and value in, as many bytes of each out."""

_PACK: dict[int, Callable[[bytes], bytes]] = {1: gzip_encode, 2: snappy_encode, 3: lz4_encode, 4: zstd_encode}
_V2 = 2
_ATTRIBUTES = struct.Struct(">21xh")
_COUNT = struct.Struct(">57xi")
_INT = struct.Struct(">i")
_KEY_AT = {0: 18, 1: 26}
_MARKER_SIZES = (4, 6)


@dataclasses.dataclass(frozen=True, slots=True)
class Edits:
    """How the records of a segment are written again: data records, and control records."""

    data: EditRecord
    control: EditRecord


def written_batch(batch: bytes, edits: Edits, to: Replacing) -> bytes:
    """Return the batch with other contents. Contents that cannot be read are filled."""
    magic = batch[MAGIC_AT]
    try:
        new = _v2(batch, edits, to) if magic == _V2 else _legacy(batch, edits, to)
    except Exception:  # noqa: BLE001 - each codec has errors of its own
        new = _unreadable(batch, to)
    return _checked(batch, new, to)


def plain_record(key: Content, value: Content, to: Replacing) -> tuple[Content, Content]:
    """Return key and value of a record of a user's topic."""
    return (None if key is None else to.keys.of(key)), (None if value is None else to.payload(value))


def marker(key: Content, value: Content, to: Replacing) -> tuple[Content, Content]:
    """Return a transaction's marker as it is; a control record of another kind is filled from its third byte on."""
    if key is not None and value is not None and (len(key), len(value)) == _MARKER_SIZES:
        return key, value
    return tuple(None if one is None else one[:4] + to.payload(one[4:]) for one in (key, value))  # type: ignore[return-value]


def _v2(batch: bytes, edits: Edits, to: Replacing) -> bytes:
    (attributes,), (count,) = _ATTRIBUTES.unpack_from(batch), _COUNT.unpack_from(batch)
    codec, content = attributes & CODEC_BITS, memoryview(batch)[HEADER_BYTES:]
    if codec and not fits(codec, content, CONTENT_LIMIT):
        raise ValueError("contents that are not opened")
    records = _Records(unpacked(codec, content), to, edits.control if attributes & CONTROL else edits.data)
    for _ in range(count):
        records.edit()
    records.end()
    packed = _PACK[codec](bytes(records.out)) if codec else bytes(records.out)
    return _with_length(batch[:HEADER_BYTES] + packed)


class _Records:
    """A cursor over the records of a batch of format 2 that replaces what is in them."""

    def __init__(self, data: bytes, to: Replacing, edit: EditRecord) -> None:
        self._data = data
        self._to = to
        self._edit = edit
        self._at = 0
        self.out = bytearray(data)

    def edit(self) -> None:
        """Replace the contents of the next record. Raises ValueError or IndexError if it is no record."""
        size = self._varint()
        end = self._at + size
        self._at += 1
        self._varint()
        self._varint()
        (key_at, key), (value_at, value) = self._content(), self._content()
        self._put(((key_at, key), (value_at, value)), self._edit(key, value, self._to))
        for _ in range(self._varint()):
            for _ in range(2):
                at, content = self._content()
                self._put(((at, content),), (None if content is None else self._to.payload(content),))
        if self._at != end:
            raise ValueError("a record that is not as long as it says")

    def end(self) -> None:
        """Raise ValueError if bytes are left."""
        if self._at != len(self._data):
            raise ValueError("the batch goes on after its last record")

    def _put(self, places: tuple[tuple[int, Content], ...], new: tuple[Content, ...]) -> None:
        for (at, old), content in zip(places, new, strict=True):
            if old is not None and content is not None:
                if len(old) != len(content):
                    raise ValueError("a replacement of another length")
                self.out[at : at + len(old)] = content

    def _content(self) -> tuple[int, Content]:
        size = self._varint()
        if size < 0:
            return self._at, None
        start = self._at
        self._at += size
        if self._at > len(self._data):
            raise ValueError("the batch ends inside a record")
        return start, self._data[start : self._at]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            number |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the bit that says more follows
                return number >> 1 ^ -(number & 1)
            shift += 7


def _legacy(entry: bytes, edits: Edits, to: Replacing) -> bytes:
    """Return an entry of format 0 or 1; a compressed one holds a set of such entries."""
    key_at = _KEY_AT[entry[MAGIC_AT]]
    codec = entry[17] & CODEC_BITS
    key_end, key = _sized(entry, key_at)
    value_end, value = _sized(entry, key_end)
    if value_end != len(entry):
        raise ValueError("an entry that is not as long as it says")
    if not codec:
        new_key, new_value = edits.data(key, value, to)
        return entry[: key_at + 4] + (new_key or b"") + entry[key_end : key_end + 4] + (new_value or b"")
    if value is None or not fits(codec, memoryview(value), CONTENT_LIMIT):
        raise ValueError("contents that are not opened")
    packed = _PACK[codec](_inner(unpacked(codec, memoryview(value)), edits, to))
    outer_key = b"" if key is None else to.payload(key)
    return _with_length(entry[: key_at + 4] + outer_key + _INT.pack(len(packed)) + packed)


def _inner(data: bytes, edits: Edits, to: Replacing) -> bytes:
    """Return the entries inside a compressed one."""
    at, parts = 0, []
    while at < len(data):
        end = at + PREFIX_BYTES + int(_INT.unpack_from(data, at + 8)[0])
        entry = data[at:end]
        parts.append(_checked(entry, _legacy(entry, edits, to), to))
        at = end
    return b"".join(parts)


def _sized(entry: bytes, at: int) -> tuple[int, Content]:
    (size,) = _INT.unpack_from(entry, at)
    if size < 0:
        return at + 4, None
    if at + 4 + size > len(entry):
        raise ValueError("an entry that ends inside a field")
    return at + 4 + size, entry[at + 4 : at + 4 + size]


def _unreadable(batch: bytes, to: Replacing) -> bytes:
    """Return a batch whose header stays and whose contents are filled."""
    head = HEADER_BYTES if batch[MAGIC_AT] == _V2 else _KEY_AT[batch[MAGIC_AT]]
    return batch[:head] + to.payload(batch[head:])


def _with_length(batch: bytes) -> bytes:
    return batch[:8] + _INT.pack(len(batch) - PREFIX_BYTES) + batch[12:]


def _checked(old: bytes, new: bytes, to: Replacing) -> bytes:
    """Return the new batch with its checksum, as far off as the old one was."""
    at, start, crc = (17, CRC_V2_FROM, crc32c) if old[MAGIC_AT] == _V2 else (12, CRC_LEGACY_FROM, zlib.crc32)
    stored = int.from_bytes(old[at : at + 4], "big")
    written = crc(new[start:]) ^ stored ^ crc(old[start:])
    to.checksums[stored] = written
    return new[:at] + written.to_bytes(4, "big") + new[at + 4 :]
