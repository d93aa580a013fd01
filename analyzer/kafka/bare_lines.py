"""The lines of a text without what stands before them, also where one line came in several parts."""

import json
from collections.abc import Callable
from typing import Protocol

from analyzer.kafka.pasting.broken_lines import rejoined
from analyzer.kafka.wrapped_lines import HEAD_BYTES, Wrapping, unwrapped

LINE_LIMIT_BYTES = 1 << 20
"""Only this much of a line is looked at: a payload may be megabytes without a line end."""

WRAPPED = ", wrapped"
"""What the encoding of a text ends in that has something before its lines: `wrapped_lines.py` tells what."""
BROKEN = ", broken"
"""What it ends in where mail broke lines of a text whose readers take off themselves what stands before lines."""


class TakenLines(Protocol):
    """What makes lines of a text into those that are read, one for each."""

    retyped: bool
    rejoined: bool

    def take(self, text: bytes, *, last: bool) -> bytes:
        """Return the next lines."""


class WholeLines:
    """The lines of a text as they stand, those that were broken put together."""

    retyped, rejoined = False, True

    def take(self, text: bytes, *, last: bool) -> bytes:  # noqa: ARG002 - nothing is kept back
        """Return the next lines."""
        lines = text.decode("utf-8", "surrogateescape").split("\n")
        return "\n".join(rejoined(lines, unwrapped)).encode("utf-8", "surrogateescape")


class BareLines:
    """The lines of a text without what stands before them; one that came in parts is whole, empty lines follow it."""

    def __init__(self, wrapping: Wrapping) -> None:
        """Begin with nothing."""
        self._wrapping = wrapping
        self._parts, self._missing = b"", 0
        """The parts of a line so far, and the lines of the file that they took."""

        self.retyped, self.rejoined = wrapping.typed, wrapping.broken
        """Whether characters in the lines were replaced; whether lines were broken, and empty ones stand for parts."""

    def take(self, text: bytes, *, last: bool) -> bytes:
        """Return the next lines; after the `last` text nothing is kept back."""
        if not self._wrapping.parts_lines:
            return self._wrapping.take_off(text)
        out: list[bytes] = []
        for line in text.splitlines(keepends=True):
            bare = self._wrapping.take_off(line)
            if _goes_on(line) and len(self._parts) < LINE_LIMIT_BYTES:
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


TAKING: dict[str, Callable[[bytes], TakenLines]] = {
    WRAPPED: lambda text: BareLines(Wrapping(text[:HEAD_BYTES])),
    BROKEN: lambda _: WholeLines(),
}
"""What makes the lines of a text, given its first bytes, by the end of its encoding."""
