r"""Reads console consumer output of the internal topics, both formatter families, into rows.

    {"key":{"version":0,"data":{"transactionalId":"t"}},"value":{"version":0,"data":{...}}}{"key":...  (3.9 on)
    t::TransactionMetadata(transactionalId=t, producerId=1, producerEpoch=0, txnTimeoutMs=60000, state=Ongoing,
        pendingState=None, topicPartitions=HashSet(a-0), txnStartTimestamp=1, txnLastUpdateTimestamp=2)  (to 3.9)
    [g,t,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional.empty, metadata=note, commitTimestamp=1, ...) (to 3.9)

The JSON formatters write no line ends, so a whole topic is one line; `byte_offset` is where the object begins.
"""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from analyzer.kafka.words import may_be_evidence
from analyzer.opening import DAMAGE
from analyzer.parse.console.forms import old_form
from analyzer.parse.console.kcl import KclRecords, KclSections
from analyzer.parse.contents.printed import NO_PRODUCER, json_row
from analyzer.parse.logs.layouts import logged_ms
from analyzer.parse.logs.reader import MOST_CHARACTERS as MOST_OF_LINE, add, said
from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import NO_LINE_END, Section
from analyzer.parse.stream import BLOCK_BYTES
from analyzer.parse.unclaimed import MOST_RUNS, TEXT_LENGTH
from analyzer.tables import NO_EVIDENCE

OBJECT = '{"key":'
MOST_CHARACTERS = 1 << 22
"""Longer objects and lines are not parsed."""

_DECODER = json.JSONDecoder()


def read_console(stream: BinaryIO, rows: Rows, block_bytes: int = BLOCK_BYTES) -> Iterator[None]:
    """Read the whole stream into rows; each yield is a point where rows may be taken."""
    window = _Window(stream, block_bytes)
    section = Section(0, 1, 0, kind="console")
    skipped, kcl, of_kcl = _Skipped(rows), KclRecords(), KclSections()
    while window.fill(1):
        if not (_take_object(window, rows, section) or _take_line(window, rows, section, kcl)):
            skipped.take(window)
        of_kcl.add(kcl, rows)
        yield
    kcl.end()
    of_kcl.add(kcl, rows)
    skipped.close()
    if window.offset == 0 and not window.fault:
        return
    if window.fault:
        section.cut(window.fault)
    section.records = section.batches
    section.close(rows, window.number)
    of_kcl.close(rows, window.number)


class _Window:
    """The text around the cursor `at`, one character per byte; `number` is the physical line."""

    def __init__(self, stream: BinaryIO, block_bytes: int) -> None:
        self._stream = stream
        self._block_bytes = block_bytes
        self._base = 0
        self.text = ""
        self.at = 0
        self.number = 1
        self.exhausted = False
        self.fault: str | None = None

    @property
    def offset(self) -> int:
        return self._base + self.at

    def fill(self, count: int) -> bool:
        """Read on until `count` characters are there; return whether they are."""
        while len(self.text) - self.at < count and not self.exhausted:
            try:
                block = self._stream.read(self._block_bytes)
            except DAMAGE as fault:
                block = b""
                self.fault = f"the file breaks off: {fault or type(fault).__name__}"
            self.exhausted = not block
            self._base += self.at
            self.text = self.text[self.at :] + block.decode("latin-1")
            self.at = 0
        return len(self.text) - self.at >= count

    def step(self, end: int) -> None:
        """Move the cursor to this index of the text."""
        self.number += self.text.count("\n", self.at, end)
        self.at = end

    def line_end(self) -> int:
        """Return the index after the line at the cursor, or of the next object on that line."""
        size = 4096
        while True:
            self.fill(size)
            stop = self.text.find("\n", self.at, self.at + size)
            glued = self.text.find(OBJECT, self.at + 1, stop if stop >= 0 else self.at + size)
            if glued >= 0:
                return glued
            if stop >= 0:
                return stop + 1
            if len(self.text) - self.at < size or size >= MOST_CHARACTERS:
                return min(len(self.text), self.at + size)
            size *= 4


class _Skipped:
    """The current run of lines that no form matches; each run becomes a row of `unparsed_lines`."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._run: tuple[int, int, str] | None = None
        self._end = 0
        self._last = 0
        self._runs = 0
        self._matters = False

    def take(self, window: _Window) -> None:
        """Add the line at the cursor to the run and step over it."""
        if self._run and self._end != window.offset and self._runs < MOST_RUNS:
            self.close()
        end = window.line_end()
        if self._run is None:
            text = _utf8(window.text[window.at : min(end, window.at + 4 * TEXT_LENGTH)]).rstrip("\r\n")
            self._run = (window.number, window.offset, text[:TEXT_LENGTH])
        self._matters = self._matters or may_be_evidence(window.text[window.at : end].encode("latin-1"))
        self._last = window.number
        window.step(end)
        self._end = window.offset

    def close(self) -> None:
        """Write the run out."""
        if self._run:
            number, offset, text = self._run
            reason = "no grammar takes it" if self._matters else NO_EVIDENCE
            self._rows.add(
                "unparsed_lines", (0, number, offset), lines=self._last - number + 1, text=text, reason=reason
            )
            self._run = None
            self._matters = False
            self._runs += 1


def _take_object(window: _Window, rows: Rows, section: Section) -> bool:
    """Take `{"key":{...},"value":{...}}`."""
    if window.text[window.at] != "{":
        return False
    size = 4096
    while True:
        window.fill(size)
        try:
            value, end = _DECODER.raw_decode(window.text, window.at)
            break
        except (ValueError, RecursionError):
            if len(window.text) - window.at < size or size >= MOST_CHARACTERS:
                return False
            size *= 4
    if not isinstance(value, dict) or "key" not in value:
        return False
    raw = window.text[window.at : end]
    if not raw.isascii():
        value = json.loads(_utf8(raw))
    section.batches += 1
    row = _row(value)
    if row:
        rows.add_row(row, (section.number, window.number, window.offset))
    window.step(end)
    return True


def _row(value: dict[str, Any]) -> tuple[str, tuple[object, ...]] | None:
    key, data = value["key"], value.get("value")
    if not isinstance(key, dict) or not isinstance(data, dict | None):
        return None
    return json_row(key, data, None, None, NO_PRODUCER)


def _take_line(window: _Window, rows: Rows, section: Section, kcl: KclRecords) -> bool:
    """Take a line of the old formatters, one of kcl, one of a log in between, or a remark of the tool."""
    end = window.line_end()
    raw = window.text[window.at : end]
    line = _utf8(raw).rstrip("\r\n")
    if kcl.take(line, (window.number, window.offset)):
        window.step(end)
        return True
    row = old_form(line) if raw.endswith("\n") or line.endswith(")") else None
    if row:
        section.batches += 1
        rows.add_row(row, (section.number, window.number, window.offset))
    elif found := list(said(line[:MOST_OF_LINE])):
        for one in found:
            add(rows, window, {"logged_ms": logged_ms(line)} | one, section.number)
    else:
        says = remark_of(line.encode())
        if says is None and not line.startswith("unknown::version="):
            if not raw.endswith("\n"):
                section.cut(NO_LINE_END)
            return False
        if says:
            section.say(says, line)
    window.step(end)
    return True


def _utf8(latin: str) -> str:
    return latin.encode("latin-1").decode("utf-8", "replace")
