"""JSON of one long line, the answer of a search in logs, as a line for each message: it is never held as a whole."""

import json
import re
from collections.abc import Iterator

from analyzer.kafka.pasting.json_messages import lines_in, message_of

_SIGN = re.compile(rb'["\[\]{}]')
_REST_OF_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)', re.DOTALL)
_MOST_BYTES = 1 << 22
"""An object that is larger is left as it is, a line that is too long to be read: it is counted as such."""


class JsonPieces:
    """The objects in the outermost lists of a JSON text, as far as it was given."""

    def __init__(self) -> None:
        """Begin before the text."""
        self._rest = b""
        self._open = bytearray()
        self._begin = -1
        """Where the object begins in what is held, -1 outside any."""
        self._depth = self._seen = 0
        self._too_long = self._in_string = False

    def take(self, text: bytes) -> bytes:
        """Return the lines of the messages that end in the next bytes of the text."""
        self._rest += text
        out: list[bytes] = []
        while found := self._next():
            self._seen = found.end()
            if found[0] == b'"':
                self._in_string = True
            elif found[0] in b"[{":
                self._begins(found[0], found.start())
            else:
                out += self._ends(found.end())
        return b"".join([*out, *self._forgotten()])

    def _next(self) -> re.Match[bytes] | None:
        """Return the next sign outside strings, None where the text goes on in the next bytes."""
        if self._in_string and (rest := _REST_OF_STRING.match(self._rest, self._seen)):
            self._in_string = rest[1] != b'"'
            self._seen = rest.start(1) if self._in_string else rest.end()
        found = None if self._in_string else _SIGN.search(self._rest, self._seen)
        self._seen = self._seen if found or self._in_string else len(self._rest)
        return found

    def _begins(self, sign: bytes, at: int) -> None:
        if sign == b"{" and self._begin < 0 and not self._too_long and self._open[-1:] == b"[":
            self._begin, self._depth = at, len(self._open)
        self._open += sign

    def _ends(self, at: int) -> Iterator[bytes]:
        del self._open[-1:]
        if len(self._open) != self._depth or not (self._begin >= 0 or self._too_long):
            return
        if self._too_long:
            yield self._rest[:at] + b"\n"
        else:
            yield _lines_of(self._rest[self._begin : at])
        self._begin, self._too_long = -1, False

    def _forgotten(self) -> Iterator[bytes]:
        """Let go of what is done with; of an object that is too long yield what is held, without a line end."""
        if self._begin >= 0 and self._seen - self._begin > _MOST_BYTES:
            self._too_long, self._begin = True, -1
        keep = self._begin if self._begin >= 0 else self._seen
        if self._too_long:
            yield self._rest[:keep]
        self._rest, self._seen = self._rest[keep:], self._seen - keep
        self._begin = 0 if self._begin >= 0 else -1


def _lines_of(piece: bytes) -> bytes:
    """Return the messages of an object, each as JSON on a line; an object without one as it is, without line ends."""
    try:
        lines = list(lines_in(json.loads(piece)))
    except (ValueError, RecursionError):
        lines = []
    if not lines or not all(map(message_of, lines)):
        return piece.replace(b"\n", b" ") + b"\n"
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "replace")
