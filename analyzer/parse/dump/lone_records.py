"""Takes the record lines of an excerpt whose batch line was cut out.

What such a line says by itself is kept: the coordinator's state, or the group, in its JSON. Whose a marker or a data
record is stands on the batch line only, so these are counted. Where raw text is printed, a record line without its
batch may be such text, and is not taken (RULES C 14).
"""

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.contents.printed import contents_row
from analyzer.parse.dump.record_text import decoded
from analyzer.parse.lines.record_lines import RecordHead
from analyzer.parse.raw_text import Raw, raw_text
from analyzer.parse.rows import Rows
from analyzer.parse.sections import NO_LINE_END, Section
from analyzer.parse.stream import Lines

_WITHOUT_PRODUCER = ("coordinator_states", "group_metadata")
"""The tables whose rows need nothing of the batch line."""


def take_lone_record(lines: Lines, rows: Rows, section: Section, head: RecordHead) -> Raw:
    """Take the record line at the cursor, whose batch line is not here, unless it prints raw text; return which."""
    internal = section.topic is None or section.topic in INTERNAL_TOPICS
    start = head.text_at + 1
    text = decoded(lines.buffer, start, head.key_size, head.value_size) if internal and head.raw_headers else None
    raw = raw_text(lines, head.text_at - lines.at, text, section)
    if raw is not Raw.NOTHING:
        return raw
    row = contents_row(text, b"", head.offset, head.timestamp, whole=lines.whole) if text else None
    if row and row[0] in _WITHOUT_PRODUCER:
        section.decoder = text.decoder or section.decoder if text else section.decoder
        rows.add_row(row, (section.number, lines.number, lines.offset))
    section.see_lone_record(head.offset, lines.number)
    if not lines.whole:
        section.cut(NO_LINE_END)
    lines.next()
    return raw
