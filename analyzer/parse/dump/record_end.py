"""Finds where a record's raw text ends: by its sizes, else by what the next line must be."""

import dataclasses
import re

from analyzer.kafka.pasting.characters import RETYPED_BYTES
from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.dump.accepted import Batch
from analyzer.parse.dump.record_tail import INFLATION, LEAST_FORGING_BYTES, NEXT_LINE_BYTES, SLACK_BYTES
from analyzer.parse.dump.record_text import MOST_TRIES, decoded, exact_stop, likely_stop
from analyzer.parse.lines.batch_lines import batch_head
from analyzer.parse.lines.printed_text import KEY, NO_HEADERS, PAYLOAD, RecordText, at_line_end
from analyzer.parse.lines.record_lines import RecordHead
from analyzer.parse.raw_text import says_contents
from analyzer.parse.remarks import CUT_OUT
from analyzer.parse.sections import Section
from analyzer.parse.stream import MOST_HELD_BYTES, Lines

RECORD_START = re.compile(rb"\| offset: (\d{1,18}) ")
_AFTER_LOG = re.compile(
    rb"Dumping \S|Found \d+ invalid bytes|Exception in thread |Mismatches in ?:|Non-(?:con)?secutive "
)
_OBJECT = re.compile(rb" payload: \[B@[0-9a-f]{1,8}\r?\n")


class RecordEnd:
    """Finds the ends of the records of one section at the cursor."""

    def __init__(self, lines: Lines, section: Section) -> None:
        """Read the lines of this cursor."""
        self._lines = lines
        self._section = section
        topic = section.topic
        self._internal = topic is None or topic in INTERNAL_TOPICS

    def measure(self, batch: Batch, head: RecordHead) -> RecordText | None:
        """Return where the record's text ends, None if only the lines after it can tell."""
        lines = self._lines
        size = max(head.key_size, 0) + max(head.value_size, 0)
        length = head.text_at - lines.at + size + NEXT_LINE_BYTES
        if length > MOST_HELD_BYTES or lines.long:
            return None
        if len(lines.buffer) - lines.at < length:
            begin = head.text_at - lines.at
            lines.need(length)
            start = lines.at + begin
        else:
            start = head.text_at
        if not head.raw_headers:
            return self._text_at(start, head) or self._by_what_follows(batch, head, start, size, length)
        text = self._text_at(start + 1, head) if lines.buffer.startswith(b"]", start) else None
        if text is None or not self.may_go_on(batch, text.stop):
            return text or self._by_what_follows(batch, head, start, size, length)
        stop = text.stop - lines.at
        closed, _ = self._closed(batch, head, start, size, length)
        # Neither the end of what is here nor a mark of a cut says that the later `]` is the one that closes them.
        if closed and closed.stop + 1 < len(lines.buffer) and not self._is_cut(closed.stop):
            return closed
        return dataclasses.replace(text, stop=lines.at + stop)

    def may_go_on(self, batch: Batch, stop: int) -> bool:
        """Whether header keys that seem to end in an empty `[]` may go on: a key can begin with `]` and a line end."""
        if self._section.decoder not in ("", "none") or stop > self._lines.edge:
            return False
        large = batch.head.compressed or batch.head.size >= LEAST_FORGING_BYTES
        return large and not self._is_cut(stop) and not self.follows(batch, stop)

    def _is_cut(self, stop: int) -> bool:
        """Whether the line after the line end at `stop` says that lines are cut out."""
        buffer = self._lines.buffer
        begin = buffer.find(b"\n", stop) + 1
        return begin > 0 and CUT_OUT.match(buffer[begin : begin + NEXT_LINE_BYTES].partition(b"\n")[0]) is not None

    def _text_at(self, start: int, head: RecordHead, *, bare: bool = True) -> RecordText | None:
        """Return the text of a record whose header keys end right before this index."""
        lines = self._lines
        buffer = lines.buffer
        decoder = self._section.decoder
        null = head.value_size < 0
        if bare and start == lines.edge and (lines.whole or decoder == "none") and (null or decoder in ("", "none")):
            return RecordText(start, "" if null else "none")
        if decoder in ("transaction", "offsets"):
            text = decoded(buffer, start, head.key_size, head.value_size)
            if text:
                return text
        stop = exact_stop(buffer, start, head.key_size, head.value_size)
        if stop is not None and (stop < len(buffer) or lines.exhausted):
            return RecordText(stop, "" if null else "data")
        if decoder == "" and self._internal:
            return decoded(buffer, start, head.key_size, head.value_size)
        return None

    def _by_what_follows(self, batch: Batch, head: RecordHead, start: int, size: int, length: int) -> RecordText | None:
        """Try every `]` that may end the header keys, then the sizes with some slack; the next line must fit."""
        lines = self._lines
        begin = start - lines.at
        closed, fitting = self._closed(batch, head, start, size, length)
        if closed or fitting:
            return closed or fitting
        start = lines.at + begin
        first = start + 1 if head.raw_headers and lines.buffer.startswith(b"]", start) else start
        return self._by_likelihood(batch, head, first, size)

    def _closed(
        self, batch: Batch, head: RecordHead, start: int, size: int, length: int
    ) -> tuple[RecordText | None, RecordText | None]:
        """Return where the text ends behind the `]` that closes the header keys, as the next line fits.

        Else the first such place on the record's own line: behind a later one, records would be lost on a guess. Either
        is None where there is none.
        """
        lines = self._lines
        begin = start - lines.at
        most = batch.head.size if not batch.head.compressed else INFLATION * batch.head.size + SLACK_BYTES
        lines.need(min(length + most + 2 * size, MOST_HELD_BYTES))
        start = lines.at + begin
        fitting: RecordText | None = None
        bare = self._may_be_bare(begin, head)
        measures = (lambda at: self._text_at(at, head, bare=False), *([self._bare_at] if bare else []))
        for measure in measures if head.raw_headers else ():
            at = start
            for _ in range(MOST_TRIES):
                at = lines.buffer.find(b"]", at, start + most) + 1
                text = measure(at) if at else None
                if text and self.follows(batch, text.stop):
                    return text, None
                fitting = fitting or (text if at <= lines.edge else None)
                if not at:
                    break
        return None, fitting

    def _may_be_bare(self, begin: int, head: RecordHead) -> bool:
        """Whether nothing but header keys may be printed of the record at the cursor."""
        if self._section.decoder == "none":
            return True
        return not says_contents(self._lines, begin) and (self._section.decoder != "data" or head.value_size < 0)

    def _bare_at(self, at: int) -> RecordText | None:
        """Return where header keys end if a line end follows them, as in a dump without contents."""
        buffer = self._lines.buffer
        if at >= len(buffer) or not at_line_end(buffer, at):
            return None
        return RecordText(at, "none" if buffer.endswith(NO_HEADERS, 0, at) else "")

    def _by_likelihood(self, batch: Batch, head: RecordHead, first: int, size: int) -> RecordText | None:
        lines = self._lines
        widest = RETYPED_BYTES if lines.retyped else 1
        stop = likely_stop(
            lines.buffer, first, head.key_size, head.value_size, widest, lambda at: self._line_follows(batch, at)
        )
        if stop is not None:
            return RecordText(stop, "data")
        short = lines.exhausted and len(lines.buffer) - first < size
        printed = lines.buffer.startswith((KEY, PAYLOAD), first)
        if short and printed and not self.is_object(head):
            return RecordText(len(lines.buffer), "")
        return None

    def is_object(self, head: RecordHead) -> bool:
        """Whether the record at the cursor has a value of which the tool prints the Java object, `[B@1b2c3d4`."""
        lines = self._lines
        most = NEXT_LINE_BYTES + max(head.key_size, 0)
        return _OBJECT.search(lines.buffer, lines.at, lines.at + most) is not None

    def follows(self, batch: Batch, stop: int) -> bool:
        """Whether the line after the line end at `stop` may follow a record of this batch.

        In a dump without contents that is also the mark of a cut, and the end of the log only after the record's line.
        """
        buffer = self._lines.buffer
        end = buffer.find(b"\n", stop)
        if end < 0:
            return True
        if self._section.decoder == "none":
            if self._is_cut(stop):
                return True
            if stop > self._lines.edge and _AFTER_LOG.match(buffer, end + 1):
                return False
        return self._line_follows(batch, end + 1)

    def _line_follows(self, batch: Batch, index: int) -> bool:
        buffer = self._lines.buffer
        if index >= len(buffer):
            return True
        if batch.head.count is None or not batch.complete:
            match = RECORD_START.match(buffer, index)
            if match is not None or not batch.complete:
                return match is not None and batch.last_record < int(match[1]) <= batch.head.last_offset
        end = buffer.find(b"\n", index, index + NEXT_LINE_BYTES)
        edge = (len(buffer) if end < 0 else end) - (end > index and buffer[end - 1] == 13)  # noqa: PLR2004 - "\r"
        head = batch_head(buffer, index, edge)
        return head.position == batch.head.end if head else _AFTER_LOG.match(buffer, index) is not None
