"""Collects the lines that no reader takes into runs, each a row of `unparsed_lines`."""

import re

from analyzer.kafka.words import may_be_evidence
from analyzer.parse.lines.batch_lines import batch_head
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.stream import Lines
from analyzer.tables import NO_EVIDENCE

NOT_TAKEN = "no grammar takes it"
OFF_CHAIN = "a batch line that does not continue the chain of positions"
TEXT_LENGTH = 500
RECORD = b"| offset: "
_PIECE = re.compile(rb"\b(?:baseOffset|producerEpoch|compresscodec|isvalid): ")
"""What a piece of a batch line has."""
_CONTENTS = b" payload: "
"""What no batch line has: the line prints what a record holds."""
MOST_RUNS = 1_000
"""Further runs join the last one, together with the lines in between."""


class Unclaimed:
    """The runs of lines that no reader has taken since the chain of batches last continued."""

    def __init__(self) -> None:
        """Hold no run."""
        self._runs: list[_Run] = []
        self._forget()

    @property
    def empty(self) -> bool:
        """Whether there are none."""
        return not self._runs

    def add(self, lines: Lines, reason: str, *, maybe_text: bool) -> None:
        """Add the line at the cursor."""
        run = self._runs[-1] if self._runs else None
        matters = may_be_evidence(lines.line)
        if run is None or (
            len(self._runs) < MOST_RUNS
            and (run.end != lines.number or run.maybe_text is not maybe_text or run.matters is not matters)
        ):
            run = _Run(lines.number, lines.offset, lines.text(TEXT_LENGTH * 4)[:TEXT_LENGTH], reason, maybe_text)
            run.matters = matters
            self._runs.append(run)
        run.matters = run.matters or matters
        run.end = lines.number + 1
        batch = batch_head(lines.buffer, lines.at, lines.edge, whole=lines.whole)
        self.batches |= batch is not None
        record = lines.buffer.startswith(RECORD, lines.at)
        of_record = record or _CONTENTS in lines.line
        self.torn |= not (batch or of_record) and _PIECE.search(lines.line) is not None

    def widen(self, number: int, offset: int, line: bytes, end: int) -> None:
        """Add the lines `number` to `end` - 1: a batch that failed its trial, and its records."""
        text = line.decode("utf-8", "replace")[:TEXT_LENGTH]
        run = _Run(number, offset, text, OFF_CHAIN, maybe_text=False)
        if self._runs and self._runs[-1].end == number and not self._runs[-1].maybe_text:
            run = self._runs[-1]
        else:
            self._runs.append(run)
        run.matters = True
        run.end = end

    def resolve(self, rows: Rows, section: Section, *, text_allowed: bool) -> None:
        """Write the runs and forget them; if `text_allowed`, those that may be text of a record are not written."""
        for run in self._runs:
            if not (run.maybe_text and text_allowed):
                count = run.end - run.number
                reason = run.reason if run.matters else NO_EVIDENCE
                place = (section.number, run.number, run.offset)
                rows.add("unparsed_lines", place, lines=count, text=run.text, reason=reason)
        self._runs = []
        self._forget()

    def _forget(self) -> None:
        self.torn = False
        """Whether one of the lines is a piece of a batch line, which is damaged then and not cut out."""
        self.batches = False
        """Whether one of them is a whole batch line."""


class _Run:
    """The lines `number` to `end` - 1 of the file."""

    __slots__ = ("end", "matters", "maybe_text", "number", "offset", "reason", "text")

    def __init__(self, number: int, offset: int, text: str, reason: str, maybe_text: bool) -> None:  # noqa: FBT001
        self.number = number
        self.offset = offset
        self.text = text
        self.reason = reason
        self.maybe_text = maybe_text
        self.matters = True
        self.end = number
