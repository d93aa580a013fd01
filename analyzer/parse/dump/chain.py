"""Decides which batch lines are batches: each must begin where the one before it ends in the segment.

Text inside records is printed raw and may look like anything. A batch line therefore counts only (a) if its position
continues the chain and the batch before it has all its records, or (b) after a break, once the next batch line
continues from it. Where no such text is printed, nothing can forge a batch line, and (c) one that stands alone between
two breaks counts as well, as long as no later line contradicts it (RULES C 14).
"""

from analyzer.parse.dump.accepted import UNDOABLE, Accepted, Batch, Bulk
from analyzer.parse.dump.record_tail import INFLATION, LEAST_FORGING_BYTES, SLACK_BYTES, text_end
from analyzer.parse.lines.batch_lines import BatchHead, Layout
from analyzer.parse.lines.record_lines import record_head
from analyzer.parse.remarks import lacks_lines
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import Unclaimed


class Chain:
    """The accepted batches of a section, the batch on trial after a break, and the unclaimed lines since."""

    def __init__(self, lines: Lines, rows: Rows, section: Section, end: int | None) -> None:
        """Begin at position `end`; None, for a file whose head is missing, means anywhere."""
        self.layout: Layout | None = None
        self._lines = lines
        self._rows = rows
        self.section = section
        self.accepted = Accepted()
        self.unclaimed = Unclaimed()
        self._begin = self.end = end
        self.deep = False
        self.last: Batch | None = None
        self._trial: Batch | None = None
        self.text_until = 0
        """Unclaimed lines before this file offset may be text of the last record."""
        self._run = 0  # batches accepted since the last break
        self._bare = False  # the last of many batches came without records; where raw text is printed, all have them
        self._text_owed = 0
        """Lines before this file offset may be text that the sizes of a record still owe."""
        self.headers_until = 0
        """Lines before this file offset may be header keys, where nothing else of records is printed."""

    @property
    def current(self) -> Batch | None:
        """The batch that the next records belong to."""
        return self._trial or self.last

    @property
    def plain(self) -> bool:
        """Whether nothing was printed that could forge a batch line."""
        return not self.section.raw_text

    @property
    def settled(self) -> bool:
        """Whether the next line can only be a batch line that continues the chain."""
        return self._trial is None and self.end is not None and self._ended(self.last) and self.paid

    @property
    def paid(self) -> bool:
        """Whether as much text was printed as the sizes of the records tell; where none is, nothing is owed."""
        return self.plain or self._lines.offset >= self._text_owed

    def offer(self, head: BatchHead) -> bool:
        """Take the batch line at the cursor if it is a batch or may prove to be one."""
        lines = self._lines
        trial = self._trial
        if trial and head.position == trial.head.end and self.paid and (self.plain or self._ended(trial)):
            self._confirm(trial)
            self._settle(self._batch(head))
        elif head.position == self.end and self._ended(self.last) and self.paid:
            self.drop_trial()
            self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
            self._settle(self._batch(head))
        elif self._may_jump(head, lines.offset):
            if trial and self._stands_alone(trial, head):
                self._confirm(trial)
            if self.plain and self.last and head.overlaps(self.last.head):
                self._mark_unsure(lines.number)
                self._drop_unsure(head)
            self.drop_trial()
            self._trial = self._batch(head)
        else:
            return False
        lines.next()
        return True

    def add_bulk(self, bulk: Bulk, end: int) -> None:
        """Append batches that were checked together; they continue the chain up to position `end`."""
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
        self.accepted.add(bulk)
        self._bare = not self.deep
        self._run += len(bulk)
        self.end = end
        self.last = None
        self.accepted.flush(self._rows, keep=UNDOABLE)

    def text_may_follow(self, offset: int, size: int, *, compressed: bool) -> None:
        """Note how far the text of the record at file offset `offset` may reach, given its batch's size in bytes."""
        if compressed or size >= LEAST_FORGING_BYTES:
            self.text_until = text_end(offset, size, compressed=compressed)

    def owe(self, text_at: int, size: int) -> None:
        """Note that text which begins at this file offset was not measured; a `?` in it may stand for four bytes."""
        least = size // 4 if b"?" in self._lines.line else size
        self._text_owed = max(self._text_owed, text_at + least)

    def refuse(self, reason: str) -> None:
        """Step over the line at the cursor; later lines show whether it was text of a record."""
        lines = self._lines
        self.unclaimed.add(lines, reason, maybe_text=lines.offset < self.text_until)
        self.section.excerpt |= lacks_lines(lines.line)
        record = record_head(lines.buffer, lines.at, lines.edge)
        if record:
            self.owe(lines.offset + record.text_at - lines.at, record.text_bytes)
        lines.next()

    def see_raw_text(self) -> None:
        """Note that a record's raw text is printed: batch lines that nothing vouches for may have been such text."""
        if self.section.raw_text:
            return
        self.section.raw_text = True
        self._bare |= not self.deep and self.accepted.end() is not None
        if self._trial:
            self._mark_unsure(self._trial.number)
        elif self.last and not self.last.firm and (self._run > 1 or self.last.head.position != self._begin):
            self._trial = self.last
            self._run -= 1
            self.last = self.accepted.take_back(self.last)
            self.end = self._begin if self.accepted.end() is None else self.accepted.end()
        self._drop_unsure()

    def _drop_unsure(self, against: BatchHead | None = None) -> None:
        dropped = self.accepted.drop_unsure(against)
        for batch in dropped:
            self.unclaimed.widen(batch.number, batch.offset, batch.line, batch.unsure_until or batch.number + 1)
        if dropped and dropped[-1] is self.last:
            end = self.accepted.end()
            self.last, self.end, self._run = None, self._begin if end is None else end, 0

    def finish(self) -> None:
        """Close the section; a batch still on trial is accepted if nothing contradicts it.

        Where raw text is printed, only after damaged lines, or as the first line: after a cut it may be such text.
        """
        trial = self._trial
        position = trial.head.position if trial else 0
        stands = self.end is None or position > self.end or self.accepted.forger_of(position) is not None
        certain = self.unclaimed.torn or (self.end is None and self.unclaimed.empty)
        if trial and stands and (self.plain or (certain and self._ended(trial))):
            self._confirm(trial)
            trial = None
        self.drop_trial()
        left = trial is not None or self.unclaimed.batches
        if self._run == 1 and not self.plain and (left or not self._ended(self.last)):
            self._mark_unsure(self._lines.number)
            self._drop_unsure()
            left = True
        self.section.excerpt |= left
        self.unclaimed.resolve(self._rows, self.section, text_allowed=True)
        last = self.last
        if last and self.deep and not last.complete:
            self.section.cut(f"the last batch has {last.records} of its {last.head.count} records")
        self.accepted.flush(self._rows)

    def _batch(self, head: BatchHead) -> Batch:
        if head.layout is not self.layout:
            self.layout = head.layout
            self.section.see_layout(head.layout.printed_since(self._lines.line))
            self.section.kind = self.section.kind or "log"
        return Batch(head, self._lines.line, self._lines.number, self._lines.offset, self.section)

    def _ended(self, batch: Batch | None) -> bool:
        """Whether another batch may follow: only the raw text of a record could forge one."""
        if batch is None:
            return self.plain or not self._bare
        return batch.complete or (self.plain and not (self.deep and batch.records))

    def _may_jump(self, head: BatchHead, offset: int) -> bool:
        """Whether a batch line that does not continue the chain goes on trial: not if it may be the last record's text.

        But if a batch of this position was accepted before, that one may be the forgery, if the one before it is large
        enough to hold everything printed since.
        """
        if head.position == self.end and self.last and (self.last.records == 0 or self.last.complete):
            return True
        if self.end is not None and head.position < self.end:
            forger = self.accepted.forger_of(head.position)
            if forger:
                size, compressed, begin = forger
                most = INFLATION * size + SLACK_BYTES if compressed else size
                return compressed or (size >= LEAST_FORGING_BYTES and offset - begin <= INFLATION * most + SLACK_BYTES)
        return offset >= (self.headers_until if self.plain else self.text_until)

    def _stands_alone(self, trial: Batch, head: BatchHead) -> bool:
        """Whether the batch on trial counts although the next batch line, at the cursor, does not continue it."""
        begins = self.end is None or trial.head.position >= self.end
        return self.plain and begins and head.position > trial.head.end

    def _settle(self, batch: Batch) -> None:
        vouched = self.last.complete if self.last else self.deep
        batch.firm = vouched and self._run > 0 and self.section.decoder != "none"
        self.accepted.add(batch)
        self._run += 1
        self.last = batch
        self.end = batch.head.end
        if self.accepted.count > 2 * UNDOABLE:
            self.accepted.flush(self._rows, keep=UNDOABLE)

    def _confirm(self, trial: Batch) -> None:
        position = trial.head.position
        if position != self.end:
            self._mark_unsure(trial.number)
            alone = self._run == 1 and not self.plain and not self.unclaimed.torn
            if alone or (self.end is not None and position < self.end):
                self._drop_unsure(None if alone else trial.head)
            self._run = 0
        if self.end is not None and position > self.end:
            self.section.miss(self.end, position - self.end)
            self.section.excerpt |= not self.unclaimed.torn
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

    def _mark_unsure(self, until: int) -> None:
        """Note that the last batch is unsure if nothing vouches for it: the next one, at this line, does not."""
        if self.last and not self.last.firm:
            self.last.unsure_until = until

    def _restart(self, trial: Batch) -> None:
        """Open a new section: another dump was appended without its Dumping line."""
        self.unclaimed.resolve(self._rows, self.section, text_allowed=False)
        self.accepted.flush(self._rows)
        self.section.close(self._rows, trial.number - 1)
        self.section = trial.section.followed_by(trial.number, trial.offset)
        self.section.see_layout(trial.head.layout.since)
        trial.section = self.section

    def drop_trial(self) -> None:
        """Take the batch on trial, if there is one, for text."""
        if self._trial:
            self.unclaimed.widen(self._trial.number, self._trial.offset, self._trial.line, self._lines.number)
            self._trial = None
