"""Reads batch lines and their record lines: dumps of 2.2 and later, and any dump without record lines.

A record's key, value and header keys are printed raw. The reader steps over them by their byte sizes and parses no
line inside them; if the sizes do not fit, lines belong to the record until one that may follow it.
"""

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.contents import metadata
from analyzer.parse.contents.printed import contents_row, producer_of, shows_end
from analyzer.parse.dump.accepted import Batch
from analyzer.parse.dump.chain import Chain
from analyzer.parse.dump.lone_records import take_lone_record
from analyzer.parse.dump.printed_payload import payload_row, printed_payload
from analyzer.parse.dump.record_end import RECORD_START, RecordEnd
from analyzer.parse.dump.record_tail import INFLATION, NEXT_LINE_BYTES, SLACK_BYTES, RecordTail
from analyzer.parse.lines.batch_lines import batch_head
from analyzer.parse.lines.printed_text import NO_HEADERS, RecordText
from analyzer.parse.lines.record_lines import SIZES, RecordHead, record_head
from analyzer.parse.raw_text import Raw, prints_contents, raw_text
from analyzer.parse.rows import Row, Rows
from analyzer.parse.sections import NO_LINE_END, Section
from analyzer.parse.stream import MOST_HELD_BYTES, Lines
from analyzer.parse.unclaimed import RECORD

_UNKNOWN = ("Error at offset", "Unknown record type", "unknown::")


class LogDump:
    """Reads the batches and records of one section, line by line."""

    def __init__(self, lines: Lines, rows: Rows, section: Section, end: int | None) -> None:
        """Begin a section whose first batch is at position `end`; None means anywhere."""
        self._lines = lines
        self._rows = rows
        self.chain = Chain(lines, rows, section, end)
        self.section = section
        self.tail = RecordTail(lines, section)
        self._end = RecordEnd(lines, section)
        self._metadata = False
        """Whether record lines with their metadata were printed: an empty line is no marker then."""

    def take(self) -> bool:
        """Take the batch line or the whole record at the cursor; return whether there is one."""
        batch = self.chain.current
        if batch and (batch.head.count is None or not batch.complete) and self._take_record(batch):
            return True
        head = batch_head(self._lines.buffer, self._lines.at, self._lines.edge, whole=self._lines.whole)
        if head and self.chain.offer(head):
            self.section = self.tail.section = self.chain.section
            self.tail.open_text = False
            return True
        return self.chain.plain and self._take_apart()

    def _take_apart(self) -> bool:
        """Take a record line that is not the current batch's: of the one before it, or one without its batch line."""
        lines, chain = self._lines, self.chain
        if lines.buffer[lines.at : lines.at + 10] != RECORD or self.tail.open_text:
            return False
        head = record_head(lines.buffer, lines.at, lines.edge)
        if head is None:
            return False
        last = chain.last
        if last and last is not chain.current and not last.complete and _fits(last, head.offset):
            chain.drop_trial()
            return self._take_record(last)
        offset = lines.offset
        raw = take_lone_record(lines, self._rows, self.section, head)
        if raw is Raw.HEADER_KEYS:
            chain.headers_until = offset + SLACK_BYTES
        elif raw is Raw.CONTENTS:
            chain.see_raw_text()
        return raw is Raw.NOTHING

    def _take_record(self, batch: Batch) -> bool:
        lines = self._lines
        if lines.buffer[lines.at : lines.at + 10] != RECORD:
            return self._take_without_metadata(batch)
        self._metadata = True
        if self.section.decoder == "none" and not batch.head.is_control and self._take_bare(batch):
            return True
        head = record_head(lines.buffer, lines.at, lines.edge)
        if head is None or not _fits(batch, head.offset):
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
        """Take a record line of a dump without contents: it ends in `]`; after header keys the next line must fit."""
        lines = self._lines
        edge = lines.edge
        match = RECORD_START.match(lines.buffer, lines.at, edge)
        empty = lines.buffer.startswith(NO_HEADERS, edge - len(NO_HEADERS))
        if not match or lines.buffer[edge - 1] != 93 or not (lines.whole or empty):  # noqa: PLR2004 - "]"
            return False
        offset = int(match[1])
        if not _fits(batch, offset):
            return False
        sizes = SIZES.search(lines.buffer, match.end(), edge)
        batch.records += 1
        before, batch.last_record = batch.last_record, offset
        lines.need(edge - lines.at + NEXT_LINE_BYTES)
        if self._end.may_go_on(batch, lines.edge) if empty else not self._end.follows(batch, lines.edge):
            batch.records -= 1
            batch.last_record = before
            return False
        batch.first_record = offset if batch.first_record is None else batch.first_record
        if sizes:
            batch.add_payload(int(sizes[1]), int(sizes[2]))
        else:
            batch.payload_bytes = None
        self.chain.text_may_follow(lines.offset, batch.head.size, compressed=batch.head.compressed)
        self.tail.open_text = False
        lines.next()
        return True

    def _take_control(self, batch: Batch, head: RecordHead) -> None:
        """Take `| offset: 8 ... headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0` or another control record."""
        lines = self._lines
        marker = self.tail.take_marker(head.text_at - lines.at)
        if marker:
            batch.marker, batch.coordinator_epoch = marker
            batch.marker_line, batch.marker_byte_offset = lines.number, lines.offset
        elif metadata.may_be_metadata(self.section.topic):
            rest = lines.buffer[head.text_at : lines.edge].decode("utf-8", "replace")
            self._keep(batch, metadata.control_row(rest, batch.line, head.offset, head.timestamp))
        if not (lines.whole or marker):
            self.section.cut(NO_LINE_END)
        self.tail.open_text = False
        lines.next()

    def _keep(self, batch: Batch, row: Row | None) -> bool:
        """Keep the row of the record line at the cursor; return whether there is one."""
        if row is None:
            return False
        self.section.decoder = "metadata"
        batch.contents.append((row[0], self._lines.number, self._lines.offset, row[1]))
        return True

    def _take_metadata(self, batch: Batch, head: RecordHead) -> bool:
        """Take a record of the quorum's log, which is one line however long its value is; return whether it is one."""
        lines = self._lines
        if head.key_size >= 0 or not lines.whole or not metadata.may_be_metadata(self.section.topic):
            return False
        rest = lines.buffer[head.text_at : lines.edge].decode("utf-8", "replace")
        row = metadata.data_row(rest, head.value_size, batch.line, head.offset, head.timestamp)
        if not self._keep(batch, row):
            return False
        self.chain.text_may_follow(lines.offset, batch.head.size, compressed=batch.head.compressed)
        self.tail.open_text = False
        lines.next()
        return True

    def _take_data(self, batch: Batch, head: RecordHead) -> None:
        """Take a data record with all lines of its text."""
        if self._take_metadata(batch, head):
            return
        lines = self._lines
        number, offset, begin = lines.number, lines.offset, head.text_at - lines.at
        text = self._end.measure(batch, head)
        raw = raw_text(lines, begin, text, self.section) if self.chain.plain else Raw.NOTHING
        if raw is Raw.CONTENTS or (text is None and self.section.decoder != "none"):
            self.chain.see_raw_text()
        if not self.chain.paid and head.lacks_contents(lines.buffer, lines.edge):
            self.chain.owe(offset + begin, batch.head.size)  # it may be text of the record that owes some
        if text is None:
            if not self._end.is_object(head):
                odd = self.tail.take_marker(begin) is not None  # no data record prints a marker
                self.chain.owe(offset + begin, batch.head.size if odd else head.text_bytes)
            self.chain.text_until = self.chain.headers_until = self.tail.leave_open(head, begin, batch.head.size)
            return
        undecoded = self.section.topic in INTERNAL_TOPICS and (text.key or "").startswith(_UNKNOWN)
        if text.decoder in ("", "none") and head.value_size >= 0 and prints_contents(lines, begin) and not undecoded:
            self.chain.owe(offset + begin, head.text_bytes)
        self.section.decoder = text.decoder or self.section.decoder
        row: Row | None = None
        if self.section.payloads:
            row = self._payload_row(batch, head, begin, text.stop)
        elif text.decoder in ("transaction", "offsets"):
            row = contents_row(text, batch.line, head.offset, head.timestamp, whole=text.stop < len(lines.buffer))
        elif text.decoder != "none" and self.section.keys is not None:
            row = self.tail.key_row(head, begin, text.stop, producer_of(batch.line))
        if row:
            batch.contents.append((row[0], number, offset, row[1]))
        else:
            self._note_undecoded(text, head.offset)
        self.tail.step_over(text.stop, whole=row is not None and shows_end(text))
        self.chain.text_may_follow(offset, batch.head.size, compressed=batch.head.compressed)
        if raw is Raw.HEADER_KEYS:
            self.chain.headers_until = self.chain.text_until

    def _payload_row(self, batch: Batch, head: RecordHead, begin: int, stop: int) -> Row:
        """Return the row of a record as printed; whether its timestamp is the broker's is on the batch line."""
        lines = self._lines
        label = "LogAppendTime" if b" LogAppendTime: " in batch.line else "CreateTime"
        record = (head.offset, head.timestamp, label, head.sequence, *producer_of(batch.line))
        return payload_row(
            record, printed_payload(lines.buffer, lines.at + begin, stop, head.key_size, head.value_size)
        )

    def _note_undecoded(self, text: RecordText, offset: int) -> None:
        """Say that a record of an internal topic gave no row."""
        if text.decoder in ("transaction", "offsets"):
            if text.value is not None and not (text.key or "").startswith('{"type":'):
                self.section.note(f"record {offset} was not decoded: {(text.value or text.key or '')[:60]}")
        elif self.section.keys is None and text.key and text.key.startswith(_UNKNOWN):
            self.section.note(f"records the tool could not decode: {text.key[:60]}")

    def _take_without_metadata(self, batch: Batch) -> bool:
        """Take a record of `--skip-record-metadata`: `| key: k payload: v`, ` payload: v` or an empty line."""
        lines = self._lines
        if self._metadata and not self.section.without_metadata:
            return False  # a dump prints it for all records or for none
        first = lines.buffer[lines.at : lines.at + 11]
        if first.startswith((b"| key: ", b"| payload: ", b" payload: ")):
            self.section.without_metadata = True
            self.section.decoder = self.section.decoder or "data"
        elif lines.edge > lines.at:
            return False
        printed = self.section.without_metadata
        if not printed and not batch.head.is_control:
            return False
        if printed:
            self.chain.see_raw_text()
        self.chain.deep = True
        batch.records += 1
        batch.payload_bytes = None
        self.tail.open_text = printed
        self.chain.text_until = lines.offset + min(INFLATION * batch.head.size + SLACK_BYTES, MOST_HELD_BYTES)
        lines.next()
        return True


def _fits(batch: Batch, offset: int) -> bool:
    """Whether a record of this offset may be the next one of a batch."""
    return max(batch.last_record + 1, batch.head.base_offset) <= offset <= batch.head.last_offset
