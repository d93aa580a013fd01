"""From batch lines, in order, to those that are batches: each must begin where the one before ends in the segment.

Text inside records is printed raw and may look like anything, so a batch line counts only (a) where its position
continues the chain and the batch before has had its records, or (b) after a break, once the next one continues it.
"""

from analyzer.parse.dump.accepted import UNDOABLE, Accepted, Batch, Bulk
from analyzer.parse.dump.batch_lines import BatchHead, Layout
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.stream import MOST_BYTES, Lines
from analyzer.parse.unclaimed import Unclaimed

SMALLEST_FORGERY = 200
"""A batch with fewer bytes cannot hold the text of another batch line, unless it is compressed."""
LINE_BYTES = 400
"""About the longest record line without raw text."""
INFLATION = 4
"""Text of a compressed batch is taken to be at most so many times longer, plus SLACK_BYTES."""
SLACK_BYTES = 4096


class Chain:
    """The accepted batches of a section, the one on trial after a break, and the lines that nothing took since."""

    def __init__(self, lines: Lines, rows: Rows, section: Section, end: int | None) -> None:
        """Begin at position `end`, or anywhere for None: a file whose head is missing."""
        self.layout: Layout | None = None
        self._lines = lines
        self._rows = rows
        self.section = section
        self.accepted = Accepted()
        self.unclaimed = Unclaimed()
        self.end = end
        self.deep = False
        self.last: Batch | None = None
        self._trial: Batch | None = None
        self.text_until = 0
        """Up to this offset of the file lines that nothing takes may be text of the last record."""

    @property
    def current(self) -> Batch | None:
        """The batch whose records come next."""
        return self._trial or self.last

    @property
    def settled(self) -> bool:
        """Whether the next line must be a batch line that continues the chain."""
        return self._trial is None and self.end is not None and self._ended(self.last)

    def offer(self, head: BatchHead) -> bool:
        """Take the batch line at the cursor if it is a batch, or may become one."""
        lines = self._lines
        trial = self._trial
        if trial and head.position == trial.head.end and self._ended(trial):
            self._confirm(trial)
            self._settle(self._batch(head))
        elif head.position == self.end and self._ended(self.last):
            self._drop_trial()
            self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
            self._settle(self._batch(head))
        elif self._may_jump(head, lines.offset):
            self._drop_trial()
            self._trial = self._batch(head)
        else:
            return False
        if not lines.whole:
            self.section.cut("the last line has no end")
        lines.next()
        return True

    def add_bulk(self, bulk: Bulk, end: int) -> None:
        """Append batches that were checked as a whole; they continue the chain up to position `end`."""
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
        self.accepted.add(bulk)
        self.end = end
        self.last = None
        self.accepted.flush(self._rows, keep=UNDOABLE)

    def text_may_follow(self, offset: int, size: int, *, compressed: bool) -> None:
        """Note that lines up to here may still be text of the record at `offset`, in a batch of `size` bytes."""
        if compressed:
            self.text_until = offset + min(INFLATION * size + SLACK_BYTES, MOST_BYTES)
        elif size >= SMALLEST_FORGERY:
            self.text_until = offset + min(size + LINE_BYTES, MOST_BYTES)

    def refuse(self, reason: str) -> None:
        """Pass over the line at the cursor; whether it was text of a record shows later."""
        lines = self._lines
        self.unclaimed.add(lines, reason, maybe_text=lines.offset < self.text_until)
        lines.next()

    def finish(self) -> None:
        """Close the section: a last batch on trial stands if nothing speaks against it."""
        trial = self._trial
        position = trial.head.position if trial else 0
        stands = self.end is None or position > self.end or self.accepted.forger_of(position) is not None
        if trial and stands and self._ended(trial):
            self._confirm(trial)
        else:
            self._drop_trial()
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
        last = self.last
        if last and self.deep and not last.complete:
            self.section.cut(f"the last batch has {last.records} of its {last.head.count} records")
        self.accepted.flush(self._rows)

    def _batch(self, head: BatchHead) -> Batch:
        if head.layout is not self.layout:
            self.layout = head.layout
            self.section.see_layout("3.0.0" if _lower_case(head, self._lines.line) else head.layout.since)
            self.section.kind = self.section.kind or "log"
        return Batch(head, self._lines.line, self._lines.number, self._lines.offset, self.section)

    def _ended(self, batch: Batch | None) -> bool:
        """Whether another batch may follow: raw text, where one could be forged, stands in records only."""
        return batch is None or not self.deep or batch.complete or batch.records == 0

    def _may_jump(self, head: BatchHead, offset: int) -> bool:
        """Whether a batch line off the chain is worth a trial.

        Not where it may be text of the last record, except where a batch of this position was accepted: then that
        one may be the forgery, if the batch before is large enough to hold all that was printed since.
        """
        if self.end is not None and head.position < self.end:
            forger = self.accepted.forger_of(head.position)
            if forger:
                size, compressed, begin = forger
                most = INFLATION * size + SLACK_BYTES if compressed else size
                return compressed or (size >= SMALLEST_FORGERY and offset - begin <= INFLATION * most + SLACK_BYTES)
        return offset >= self.text_until

    def _settle(self, batch: Batch) -> None:
        self.accepted.add(batch)
        self.last = batch
        self.end = batch.head.end
        if self.accepted.count > 2 * UNDOABLE:
            self.accepted.flush(self._rows, keep=UNDOABLE)

    def _confirm(self, trial: Batch) -> None:
        position = trial.head.position
        if self.end is not None and position > self.end:
            self.section.note(f"{position - self.end} bytes of the segment are missing at position {self.end}")
        elif self.end is None and position > 0:
            self.section.note(f"the dump begins at position {position}")
        elif self.end is not None and position < self.end:
            if self.accepted.forger_of(position):
                self.accepted.drop_from(position)
            else:
                self._restart(trial)
        self.unclaimed.resolve(self._rows, self.section, text_allowed=False)
        self._trial = None
        self._settle(trial)

    def _restart(self, trial: Batch) -> None:
        """Begin a section of its own: another dump was appended without its Dumping line."""
        self.unclaimed.resolve(self._rows, self.section, text_allowed=False)
        self.accepted.flush(self._rows)
        self.section.close(self._rows, trial.number - 1)
        self.section = Section(self.section.number + 1, trial.number, trial.offset, kind="log")
        self.section.see_layout(trial.head.layout.since)
        self.section.decoder = trial.section.decoder
        self.section.keys = trial.section.keys
        trial.section = self.section

    def _drop_trial(self) -> None:
        if self._trial:
            self.unclaimed.widen(self._trial.number, self._trial.offset, self._trial.line, self._lines.number)
            self._trial = None


def _lower_case(head: BatchHead, line: bytes) -> bool:
    """Whether the codec is printed as since 3.0.0."""
    return head.layout.since == "2.2.0" and line.partition(b" compresscodec: ")[2][:1].islower()
