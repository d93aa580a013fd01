"""A cursor over the lines of a stream, with exact line numbers and byte offsets and bounded memory."""

from typing import BinaryIO

from analyzer.kafka.bare_lines import LINE_LIMIT_BYTES
from analyzer.opening import DAMAGE

BLOCK_BYTES = 1 << 20
MOST_HELD_BYTES = 1 << 24
"""The most that `need` holds at once; the text of a larger record is not measured but read line by line."""


class Lines:
    """The line at the cursor is `buffer[at:edge]`, without its line end.

    `number` counts from 1, `offset` is where the line begins in the text; `whole` says that its line end was seen.
    A stream that breaks off ends there, and `fault` says why.
    """

    def __init__(self, stream: BinaryIO, block_bytes: int = BLOCK_BYTES) -> None:
        """Stand on the first line of the stream."""
        self._stream = stream
        self._block_bytes = block_bytes
        self._exhausted = False
        self._base = 0
        self.buffer = b""
        self.at = self.stop = self.edge = 0
        self.number = 1
        self.whole = self.long = False
        self.fault: str | None = None
        self._find_end()

    @property
    def ended(self) -> bool:
        """Whether the cursor is past the last line."""
        return self.at >= len(self.buffer) and self._exhausted

    @property
    def exhausted(self) -> bool:
        """Whether the buffer reaches to the end of the stream."""
        return self._exhausted

    @property
    def retyped(self) -> bool:
        """Whether characters of the text were replaced before it was read: byte sizes need not fit."""
        return getattr(self._stream, "retyped", False)

    @property
    def offset(self) -> int:
        """Return where the current line begins in the text, in bytes."""
        return self._base + self.at

    @property
    def line(self) -> bytes:
        """The current line without its line end, at most LINE_LIMIT_BYTES bytes of it."""
        return self.buffer[self.at : self.edge]

    def text(self, most: int = LINE_LIMIT_BYTES) -> str:
        """Return the first `most` bytes of the line as text; broken UTF-8 becomes U+FFFD."""
        return self.buffer[self.at : min(self.edge, self.at + most)].decode("utf-8", "replace")

    @property
    def _rejoined(self) -> bool:
        """Whether lines of the text were put together: where their parts stood, there are empty lines now."""
        return getattr(self._stream, "rejoined", False)

    def next(self) -> None:
        """Step to the next line."""
        self._step()
        while self.edge == self.at and self.whole and self._rejoined:
            self._step()

    def _step(self) -> None:
        if self.long:
            self._pass_over()
        else:
            self.at = min(self.stop + 1, len(self.buffer))
        self.number += 1
        self._find_end()

    def jump(self, index: int, lines: int) -> None:
        """Step over `lines` lines to the one that begins at this index of the buffer."""
        self.at = index
        self.number += lines
        self._find_end()

    def need(self, count: int) -> bool:
        """Read on until `count` bytes from the cursor on are in the buffer; return whether they are.

        The call invalidates indices into the buffer.
        """
        while len(self.buffer) - self.at < count and not self._exhausted and count <= MOST_HELD_BYTES:
            self._read()
        return len(self.buffer) - self.at >= count

    def _find_end(self) -> None:
        """Set `stop`, `edge`, `whole` and `long` of the line at the cursor."""
        searched = self.at
        while True:
            stop = self.buffer.find(b"\n", searched)
            if stop >= 0 or self._exhausted or len(self.buffer) - self.at > LINE_LIMIT_BYTES:
                break
            ahead = len(self.buffer) - self.at
            self._read()
            searched = self.at + ahead
        length = (len(self.buffer) if stop < 0 else stop) - self.at
        self.long = length > LINE_LIMIT_BYTES
        self.whole = stop >= 0 and not self.long
        self.stop = self.at + min(length, LINE_LIMIT_BYTES)
        carriage = self.whole and self.stop > self.at and self.buffer[self.stop - 1] == 13  # noqa: PLR2004 - "\r"
        self.edge = self.stop - 1 if carriage else self.stop

    def _pass_over(self) -> None:
        """Go past the end of a line that is too long to be held."""
        while True:
            stop = self.buffer.find(b"\n", self.at)
            if stop >= 0:
                self.at = stop + 1
                return
            self.at = len(self.buffer)
            if self._exhausted:
                return
            self._read()

    def _read(self) -> None:
        """Append the next block to what is left of the buffer."""
        try:
            block = self._stream.read(self._block_bytes)
        except DAMAGE as fault:
            block = b""
            self.fault = f"the file breaks off: {fault or type(fault).__name__}"
        self._exhausted = not block
        if block:
            self._base += self.at
            self.buffer = self.buffer[self.at :] + block
            self.stop -= self.at
            self.edge -= self.at
            self.at = 0
