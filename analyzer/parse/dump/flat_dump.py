r"""Reads the flat record lines of 0.8 to 2.1; records of one position make a batch.

    offset: 3 position: 175 CreateTime: 1795252572888 isvalid: true keysize: -1 valuesize: 21 magic: 2
    compresscodec: NONE producerId: 1001 producerEpoch: 0 sequence: 0 isTransactional: true headerKeys: []

These dumps have no batch lines, so that a batch's number of records, size and checksum are unknown.
"""

import dataclasses
import re

from analyzer.kafka.framing import BATCH_BYTES, MOST_RECORD_BYTES
from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.contents.printed import contents_row
from analyzer.parse.dump.flat_records import FlatRecord, flat_record, may_be_marker, since
from analyzer.parse.dump.printed_payload import payload_row, printed_payload
from analyzer.parse.dump.record_tail import NEXT_LINE_BYTES, RecordTail
from analyzer.parse.dump.record_text import decoded, exact_stop
from analyzer.parse.lines.printed_text import RecordText, at_line_end
from analyzer.parse.rows import Row, Rows, within
from analyzer.parse.sections import Section
from analyzer.parse.stream import MOST_HELD_BYTES, Lines
from analyzer.parse.unclaimed import Unclaimed
from analyzer.tables import TABLES

MOST_TRIES = 1_000
_AFTER_PLACE = TABLES["batches"].names[4:]
"""The columns of `batches` after file_id, section, line and byte_offset."""


@dataclasses.dataclass(slots=True)
class _Group:
    """Consecutive records of one position."""

    first: FlatRecord
    last: FlatRecord
    line: int
    byte_offset: int
    count: int = 1
    payload_bytes: int = 0
    max_time: int | None = None
    marker: tuple[str, int | None] | None = None


class FlatDump:
    """Reads the flat records of one section."""

    def __init__(self, lines: Lines, rows: Rows, section: Section) -> None:
        """Begin a section."""
        self._lines = lines
        self._rows = rows
        self.section = section
        self.unclaimed = Unclaimed()
        self.tail = RecordTail(lines, section)
        self.text_until = 0
        self._group: _Group | None = None

    def take(self) -> bool:
        """Take the record line at the cursor with all lines of its text; offsets and positions must not go back."""
        lines = self._lines
        record = flat_record(lines.buffer, lines.at, lines.edge)
        group = self._group
        if record is None or (group and (record.offset <= group.last.offset or record.position < group.first.position)):
            return False
        if not lines.whole and record.sequence is None:
            return False
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
        self.section.kind = self.section.kind or "log"
        self.section.records += 1
        self.section.see_layout(since(record))
        if group and group.first.position == record.position:
            group.last = record
            group.count += 1
            group.max_time = _latest(group.max_time, record.timestamp)
        else:
            self.section.excerpt |= group is not None and _cut_out(group, record)
            self._write()
            group = self._group = _Group(record, record, lines.number, lines.offset, max_time=record.timestamp)
        group.payload_bytes += max(record.key_size, 0) + max(record.value_size, 0)
        self._take_text(group, record)
        return True

    def refuse(self, reason: str) -> None:
        """Step over the line at the cursor, which may be text of the last record."""
        self.unclaimed.add(self._lines, reason, maybe_text=self._lines.offset < self.text_until)
        self._lines.next()

    def finish(self) -> None:
        """Write the last batch."""
        self._write()
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)

    def _take_text(self, group: _Group, record: FlatRecord) -> None:
        lines = self._lines
        number, offset, line = lines.number, lines.offset, lines.buffer[lines.at : record.text_at]
        begin = record.text_at - lines.at
        marker = self.tail.take_marker(begin) if may_be_marker(record) else None
        if marker:
            group.marker = marker
            self.tail.step_over(lines.edge)
            return
        text = self._measure(record)
        if text is None:
            self.text_until = self.tail.leave_open(record, begin)
            return
        self.section.decoder = text.decoder or self.section.decoder
        row: Row | None = None
        if self.section.payloads:
            row = self._payload_row(record, begin, text.stop)
        elif text.decoder in ("transaction", "offsets"):
            row = contents_row(text, line, record.offset, record.timestamp, whole=text.stop < len(self._lines.buffer))
        elif text.decoder != "none":
            producer = (record.producer_id, within(record.epoch, "int"), record.transactional)
            row = self.tail.key_row(record, begin, text.stop, producer)
        if row:
            self._rows.add_row(row, (self.section.number, number, offset))
        self.text_until = 0
        self.tail.step_over(text.stop)

    def _payload_row(self, record: FlatRecord, begin: int, stop: int) -> Row:
        """Return the row of a record as printed."""
        lines = self._lines
        producer = (record.producer_id, within(record.epoch, "int"), record.transactional)
        head = (record.offset, record.timestamp, record.label, -1 if record.sequence is None else record.sequence)
        return payload_row(
            (*head, *producer),
            printed_payload(lines.buffer, lines.at + begin, stop, record.key_size, record.value_size),
        )

    def _measure(self, record: FlatRecord) -> RecordText | None:
        """Return where the record's text ends, None if its sizes do not tell."""
        lines = self._lines
        size = max(record.key_size, 0) + max(record.value_size, 0)
        begin = record.text_at - lines.at
        length = begin + 2 * size + NEXT_LINE_BYTES
        if length > MOST_HELD_BYTES or lines.long:
            return None
        lines.need(length)
        start = lines.at + begin
        if record.sequence is None:
            return self._text_at(start, record)
        fitting: RecordText | None = None
        at = start
        for _ in range(MOST_TRIES):
            at = lines.buffer.find(b"]", at, lines.at + length) + 1
            text = self._text_at(at, record) if at else None
            if text and (at == start + 1 or self._follows(record, text.stop)):
                return text
            fitting = fitting or text
            if not at:
                break
        return fitting

    def _text_at(self, start: int, record: FlatRecord) -> RecordText | None:
        """Return the text of a record whose header keys end right before this index."""
        lines = self._lines
        buffer = lines.buffer
        decoder = self.section.decoder
        null = record.value_size < 0
        if start <= len(buffer) and at_line_end(buffer, start) and decoder in ("", "none") and start < len(buffer):
            return RecordText(start, "" if null else "none")
        internal = decoder in ("", "transaction", "offsets") and self.section.topic in (None, *INTERNAL_TOPICS)
        stop = exact_stop(buffer, start, record.key_size, record.value_size)
        if stop is not None and decoder not in ("transaction", "offsets") and (stop < len(buffer) or lines.exhausted):
            return RecordText(stop, "" if null else "data")
        text = decoded(buffer, start, record.key_size, record.value_size) if internal else None
        return text or (RecordText(stop, "") if stop is not None and stop < len(buffer) else None)

    def _follows(self, record: FlatRecord, stop: int) -> bool:
        """Whether the line after this line end may follow the record."""
        buffer = self._lines.buffer
        end = buffer.find(b"\n", stop)
        if end < 0 or end + 1 >= len(buffer):
            return True
        edge = buffer.find(b"\n", end + 1)
        following = flat_record(buffer, end + 1, edge if edge >= 0 else len(buffer))
        if following is None:
            return (
                re.match(rb"Dumping \S|Found \d+ invalid|Exception in thread ", buffer[end + 1 : end + 64]) is not None
            )
        return following.offset > record.offset and following.position >= record.position

    def _write(self) -> None:
        """Write the batch that the records of the last position form."""
        group, self._group = self._group, None
        if group is None:
            return
        first, last = group.first, group.last
        legacy = first.magic < 2  # noqa: PLR2004 - message format
        packed = legacy and (group.count > 1 or first.codec != "none")
        row: dict[str, object] = {
            "batch_source": "records",
            "base_offset": None if packed and group.count == 1 else first.offset,
            "last_offset": last.offset,
            "count": None if packed and group.count == 1 else group.count,
            "base_sequence": -1 if legacy else within(first.sequence, "int"),
            "last_sequence": -1 if legacy else within(last.sequence, "int"),
            "producer_id": -1 if legacy else first.producer_id,
            "producer_epoch": -1 if legacy else within(first.epoch, "int"),
            "partition_leader_epoch": -1 if legacy else None,
            "is_transactional": first.transactional,
            "is_control": group.marker is not None,
            "timestamp_type": first.label,
            "max_timestamp": group.max_time,
            "position": first.position,
            "magic": first.magic,
            "codec": None if packed and first.codec == "none" else first.codec,
            "payload_bytes": None if packed and group.count == 1 else within(group.payload_bytes, "bigint"),
            "crc": None if packed else first.crc,
            "crc_valid": first.valid if legacy and not packed else None,
            "marker": group.marker[0] if group.marker else None,
            "coordinator_epoch": group.marker[1] if group.marker else None,
            "marker_line": group.line if group.marker else None,
            "marker_byte_offset": group.byte_offset if group.marker else None,
        }
        self.section.batches += 1
        place = (self.section.number, group.line, group.byte_offset)
        self._rows.add("batches", place, **{name: row.get(name) for name in _AFTER_PLACE})


def _cut_out(group: _Group, record: FlatRecord) -> bool:
    """Whether offsets and bytes are missing between the records of a position and the next one."""
    first, last = group.first, group.last
    room = BATCH_BYTES + MOST_RECORD_BYTES * (last.offset - first.offset + 1) + group.payload_bytes
    jumps = record.position > first.position + room and first.codec == "none"
    return jumps and record.offset > last.offset + 1


def _latest(time: int | None, other: int | None) -> int | None:
    """Return the later of two timestamps, of which either may be unknown."""
    return time if other is None else max(time or -1, other)
