"""What follows the header keys on a record line, of any version: a marker, a key, or raw text to step over.

... headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0
... headerKeys: [] key: user-115 payload: user-115#0
"""

from typing import Protocol

from analyzer.parse.contents.keys import Producer, keyed_row, printed_key
from analyzer.parse.lines.printed_text import NO_HEADERS
from analyzer.parse.lines.record_lines import MARKER
from analyzer.parse.remarks import Says
from analyzer.parse.rows import Row, within
from analyzer.parse.sections import NO_LINE_END, Section
from analyzer.parse.stream import MOST_HELD_BYTES, Lines

INFLATION = 4
"""Text of a compressed batch, or that printing changed, is at most this many times longer, plus SLACK_BYTES."""
SLACK_BYTES = 4096
NEXT_LINE_BYTES = 1024
"""This much after a record is held, to see what follows it."""

LEAST_FORGING_BYTES = 200
"""A smaller batch cannot contain the text of another batch line, unless it is compressed."""
RECORD_LINE_BYTES = 400
"""About the longest record line without raw text."""

_DIED = b"Exception in thread "
_BATCH = b"\nbaseOffset: "


def text_end(offset: int, size: int, *, compressed: bool) -> int:
    """Return up to where the text of a record at a file offset may reach, given its batch's size in bytes."""
    most = INFLATION * size + SLACK_BYTES if compressed else size + RECORD_LINE_BYTES
    return offset + min(most, MOST_HELD_BYTES)


class Record(Protocol):
    """What `record_lines.RecordHead` and `flat_records.FlatRecord` have in common."""

    @property
    def offset(self) -> int: ...  # noqa: D102

    @property
    def timestamp(self) -> int | None: ...  # noqa: D102

    @property
    def key_size(self) -> int: ...  # noqa: D102

    @property
    def value_size(self) -> int: ...  # noqa: D102


class RecordTail:
    """Reads the rest of the record line at the cursor; `begin` is the distance from the cursor to that rest."""

    def __init__(self, lines: Lines, section: Section) -> None:
        """Read the records of one section."""
        self._lines = lines
        self.section = section
        self.open_text = False
        """Whether the end of the last record's text is unknown, because its sizes did not fit."""

    def take_marker(self, begin: int) -> tuple[str, int | None] | None:
        """Return COMMIT or ABORT and the coordinator epoch, None if the line is no marker's; the cursor stays."""
        lines = self._lines
        match = MARKER.fullmatch(lines.buffer, lines.at + begin, lines.edge)
        if match is None:
            return None
        return match[1].decode(), within(int(match[2]), "int") if lines.whole else None

    def key_row(self, record: Record, begin: int, stop: int, producer: Producer) -> Row | None:
        """Return the row of the key of a record whose text ends at index `stop`, None if no key is certain."""
        lines, keys = self._lines, self.section.keys
        if keys is None:
            return None
        key = printed_key(lines.buffer, lines.at + begin, stop, record.key_size, record.value_size)
        if key is None:
            self.section.unread_keys += record.key_size >= 0
            return None
        return keyed_row(key, record.offset, record.timestamp, producer, whole=keys.whole)

    def step_over(self, stop: int, *, whole: bool = False) -> None:
        """Go to the line after a record whose text ends at index `stop`.

        Nothing of one that is `whole` is missing where the file ends there without a line end, as pastes often do.
        """
        lines = self._lines
        buffer = lines.buffer
        self.open_text = False
        if stop >= len(buffer):
            if buffer.endswith(NO_HEADERS) and self.section.decoder != "none":
                self.section.say(Says.DIED, "the tool died inside a record")
            if not whole:
                self.section.cut(NO_LINE_END)
            self.section.excerpt |= buffer.find(_BATCH, lines.at) >= 0
            lines.jump(len(buffer), buffer.count(b"\n", lines.at, stop) + 1)
            return
        end = stop + 2 if buffer[stop] == 13 else stop + 1  # noqa: PLR2004 - "\r"
        lines.jump(end, 1 if stop <= lines.edge else buffer.count(b"\n", lines.at, end))

    def leave_open(self, record: Record, begin: int, batch_bytes: int = 0) -> int:
        """Step over the line of a record whose end is unknown; return the file offset that its text may reach at most.

        `batch_bytes` is the size of its batch, 0 if no line tells it.
        """
        lines = self._lines
        size = max(record.key_size, 0) + max(record.value_size, 0)
        until = lines.offset + min(INFLATION * max(size, batch_bytes) + SLACK_BYTES, MOST_HELD_BYTES)
        self.section.unread_keys += self.section.keys is not None and record.key_size >= 0
        self._say_torn(begin)
        self.open_text = True
        lines.next()
        return until

    def _say_torn(self, begin: int) -> None:
        """Note that the dump breaks off or the tool died, if the record's line is the last and not finished."""
        lines = self._lines
        rest = lines.buffer[lines.at + begin + 1 : lines.edge]
        if rest.startswith(_DIED):
            self.section.say(Says.DIED, rest.decode("utf-8", "replace"))
        elif not lines.whole and not lines.long:
            if rest == b"" and lines.line.endswith(b"]"):
                self.section.say(Says.DIED, "the tool died inside a record")
            self.section.cut(NO_LINE_END)
