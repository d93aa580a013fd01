r"""Reads the text of DumpLogSegments, any version and any mixture, into rows.

Dumping /logs/orders-0/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 2 count: 3 ...
| offset: 0 CreateTime: 1795252572871 keySize: -1 valueSize: 24 sequence: -1 headerKeys: []
"""

import re
from collections.abc import Iterator

from analyzer.kafka.placement import place_of
from analyzer.parse.dump.accepted import Batch
from analyzer.parse.dump.bulk import BulkReader
from analyzer.parse.dump.flat_dump import FlatDump
from analyzer.parse.dump.log_dump import LogDump
from analyzer.parse.remarks import CUT_OUT, remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import NO_LINE_END, Section, section_of
from analyzer.parse.small_files.entries import take_entry
from analyzer.parse.small_files.pasted import Pasted
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import NOT_TAKEN
from analyzer.tables import NO_KEYS, KeyReading

LOOK_AHEAD_BYTES = 4096
_DUMPING = re.compile(rb"Dumping (\S.*)")
_STARTING = re.compile(rb"(?:Log s|S)tarting offset: \d+|Snapshot end offset: |KRaft bootstrap snapshot")
_FIRST_BATCH = re.compile(rb"(?:baseOffset: .*|offset: \d+) position: 0 ")
_LINES = (b"baseOffset: ", b"offset: ", b"| offset: ")
_FIRST_ENTRY = re.compile(rb"producerId: |version: \d+ producerId: |(?:offset|timestamp): -?\d+ (?:position|offset): ")
_TEXT_END = re.compile(rb"^(?!\| offset: )(?:.*\] (?:key|payload): .*|.*\])\r?$", re.MULTILINE)
"""The end of header keys that hold line breaks."""
_MOST_OF_TEXT = 1 << 16
_QUOTED = re.compile(
    rb"(?:(?:>|&gt;) ?|\? ){1,4}(?=Dumping \S|(?:Log s|S)tarting offset: \d|(?:baseOffset|offset|\| offset): -?\d)"
)
_QUOTING = (b">", b"&", b"?")
LOG_KINDS = ("", "log", "checkpoint")


def read_dump(
    lines: Lines, rows: Rows, *, bulk: bool = True, keys: KeyReading = NO_KEYS, payloads: bool = False
) -> Iterator[None]:
    """Read all lines into rows; each yield is a point where rows may be taken.

    `bulk` reads many plain batches at once; without it every line goes through the state machine, with equal rows.
    `payloads` adds a row of `printed_payload` for each data record, and is for use without `bulk`.
    """
    reader = _DumpReader(lines, rows, bulk=bulk, keys=keys, payloads=payloads)
    while not lines.ended:
        reader.step()
        yield
    reader.close()


class _DumpReader:
    """The section at the cursor and its readers."""

    def __init__(self, lines: Lines, rows: Rows, *, bulk: bool, keys: KeyReading, payloads: bool) -> None:
        self._lines = lines
        self._rows = rows
        self._bulk = BulkReader(lines) if bulk else None
        self._keys = keys
        self._payloads = payloads
        self._pasted = Pasted(rows)
        self._commanded: str | None = None
        """The file of the last command that makes a dump."""
        self._open(Section(0, 1, 0), None)

    @property
    def section(self) -> Section:
        return self._log.section

    def step(self) -> None:
        """Take what is at the cursor: many batches, a record with all its lines, or one line."""
        lines = self._lines
        log = self._log
        self._pass_quoting()
        in_log = log.section.kind in LOG_KINDS
        if in_log and self._bulk and self._bulk.take(log):
            return
        if (in_log and self._take_log()) or self._take_dumping():
            return
        flat = self._flat
        if log.tail.open_text and lines.offset < log.chain.text_until:
            log.chain.refuse(NOT_TAKEN)
        elif flat.tail.open_text and lines.offset < flat.text_until:
            flat.refuse(NOT_TAKEN)
        else:
            self._take_other()

    def _pass_quoting(self) -> None:
        """Step over what stands before a line of a dump where no content is printed that may hold such a line.

        Some lines of a paste are quoted and some are not: what most share is taken off before (RULES F 6).
        """
        lines, log = self._lines, self._log
        if lines.buffer[lines.at : lines.at + 1] not in _QUOTING or self.section.raw_text or log.tail.open_text:
            return
        match = _QUOTED.match(lines.buffer, lines.at, lines.edge)
        if match and lines.offset >= max(log.chain.headers_until, self._flat.text_until):
            lines.at = match.end()

    def close(self) -> None:
        """Finish the last section."""
        fault = self._lines.fault
        if fault:
            self.section.cut(fault)
            self.section.note(fault)
        if not self._close() and fault:
            self._rows.add("unparsed_lines", (0, 1, 0), lines=0, text="", reason=fault)

    def _take_log(self) -> bool:
        first = self._lines.buffer[self._lines.at : self._lines.at + 7]
        if first == b"offset:" and self._log.chain.current is None and self._flat.take():
            self._started = True
            return True
        if self._log.take():
            self._started = True
            return True
        return False

    def _take_other(self) -> None:
        lines = self._lines
        if may_count(self.section, self._log.chain.last) and self._pasted.take(lines, self.section):
            lines.next()
            self._see_command()
            return
        says = remark_of(lines.line)
        if says:
            self.section.say(says, lines.text(300))
            if not lines.whole and not lines.long:
                self.section.cut(NO_LINE_END)
            lines.next()
            return
        if take_entry(lines, self._rows, self.section):
            self._started = True
            return
        self._refuse(NOT_TAKEN if lines.whole else "the line is cut")

    def _see_command(self) -> None:
        """Take the dump that a pasted command made for what follows: its Dumping line may not have been copied."""
        file, _ = self._pasted.dumped
        if file is None or file == self._commanded:
            return
        self._commanded = file
        lines, number = self._lines, self.section.number
        if place_of(file).topic is None:
            return
        if self._close():
            number += 1
        self._open(section_of(number, lines.number, lines.offset, file), None)

    def _refuse(self, reason: str) -> None:
        if not self._lines.whole and not self._lines.long:
            self.section.cut(NO_LINE_END)
        if self.section.records and self._log.chain.current is None:
            self._flat.refuse(reason)
        else:
            self._log.chain.refuse(reason)

    def _take_dumping(self) -> bool:
        """Open the next section at `Dumping <path>`; if that may be text of a record, only if the next lines fit."""
        lines = self._lines
        match = _DUMPING.fullmatch(lines.line)
        if match is None:
            return False
        until = max(self._log.chain.text_until, self._flat.text_until)
        if lines.offset < until:
            plain = self._log.chain.plain and not _text_ends(lines, until - lines.offset)
            if not _dump_begins(lines, plain=plain):
                return False
        path = match[1].decode("utf-8", "replace")
        _, folder = self._pasted.dumped
        path = path if "/" in path or folder is None else f"{folder}/{path}"
        number, line, offset = self.section.number, lines.number, lines.offset
        if self._close():
            number += 1
        section = section_of(number, line, offset, path)
        if not lines.whole:
            section.cut(NO_LINE_END)
        self._open(section, 0)
        self._started = True
        lines.next()
        return True

    def _open(self, section: Section, end: int | None) -> None:
        section.keys = self._keys if self._keys.wanted(section.topic) else None
        section.payloads = self._payloads
        self._log = LogDump(self._lines, self._rows, section, end)
        self._flat = FlatDump(self._lines, self._rows, section)
        self._started = False

    def _close(self) -> bool:
        """Finish the section; return whether anything was read in it."""
        self._log.finish()
        self._flat.finish()
        if self._started:
            self.section.close(self._rows, self._lines.number - 1)
        return self._started


def _text_ends(lines: Lines, size: int) -> bool:
    """Whether text of a record ends within so many bytes of the cursor: its header keys held the line there."""
    size = min(size, _MOST_OF_TEXT)
    lines.need(size)
    ends = _TEXT_END.finditer(lines.buffer, lines.at, lines.at + size)
    return any(not CUT_OUT.match(end[0]) for end in ends)


def _dump_begins(lines: Lines, *, plain: bool) -> bool:
    """Whether the lines after the Dumping line at the cursor are the beginning of a dump.

    Of a `plain` one, without raw text, that is also any batch or record, or the mark of a cut.
    """
    lines.need(LOOK_AHEAD_BYTES)
    following = lines.buffer[lines.stop + 1 : lines.at + LOOK_AHEAD_BYTES].splitlines()
    started = False
    for line in (lines.line, *following[:8]):
        if line.startswith(b"Dumping "):
            log = line.endswith((b".log", b".checkpoint"))
            started = not log
        elif _STARTING.match(line):
            started = True
        elif plain and (line.startswith(_LINES) or CUT_OUT.match(line)):
            return True
        elif (_FIRST_BATCH if log else _FIRST_ENTRY).match(line):
            return started
        elif not remark_of(line):
            return False
    return started


def may_count(section: Section, batch: Batch | None) -> bool:
    """Return whether a line between the records of a dump may count: none of it can be the text of a record.

    Where contents were printed raw, a record whose own line was cut out may have left its text behind (RULES C 14);
    so may one of the last `batch` that is not here.
    """
    left_behind = section.excerpt or section.holes or section.lone_records or (batch and not batch.complete)
    return not (section.raw_text and left_behind)
