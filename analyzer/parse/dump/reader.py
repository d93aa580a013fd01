r"""Reads the text of DumpLogSegments, any version and any mixture, into rows.

Dumping /logs/orders-0/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 2 count: 3 ...
| offset: 0 CreateTime: 1795252572871 keySize: -1 valueSize: 24 sequence: -1 headerKeys: []
"""

import re
from collections.abc import Iterator

from analyzer.kafka.pasting.fences import BEGIN, END
from analyzer.kafka.placement import place_of
from analyzer.parse.dump.accepted import Batch
from analyzer.parse.dump.bulk import BulkReader
from analyzer.parse.dump.flat_dump import FlatDump
from analyzer.parse.dump.log_dump import LogDump
from analyzer.parse.lines.dumping_lines import BATCHES_AND_RECORDS, dump_begins, text_ends
from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import NO_LINE_END, Section, section_of
from analyzer.parse.small_files.commands import is_prompt
from analyzer.parse.small_files.entries import take_entry
from analyzer.parse.small_files.pasted import Pasted
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import NOT_TAKEN
from analyzer.tables import NO_KEYS, KeyReading

_FENCE = BEGIN.encode()
_DUMPING = re.compile(rb"(?:" + _FENCE + rb")?Dumping (\S.*)")
_MOST_OF_PROMPT = 300
_QUOTED = re.compile(
    rb"(?:(?:>|&gt;) ?|\? ){0,4}(?:"
    + _FENCE
    + rb")?(?:\*\*|`)?(?=Dumping \S|(?:Log s|S)tarting offset: \d|(?:baseOffset|offset|\| offset): -?\d)"
)
_QUOTING = (b">", b"&", b"?", b"`", b"{", b"<", b"*")
_ENDS_BLOCK = re.compile(rb"(?<=[\]\w])(?:\*\*|`)?(?:" + END.encode() + rb")?$")
_ENDING = (b"`", b"}", b">", b"*")
LOG_KINDS = ("", "log", "checkpoint")
FILTERED = "its command gave it to another program, which may have left lines out"


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
        self._follows = False
        """Whether the next batch follows a command, and no Dumping line."""
        self._commanded: str | None = None
        """The file that the command before the current section dumps, if it names one."""
        self._filtered = False
        """Whether that command gave its dump to grep, head or the like: what is here is an excerpt."""
        self._open(Section(0, 1, 0), None)

    @property
    def section(self) -> Section:
        return self._log.section

    def step(self) -> None:
        """Take what is at the cursor: many batches, a record with all its lines, or one line."""
        lines = self._lines
        log = self._log
        self._pass_quoting()
        if self._follows and lines.buffer.startswith(BATCHES_AND_RECORDS, lines.at):
            self._open_commanded()
            log = self._log
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
        """Step over what stands before or after a line of a dump where no content is printed that may hold such a line.

        Some lines of a paste are quoted and some are not: what most share is taken off before (RULES F 6).
        """
        lines, log = self._lines, self._log
        begins = lines.buffer[lines.at : lines.at + 1] in _QUOTING
        ends = lines.buffer[lines.edge - 1 : lines.edge] in _ENDING
        if not (begins or ends) or self.section.raw_text or log.tail.open_text:
            return
        if lines.offset < max(log.chain.headers_until, self._flat.text_until):
            return
        if begins and (quoted := _QUOTED.match(lines.buffer, lines.at, lines.edge)):
            lines.at = quoted.end()
        if ends and (mark := _ENDS_BLOCK.search(lines.buffer, lines.at, lines.edge)):
            lines.edge = mark.start()

    def close(self) -> None:
        """Finish the last section."""
        self._pasted.close(max(self._lines.number - 1, 1))
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
        if may_count(self.section, self._log.chain.last):
            if self._commanded and is_prompt(lines.text(_MOST_OF_PROMPT)):
                self._follow_command(None)
            ended = self._pasted.commands.ended
            if self._pasted.take(lines, self.section):
                lines.next()
                if self._pasted.commands.ended > ended:
                    self._filtered = self._pasted.commands.filters
                    if self._pasted.commands.makes_dump:
                        self._follow_command(self._pasted.commands.dumps)
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

    def _follow_command(self, path: str | None) -> None:
        """Take the next batch for one of this file's dump: a pasted command may have lost its Dumping line.

        None: what follows another command, or one that names no file, is of no known partition.
        """
        self._commanded = path
        self._follows = True

    def _open_commanded(self) -> None:
        """Open the section of the dump that follows a command, where its first line is no Dumping line."""
        self._follows = False
        lines, path, number = self._lines, self._commanded, self.section.number
        if self._close():
            number += 1
        place = (number, lines.number, lines.offset)
        placed = path is not None and place_of(path).topic is not None
        self._open(section_of(*place, path) if path and placed else Section(*place), None)

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
            plain = self._log.chain.plain and not text_ends(lines, until - lines.offset)
            if not dump_begins(lines, plain=plain):
                return False
        path = match[1].decode("utf-8", "replace")
        if self._commanded and "/" not in path and self._commanded.endswith(f"/{path}"):
            path = self._commanded
        number, line, offset = self.section.number, lines.number, lines.offset
        if self._close():
            number += 1
        self._follows = False
        section = section_of(number, line, offset, path)
        if not lines.whole:
            section.cut(NO_LINE_END)
            section.path_cut = True
        self._open(section, 0)
        self._started = True
        lines.next()
        return True

    def _open(self, section: Section, end: int | None) -> None:
        section.keys = self._keys if self._keys.wanted(section.topic) else None
        section.payloads = self._payloads
        section.excerpt = self._filtered
        if self._filtered:
            section.note(FILTERED)
        self._log = LogDump(self._lines, self._rows, section, end)
        self._flat = FlatDump(self._lines, self._rows, section)
        self._started = False

    def _close(self) -> bool:
        """Finish the section; return whether anything was read in it."""
        self._log.chain.finish()
        self._flat.finish()
        if self._started:
            self.section.close(self._rows, self._lines.number - 1)
        return self._started


def may_count(section: Section, batch: Batch | None) -> bool:
    """Return whether a line between the records of a dump may count: none of it can be the text of a record.

    Where contents were printed raw, a record whose own line was cut out may have left its text behind (RULES C 14);
    so may one of the last `batch` that is not here.
    """
    left_behind = section.excerpt or section.holes or section.lone_records or (batch and not batch.complete)
    return not (section.raw_text and left_behind)
