"""Whether a Dumping line begins a dump, or stands in the text of a record: by the lines after it."""

import re

from analyzer.parse.remarks import CUT_OUT, remark_of
from analyzer.parse.stream import Lines

LOOK_AHEAD_BYTES = 4096
_STARTING = re.compile(rb"(?:Log s|S)tarting offset: \d+|Snapshot end offset: |KRaft bootstrap snapshot")
_FIRST_BATCH = re.compile(rb"(?:baseOffset: .*|offset: \d+) position: 0 ")
BATCHES_AND_RECORDS = (b"baseOffset: ", b"offset: ", b"| offset: ")
_FIRST_ENTRY = re.compile(
    rb"producerId: |version: \d+ producerId: |(?:offset|timestamp): -?\d+ (?:position|offset): -?\d+\r?$"
)
_WITHOUT_BATCHES = (b".index", b".timeindex", b".snapshot", b".txnindex")
"""Files of a log dir whose dumps may have no first line at all."""
_TEXT_END = re.compile(rb"^(?!\| offset: )(?:.*\] (?:key|payload): .*|.*\])\r?$", re.MULTILINE)
"""The end of header keys that hold line breaks."""
_MOST_OF_TEXT = 1 << 16


def text_ends(lines: Lines, size: int) -> bool:
    """Return whether text of a record ends within so many bytes of the cursor: its header keys held the line there."""
    size = min(size, _MOST_OF_TEXT)
    lines.need(size)
    ends = _TEXT_END.finditer(lines.buffer, lines.at, lines.at + size)
    return any(not CUT_OUT.match(end[0]) for end in ends)


def dump_begins(lines: Lines, *, plain: bool) -> bool:
    """Return whether the lines after the Dumping line at the cursor are the beginning of a dump.

    Of a `plain` one, without raw text, that is also any batch or record, or the mark of a cut.
    """
    lines.need(LOOK_AHEAD_BYTES)
    following = lines.buffer[lines.stop + 1 : lines.at + LOOK_AHEAD_BYTES].splitlines()
    started = False
    dumping = lines.line[lines.line.find(b"Dumping ") :]
    for line in (dumping, *following[:8]):
        if line.startswith(b"Dumping "):
            log = line.endswith((b".log", b".checkpoint"))
            started = line.endswith(_WITHOUT_BATCHES)
        elif _STARTING.match(line):
            started = True
        elif plain and (line.startswith(BATCHES_AND_RECORDS) or CUT_OUT.match(line)):
            return True
        elif (_FIRST_BATCH if log else _FIRST_ENTRY).match(line):
            return started
        elif not remark_of(line):
            return False
    return started
