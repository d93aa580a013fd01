"""Reads the fields of a binary key or value one by one, as Kafka's generated messages write them."""

import struct

BROKEN = (ValueError, struct.error)
"""What a read past the end of a message, or an impossible field, raises."""

_INT8 = struct.Struct(">b")
_INT16 = struct.Struct(">h")
_UINT16 = struct.Struct(">H")
_INT32 = struct.Struct(">i")
_INT64 = struct.Struct(">q")
_FLOAT64 = struct.Struct(">d")


class FieldReader:
    """A cursor over the bytes of one message. Every read past the end raises one of BROKEN."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        """Start at this byte."""
        self._data = data
        self._at = at

    def end(self) -> None:
        """Raise ValueError if bytes are left."""
        if self._at != len(self._data):
            raise ValueError("the message goes on after its last field")

    def numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        """Return the next numbers of this layout."""
        values = layout.unpack_from(self._data, self._at)
        self._at += layout.size
        return values

    def int8(self) -> int:
        """Return the next byte, signed."""
        return self.numbers(_INT8)[0]

    def int16(self) -> int:
        """Return the next two bytes as a number."""
        return self.numbers(_INT16)[0]

    def uint16(self) -> int:
        """Return the next two bytes as an unsigned number."""
        return self.numbers(_UINT16)[0]

    def int32(self) -> int:
        """Return the next four bytes as a number."""
        return self.numbers(_INT32)[0]

    def int64(self) -> int:
        """Return the next eight bytes as a number."""
        return self.numbers(_INT64)[0]

    def float64(self) -> float:
        """Return the next eight bytes as a floating-point number."""
        return float(_FLOAT64.unpack(self.take(_FLOAT64.size))[0])

    def varint(self) -> int:
        """Return the next unsigned varint."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the bit that says more follows
                return value
        raise ValueError("a varint of more than five bytes")

    def text(self, *, compact: bool = False) -> str | None:
        """Return the next string, None for null: a length of 16 bits, or the compact form's varint plus one."""
        size = self.varint() - 1 if compact else self.numbers(_INT16)[0]
        return None if size < 0 else self.take(size).decode("utf-8", "replace")

    def skip_bytes(self, *, compact: bool = False) -> None:
        """Skip a byte array."""
        self.take(max(self.varint() - 1 if compact else self.int32(), 0))

    def content(self) -> bytes | None:
        """Return the next byte array of the compact form, None for null."""
        size = self.varint() - 1
        return None if size < 0 else self.take(size)

    def count(self, *, compact: bool = False) -> int:
        """Return how many elements the next array has, 0 for null. Raises ValueError for more than bytes are left."""
        return self.count_or_null(compact=compact) or 0

    def count_or_null(self, *, compact: bool = True) -> int | None:
        """Return how many elements the next array has, None for null; like `count`, it raises ValueError."""
        size = self.varint() - 1 if compact else self.numbers(_INT32)[0]
        if size > len(self._data) - self._at:
            raise ValueError("an array longer than the message")
        return None if size < 0 else size

    def tags(self) -> dict[int, bytes]:
        """Return the next tagged fields by their tag."""
        found: dict[int, bytes] = {}
        for _ in range(self.varint()):
            tag, size = self.varint(), self.varint()
            found[tag] = self.take(size)
        return found

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        end = self._at + size
        if end > len(self._data):
            raise ValueError("the message ends inside a field")
        part = self._data[self._at : end]
        self._at = end
        return part


def number(data: bytes | None, default: int) -> int:
    """Return a tagged field's number of 2 or 8 bytes, the default if it is left out. Raises one of BROKEN."""
    if data is None:
        return default
    return int((_INT16 if len(data) == _INT16.size else _INT64).unpack(data)[0])
