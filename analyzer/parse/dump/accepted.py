"""Holds the accepted batches of a section until they are written as rows; the newest can still be dropped."""

import dataclasses
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analyzer.parse.dump.batch_columns import batch_columns
from analyzer.parse.lines.batch_lines import BatchHead
from analyzer.parse.rows import Array, Rows, within
from analyzer.parse.sections import Section

UNDOABLE = 1_000
"""This many accepted batches are held back: a later line may show that they were text inside a record."""

Content = tuple[()] | tuple[str, tuple[object, ...]]
"""The contents of a record: none, or a table and its columns from `offset` on."""
Placed = tuple[str, int, int, tuple[object, ...]]
"""Table, line, byte offset, and the columns from `offset` on."""


@dataclasses.dataclass(slots=True)
class Batch:
    """A batch line and what its record lines add."""

    head: BatchHead
    line: bytes
    number: int
    offset: int
    section: Section
    records: int = 0
    first_record: int | None = None
    last_record: int = -1
    payload_bytes: int | None = 0
    marker: str | None = None
    coordinator_epoch: int | None = None
    marker_line: int | None = None
    marker_byte_offset: int | None = None
    firm: bool = False
    """Whether it continues a batch that has all its records."""
    unsure_until: int | None = None
    """The line of the next batch, if neither that one nor a firm one before it vouches for it; None otherwise."""
    contents: list[Placed] = dataclasses.field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all its records were read; True if its line does not say how many there are."""
        return self.head.count is None or self.records >= self.head.count

    @property
    def payload(self) -> int | None:
        """Bytes of its keys and values, None unless the sizes of every record were read."""
        return within(self.payload_bytes, "bigint") if self.records and self.complete else None

    def add_payload(self, key_size: int, value_size: int) -> None:
        """Count a record's key and value; -1 stands for null."""
        if self.payload_bytes is not None:
            self.payload_bytes += max(key_size, 0) + max(value_size, 0)


@dataclasses.dataclass(slots=True)
class Bulk:
    """Many batches of one layout as columns of `batches`, `section` to `marker_byte_offset`, in order of position."""

    columns: dict[str, Array]
    section: Section
    records: int
    contents: list[tuple[int, Placed]] = dataclasses.field(default_factory=list)
    """The index of a batch and the contents of one of its records."""

    def __len__(self) -> int:
        """Return how many batches there are."""
        return len(self.columns["position"])

    def first(self, count: int) -> "Bulk":
        """Return its first batches."""
        counted = pc.sum(self.columns["count"].slice(0, count)).as_py() or 0
        records = counted if self.records else 0
        columns = {name: values.slice(0, count) for name, values in self.columns.items()}
        contents = [(owner, content) for owner, content in self.contents if owner < count]
        return Bulk(columns, self.section, records, contents)


class Accepted:
    """The batches of a section in order, held until they are written."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._parts: list[Batch | Bulk] = []
        self.count = 0

    def add(self, part: Batch | Bulk) -> None:
        """Append a batch, or many."""
        self._parts.append(part)
        self.count += 1 if isinstance(part, Batch) else len(part)

    def forger_of(self, position: int) -> tuple[int, bool, int] | None:
        """Return size, whether compressed, and line offset of the batch that ends where an accepted one begins.

        None if no batch that is still held begins at this position, or none ends there.
        """
        before: tuple[int, bool, int] | None = None
        for part in reversed(self._parts):
            if isinstance(part, Batch):
                if part.head.end == position:
                    return (part.head.size, part.head.compressed, part.offset)
                if part.head.position < position:
                    return None
            else:
                positions = part.columns["position"].to_numpy()
                index = int(np.searchsorted(positions, position))
                if index:
                    sizes, codecs, offsets = (part.columns[name] for name in ("size", "codec", "byte_offset"))
                    at = index - 1
                    if int(positions[at]) + sizes[at].as_py() == position:
                        before = (sizes[at].as_py(), codecs[at].as_py() != "none", offsets[at].as_py())
                    return before
        return None

    def drop_from(self, position: int) -> None:
        """Drop the batches that begin at this position or later."""
        while self._parts:
            part = self._parts.pop()
            if isinstance(part, Batch):
                self.count -= 1
                if part.head.position >= position:
                    continue
                self.add(part)
                return
            self.count -= len(part)
            keep = int(np.searchsorted(part.columns["position"].to_numpy(), position))
            if keep:
                self.add(part.first(keep))
                return

    def drop_unsure(self, against: BatchHead | None) -> list[Batch]:
        """Drop the unsure ones among the last UNDOABLE batches, which are still held, and return them in order.

        Only those that another one contradicts, which lies `against` them; None means all.
        """
        dropped: list[Batch] = []
        kept: list[Batch | Bulk] = []
        after = 0
        while self._parts and after < UNDOABLE:
            part = self._parts.pop()
            after += 1 if isinstance(part, Batch) else len(part)
            unsure = isinstance(part, Batch) and part.unsure_until is not None
            if isinstance(part, Batch) and unsure and (against is None or part.head.overlaps(against)):
                dropped.append(part)
            else:
                kept.append(part)
        self._parts += kept[::-1]
        self.count -= len(dropped)
        return dropped[::-1]

    def take_back(self, batch: Batch) -> Batch | None:
        """Drop this batch, which is the last, and return the one before it, None if that was read with many."""
        if not self._parts or self._parts[-1] is not batch:
            raise AssertionError("only the last batch is taken back")
        self._parts.pop()
        self.count -= 1
        before = self._parts[-1] if self._parts else None
        return before if isinstance(before, Batch) else None

    def end(self) -> int | None:
        """Return where the last batch that is held ends in the segment, None without one."""
        if not self._parts:
            return None
        part = self._parts[-1]
        if isinstance(part, Batch):
            return part.head.end
        return int(part.columns["position"][-1].as_py()) + int(part.columns["size"][-1].as_py())

    def flush(self, rows: Rows, *, keep: int = 0) -> None:
        """Write all batches except about the last `keep`."""
        if self.count <= keep:
            return
        kept: list[Batch | Bulk] = []
        held = 0
        while self._parts and held < keep:
            part = self._parts.pop()
            held += 1 if isinstance(part, Batch) else len(part)
            kept.append(part)
        for (single, _, _), group in groupby(self._parts, _alike):
            parts = list(group)
            if single:
                _write(rows, [part for part in parts if isinstance(part, Batch)])
            for part in parts:
                if isinstance(part, Bulk):
                    part.section.batches += len(part)
                    part.section.records += part.records
                    part.section.last_batch = part.columns["line"][-1].as_py()
                    rows.add_columns("batches", part.columns, len(part))
                    _write_contents(rows, part.section, [content for _, content in part.contents])
        self._parts = kept[::-1]
        self.count = held


def _alike(part: Batch | Bulk) -> tuple[bool, int, int]:
    """Return the key by which batches can be decoded together."""
    if isinstance(part, Batch):
        return (True, id(part.head.layout), part.section.number)
    return (False, id(part), 0)


def _write(rows: Rows, batches: list[Batch]) -> None:
    text = b"\n".join([batch.line for batch in batches]) + b"\n"
    columns = batch_columns(batches[0].head.layout, text, len(batches), checked=True)
    if columns is None:
        raise AssertionError("a line that matched its layout was not read")
    if batches[0].head.layout.legacy:
        columns |= _from_records(columns, batches)
    columns |= {
        "section": pa.array([batch.section.number for batch in batches], pa.int32()),
        "line": pa.array([batch.number for batch in batches], pa.int64()),
        "byte_offset": pa.array([batch.offset for batch in batches], pa.int64()),
        "batch_source": pa.repeat("batch", len(batches)),
        "payload_bytes": pa.array([batch.payload for batch in batches], pa.int64()),
        "marker": pa.array([batch.marker for batch in batches], pa.string()),
        "coordinator_epoch": pa.array([batch.coordinator_epoch for batch in batches], pa.int32()),
        "marker_line": pa.array([batch.marker_line for batch in batches], pa.int64()),
        "marker_byte_offset": pa.array([batch.marker_byte_offset for batch in batches], pa.int64()),
    }
    rows.add_columns("batches", columns, len(batches))
    for batch in batches:
        batch.section.batches += 1
        batch.section.records += batch.records
        batch.section.last_batch = batch.number
        _write_contents(rows, batch.section, batch.contents)


def _write_contents(rows: Rows, section: Section, contents: list[Placed]) -> None:
    for table, line, offset, values in contents:
        rows.add_row((table, values), (section.number, line, offset))


def _from_records(columns: dict[str, Array], batches: list[Batch]) -> dict[str, Array]:
    """Return base offset and count of compressed batches of format 0 and 1, which only their records show."""
    base = pa.array([batch.first_record for batch in batches], pa.int64())
    count = pa.array([batch.records or None for batch in batches], pa.int64())
    return {
        "base_offset": pc.coalesce(columns["base_offset"], base),
        "count": pc.coalesce(columns["count"], count),
    }
