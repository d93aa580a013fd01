"""The lines of a text without what stands before them, also where one line came in several parts."""

import json

from analyzer.kafka.wrapped_lines import Wrapping


class BareLines:
    """The lines of a text without what stands before them; one that came in parts is whole, empty lines follow it."""

    def __init__(self, wrapping: Wrapping, longest: int) -> None:
        """Begin with nothing; a line is put together until it has this many bytes."""
        self._wrapping, self._longest = wrapping, longest
        self._parts, self._missing = b"", 0
        """The parts of a line so far, and the lines of the file that they took."""

    @property
    def retyped(self) -> bool:
        """Whether characters in the lines were replaced."""
        return self._wrapping.typed

    @property
    def rejoined(self) -> bool:
        """Whether lines were broken, and what is left of their parts are empty lines."""
        return self._wrapping.broken

    def take(self, text: bytes, *, last: bool) -> bytes:
        """Return the next lines; after the `last` text nothing is kept back."""
        if not self._wrapping.parts_lines:
            return self._wrapping.take_off(text)
        out: list[bytes] = []
        for line in text.splitlines(keepends=True):
            bare = self._wrapping.take_off(line)
            if _goes_on(line) and len(self._parts) < self._longest:
                self._parts += bare.rstrip(b"\r\n")
                self._missing += 1
                continue
            out.append(self._parts + bare + b"\n" * self._missing)
            self._parts, self._missing = b"", 0
        if last and self._parts:
            out.append(self._parts)
            self._parts = b""
        return b"".join(out)


def _goes_on(line: bytes) -> bool:
    """Return whether a JSON line of Docker's is a part of a longer line: it cuts lines of 16 KB and more into several.

    Only the last of them ends in a line end.
    """
    if b'"log":"' not in line or line.rstrip().endswith((b'\\n"}', b'\\n"')):
        return False
    at = line.find(b"{")
    try:
        value = json.loads(line[at:])
    except (ValueError, RecursionError):
        return False
    part = value.get("log") if isinstance(value, dict) and "stream" in value else None
    return isinstance(part, str) and not part.endswith("\n")
