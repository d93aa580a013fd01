"""From the bytes of a key or value to its fields, one after another, as Kafka's generated messages write them."""

import struct


class Fields:
    """A cursor over the bytes of one message. Every read beyond the end raises ValueError."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte."""
        self._data = data
        self._at = 0

    def int8(self) -> int:
        """Return the next byte, signed."""
        return int.from_bytes(self._take(1), "big", signed=True)

    def int16(self) -> int:
        """Return the next two bytes as a number."""
        return int.from_bytes(self._take(2), "big", signed=True)

    def int32(self) -> int:
        """Return the next four bytes as a number."""
        return int.from_bytes(self._take(4), "big", signed=True)

    def int64(self) -> int:
        """Return the next eight bytes as a number."""
        return int.from_bytes(self._take(8), "big", signed=True)

    def varint(self) -> int:
        """Return the next unsigned varint."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self._take(1)[0]
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return value
        raise ValueError("a varint of more than five bytes")

    def text(self, *, compact: bool = False) -> str | None:
        """Return the next string, None for null: a length of 16 bits, or the compact form's varint plus one."""
        size = self.varint() - 1 if compact else self.int16()
        return None if size < 0 else self._take(size).decode("utf-8", "replace")

    def skip_bytes(self, *, compact: bool = False) -> None:
        """Skip a byte array."""
        size = self.varint() - 1 if compact else self.int32()
        self._take(max(size, 0))

    def count(self, *, compact: bool = False) -> int:
        """Return how many elements the next array has, 0 for null; more than bytes are left raises ValueError."""
        size = max(self.varint() - 1 if compact else self.int32(), 0)
        if size > len(self._data) - self._at:
            raise ValueError("an array longer than the message")
        return size

    def tags(self) -> dict[int, bytes]:
        """Return the next tagged fields by their tag."""
        found: dict[int, bytes] = {}
        for _ in range(self.varint()):
            tag, size = self.varint(), self.varint()
            found[tag] = self._take(size)
        return found

    def _take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if size < 0 or len(part) < size:
            raise ValueError("the message ends inside a field")
        self._at += size
        return part


def number(data: bytes | None, default: int) -> int:
    """Return a tagged field's number of 2 or 8 bytes, the default where it is left out. Raises ValueError."""
    if data is None:
        return default
    if len(data) not in (2, 8):
        raise ValueError("a tagged number of another size")
    return int(struct.unpack(">h" if len(data) == 2 else ">q", data)[0])  # noqa: PLR2004 - bytes of an int16
