"""From batch lines and their record lines (2.2 and later, and any dump without record lines) to batches.

A record's key, value and header keys are printed raw. Its text is stepped over by its byte sizes, so that no line in
it is looked at; where the sizes do not fit, lines belong to the record until the next one that may follow.
"""

from analyzer.parse.contents.keys import keyed_row, printed_key
from analyzer.parse.contents.printed import contents_row, producer_of
from analyzer.parse.dump.accepted import Batch
from analyzer.parse.dump.batch_lines import batch_head
from analyzer.parse.dump.chain import SLACK_BYTES, Chain
from analyzer.parse.dump.record_end import NEXT_LINE_BYTES, NO_HEADERS, RECORD_START, RecordEnd
from analyzer.parse.dump.record_lines import MARKER, SIZES, RecordHead, record_head
from analyzer.parse.remarks import Says
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.stream import MOST_BYTES, Lines
from analyzer.tables import KeyReading

_DIED = b"Exception in thread "


class LogDump:
    """Reads the batches and records of one section, line by line."""

    def __init__(self, lines: Lines, rows: Rows, section: Section, end: int | None) -> None:
        """Begin a section whose first batch stands at position `end`, or anywhere for None."""
        self._lines = lines
        self.chain = Chain(lines, rows, section, end)
        self.section = section
        self.open_text = False
        """Whether nothing but the next batch tells where the last record's text ends."""
        self._end = RecordEnd(lines, section)

    def take(self) -> bool:
        """Take the line at the cursor, with all lines of the record that begins there, if it is part of the log."""
        batch = self.chain.current
        if batch and (batch.head.count is None or not batch.complete) and self._take_record(batch):
            return True
        head = batch_head(self._lines.buffer, self._lines.at, self._lines.edge, whole=self._lines.whole)
        if head and self.chain.offer(head):
            self.section = self.chain.section
            self.open_text = False
            return True
        return False

    def finish(self) -> None:
        """Close the section."""
        self.chain.finish()

    def _take_record(self, batch: Batch) -> bool:
        lines = self._lines
        if lines.buffer[lines.at : lines.at + 10] != b"| offset: ":
            return self._take_without_metadata(batch)
        if self.section.decoder == "none" and not batch.head.is_control and self._take_bare(batch):
            return True
        head = record_head(lines.buffer, lines.at, lines.edge)
        if (
            head is None
            or not max(batch.last_record + 1, batch.head.base_offset) <= head.offset <= batch.head.last_offset
        ):
            return False
        batch.records += 1
        batch.last_record = head.offset
        batch.add_payload(head.key_size, head.value_size)
        if batch.first_record is None:
            batch.first_record = head.offset
        if not self.chain.deep or head.long:
            self.chain.deep = True
            self.section.see_layout("2.8.0" if head.long else "2.2.0")
        if batch.head.is_control:
            self._take_control(batch, head)
        else:
            self._take_data(batch, head)
        return True

    def _take_bare(self, batch: Batch) -> bool:
        """Take a record line of a dump without contents: it ends in `]`; with header keys, what follows must fit."""
        lines = self._lines
        edge = lines.edge
        match = RECORD_START.match(lines.buffer, lines.at, edge)
        if not match or lines.buffer[edge - 1] != 93 or not lines.whole:  # noqa: PLR2004 - "]"
            return False
        offset = int(match[1])
        if not max(batch.last_record + 1, batch.head.base_offset) <= offset <= batch.head.last_offset:
            return False
        sizes = SIZES.search(lines.buffer, match.end(), edge)
        empty = lines.buffer.startswith(NO_HEADERS, edge - len(NO_HEADERS))
        batch.records += 1
        before, batch.last_record = batch.last_record, offset
        if not empty:
            lines.need(edge - lines.at + NEXT_LINE_BYTES)
            if not self._end.follows(batch, lines.edge):
                batch.records -= 1
                batch.last_record = before
                return False
        batch.first_record = offset if batch.first_record is None else batch.first_record
        if sizes:
            batch.add_payload(int(sizes[1]), int(sizes[2]))
        else:
            batch.payload_bytes = None
        self.chain.text_may_follow(lines.offset, batch.head.size, compressed=batch.head.compressed)
        self.open_text = False
        lines.next()
        return True

    def _take_control(self, batch: Batch, head: RecordHead) -> None:
        """Take `| offset: 8 ... headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0`, or another control record."""
        lines = self._lines
        match = MARKER.fullmatch(lines.buffer, head.text_at, lines.edge)
        if match:
            batch.marker = match[1].decode()
            batch.coordinator_epoch = int(match[2]) if lines.whole and int(match[2]) < 1 << 31 else None
            batch.marker_line, batch.marker_offset = lines.number, lines.offset
        if not lines.whole:
            self.section.cut("the last line has no end")
        self.open_text = False
        lines.next()

    def _take_data(self, batch: Batch, head: RecordHead) -> None:
        lines = self._lines
        offset = lines.offset
        number = lines.number
        size = max(head.key_size, 0) + max(head.value_size, 0)
        begin = head.text_at - lines.at
        text = self._end.measure(batch, head)
        if text is None:
            self.open_text = True
            self.chain.text_until = offset + min(4 * max(size, batch.head.size) + SLACK_BYTES, MOST_BYTES)
            self.section.unread_keys += self.section.keys is not None and head.key_size >= 0
            self._torn(head)
            lines.next()
            return
        if text.decoder and text.decoder != self.section.decoder:
            self.section.decoder = text.decoder
        if text.decoder in ("transaction", "offsets"):
            row = contents_row(text, batch.line, head.offset, head.timestamp)
            if row:
                batch.contents.append((row[0], number, offset, row[1]))
            elif text.value is not None and not (text.key or "").startswith('{"type":'):
                self.section.note(f"record {head.offset} was not decoded: {(text.value or text.key or '')[:60]}")
        elif self.section.keys is not None and text.decoder in ("", "data"):
            self._take_key(self.section.keys, batch, head, text.stop, begin)
        elif text.key and text.key.startswith(("Error at offset", "Unknown record type", "unknown::")):
            self.section.note(f"records the tool could not decode: {text.key[:60]}")
        self._step_over(text.stop)
        self.open_text = False
        self.chain.text_may_follow(offset, batch.head.size, compressed=batch.head.compressed)

    def _take_key(self, keys: KeyReading, batch: Batch, head: RecordHead, stop: int, begin: int) -> None:
        """Keep the key of a record whose text begins `begin` bytes behind the cursor; one without is nothing."""
        lines = self._lines
        key = printed_key(lines.buffer, lines.at + begin, stop, head.key_size, head.value_size)
        if key is not None:
            row = keyed_row(key, head.offset, head.timestamp, producer_of(batch.line), whole=keys.whole)
            batch.contents.append((row[0], lines.number, lines.offset, row[1]))
        else:
            self.section.unread_keys += head.key_size >= 0

    def _step_over(self, stop: int) -> None:
        """Go to the line behind a record whose text ends at this index."""
        lines = self._lines
        buffer = lines.buffer
        if stop >= len(buffer):
            if buffer.endswith(NO_HEADERS) and self.section.decoder != "none":
                self.section.say(Says.DIED, "the tool died inside a record")
            self.section.cut("the last line has no end")
            lines.jump(len(buffer), buffer.count(b"\n", lines.at, stop) + 1)
            return
        end = stop + 2 if buffer[stop] == 13 else stop + 1  # noqa: PLR2004 - "\r"
        lines.jump(end, 1 if stop <= lines.edge else buffer.count(b"\n", lines.at, end))

    def _torn(self, head: RecordHead) -> None:
        """Say so where the record's line is the last of the dump and was not finished."""
        lines = self._lines
        rest = lines.buffer[head.text_at + 1 : lines.edge] if head.text_at < lines.edge else b""
        if rest.startswith(_DIED):
            self.section.say(Says.DIED, rest.decode("utf-8", "replace"))
        elif not lines.whole and not lines.long:
            if rest == b"" and lines.line.endswith(b"]"):
                self.section.say(Says.DIED, "the tool died inside a record")
            self.section.cut("the last line has no end")

    def _take_without_metadata(self, batch: Batch) -> bool:
        """Take a record of `--skip-record-metadata`: `| key: k payload: v`, ` payload: v` or an empty line."""
        lines = self._lines
        first = lines.buffer[lines.at : lines.at + 11]
        if first.startswith((b"| key: ", b"| payload: ", b" payload: ")):
            self.section.without_metadata = True
            self.section.decoder = self.section.decoder or "data"
        elif lines.edge > lines.at or not (self.section.without_metadata or batch.head.is_control):
            return False
        self.chain.deep = True
        batch.records += 1
        batch.payload_bytes = None
        self.open_text = True
        self.chain.text_until = lines.offset + min(4 * batch.head.size + SLACK_BYTES, MOST_BYTES)
        lines.next()
        return True
