"""Decodes the plain batches at the start of a block of whole lines, column by column.

Batches are plain if their lines have one layout and continue the chain, and each is followed by exactly its records,
one on a line.
"""

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analyzer.parse.dump.accepted import Content
from analyzer.parse.dump.batch_columns import batch_columns
from analyzer.parse.dump.record_sizes import payload_bytes
from analyzer.parse.lines.batch_lines import Layout
from analyzer.parse.lines.record_lines import PIPE_HEAD, PIPE_V2
from analyzer.parse.rows import Array

DIGITS = 18

_HEAD = "^" + re.sub(r"\?P<\w+>", "?:", PIPE_HEAD + PIPE_V2)
_MARKER = _HEAD + r"\] endTxnMarker: (?:COMMIT|ABORT) coordinatorEpoch: \d{1,9}\r?\n$"
_MARKER_FIELDS = re.compile(rb"\] endTxnMarker: (COMMIT|ABORT) coordinatorEpoch: (\d+)")
_RECORD_START = b"| offset: "

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

ReadText = Callable[[int, int, int], Content | None]
"""Start and end of a record's line and start of its batch line in, its contents out; None if the line is not plain."""


class Block:
    """The whole lines `buffer[at:stop]`, and their batch lines up to the first of another layout."""

    def __init__(self, buffer: bytes, at: int, stop: int, layout: Layout) -> None:
        """Find the lines and decode the batch lines."""
        self._begin = at
        self.contents: list[tuple[int, int, tuple[str, tuple[object, ...]]]] = []
        """For each record with contents: index of its batch, index of its line, and the contents."""
        self._payload: Array = pa.nulls(0, pa.int64())
        self._data = np.frombuffer(buffer, np.uint8, stop - at, at) if stop > at else np.zeros(0, np.uint8)
        ends = np.flatnonzero(self._data == ord("\n")) + 1
        offsets = np.concatenate([[0], ends]).astype(np.int32)
        self.starts = offsets[:-1]
        self.stops = offsets[1:]
        parts = [None, pa.py_buffer(offsets), pa.py_buffer(buffer).slice(at, stop - at)]
        self._lines = pa.Array.from_buffers(pa.binary(), len(ends), parts)
        self._is_batch: Flags = self._data[self.starts] == ord("b")
        self.at: Ints = np.flatnonzero(self._is_batch)
        """Index of the line of each batch."""
        batches = self._lines.filter(pa.array(self._is_batch))
        columns = batch_columns(layout, _text(batches), len(batches), checked=False) if len(batches) else {}
        if columns is None:
            fits = pc.match_substring_regex(batches, f"^{layout.pattern}\\r?\\n$").to_numpy(zero_copy_only=False)
            batches = batches.slice(0, _leading(fits))
            self.at = self.at[: len(batches)]
            columns = batch_columns(layout, _text(batches), len(batches), checked=True) if len(batches) else {}
        self._columns = columns or {}
        self.ends: Ints = np.zeros(0, np.int64)
        if self._columns:
            self.ends = self._integers("position") + self._integers("size")

    def plain(self, position: int, read_text: ReadText | None, *, deep: bool) -> int:
        """Return how many leading batches are plain; a batch is known to be plain only once the next batch line fits.

        `position` is where the first must begin. `deep` says that record lines are printed; `read_text` reads their
        contents into `contents`, and is None if the dump prints none.
        """
        if not self._columns:
            return 0
        begins = self._integers("position")
        chained = np.concatenate([[begins[0] == position], begins[1:] == self.ends[:-1]])
        gaps = np.diff(self.at) - 1
        full = gaps == (self._integers("count")[:-1] if deep else 0)
        count = _leading(chained[:-1] & full & chained[1:]) if self.at[0] == 0 else 0
        return self._with_records(count, read_text) if deep and count else count

    def columns(self, count: int, section: int, number: int, offset: int, *, deep: bool) -> dict[str, Array]:
        """Return the columns of `batches` from `section` on for the leading batches; line `number` is the first."""
        lines = self.at[:count]
        columns = {name: values.slice(0, count) for name, values in self._columns.items()}
        columns |= {
            "section": pa.repeat(pa.scalar(section, pa.int32()), count),
            "line": pa.array(number + lines),
            "byte_offset": pa.array(offset + self.starts[lines].astype(np.int64)),
            "batch_source": pa.repeat("batch", count),
            "payload_bytes": self._payload.slice(0, count) if deep else pa.nulls(count, pa.int64()),
        }
        control = self._control(count) if deep else np.zeros(0, np.int64)
        markers = control + 1
        found = _MARKER_FIELDS.findall(b"".join(self._lines.take(pa.array(lines[control] + 1)).to_pylist()))
        index = np.full(count, -1)
        index[control] = np.arange(len(markers))
        places = pa.array(index, mask=index < 0)
        at = lines[control] + 1
        return columns | {
            "marker": pa.array([marker.decode() for marker, _ in found], pa.string()).take(places),
            "coordinator_epoch": pa.array([int(epoch) for _, epoch in found], pa.int32()).take(places),
            "marker_line": pa.array(number + at, pa.int64()).take(places),
            "marker_byte_offset": pa.array(offset + self.starts[at].astype(np.int64), pa.int64()).take(places),
        }

    def _with_records(self, count: int, read_text: ReadText | None) -> int:
        """Return how many of the leading batches have plain records, with offsets in order, or a marker."""
        until = int(self.at[count])
        owner = np.cumsum(self._is_batch[:until]) - 1
        record = ~self._is_batch[:until]
        batch = owner[record]
        control = np.zeros(count, bool)
        control[self._control(count)] = True
        where = np.flatnonzero(record)
        marked = control[batch]
        plain = self._begins(where, _RECORD_START)
        if read_text is None:
            plain[~marked] &= self._last_byte(where[~marked]) == ord("]")
        else:
            plain[~marked] &= self._texts(where[~marked], batch[~marked], read_text)
        plain[marked] = self._matches(where[marked], _MARKER)
        offsets, after = self._record_offsets(where)
        sums, known = payload_bytes(self._data, after, self.stops[where], batch, count)
        self._payload = pa.array(sums, mask=~known)
        base, last = self._integers("base_offset")[batch], self._integers("last_offset")[batch]
        ordered = np.concatenate([[True], (offsets[1:] > offsets[:-1]) | (batch[1:] != batch[:-1])])
        single = self._integers("count")[:count] == 1
        good = plain & (offsets >= base) & (offsets <= last) & ordered[: len(offsets)]
        bad = np.zeros(count, bool)
        bad[batch[~good]] = True
        return _leading(~bad & (single | ~control))

    def _texts(self, lines: Ints, batch: Ints, read_text: ReadText) -> Flags:
        """Return which of these lines were read, up to the first that was not; their contents go to `contents`."""
        flags = np.zeros(len(lines), bool)
        starts, edges = (self.starts[lines] + self._begin).tolist(), (self._edges(lines) + self._begin).tolist()
        owners, heads = batch.tolist(), (self.starts[self.at] + self._begin).tolist()
        for index, (start, edge, owner) in enumerate(zip(starts, edges, owners, strict=True)):
            content = read_text(start, edge, heads[owner])
            if content is None:
                break
            flags[index] = True
            if content:
                self.contents.append((owner, int(lines[index]), content))
        return flags

    def _begins(self, lines: Ints, start: bytes) -> Flags:
        """Return which of these lines begin with these bytes."""
        at = self.starts[lines].astype(np.int64)
        top = len(self._data) - 1
        flags = np.ones(len(lines), bool)
        for index, byte in enumerate(start):
            flags &= self._data[np.minimum(at + index, top)] == byte
        return flags

    def _edges(self, lines: Ints) -> Ints:
        """Return where these lines end, without their line ends."""
        end = self.stops[lines].astype(np.int64) - 1
        end -= self._data[end - 1] == ord("\r")
        return end

    def _last_byte(self, lines: Ints) -> npt.NDArray[np.uint8]:
        """Return the last byte of these lines before their line ends."""
        return self._data[np.maximum(self._edges(lines) - 1, 0)]

    def _matches(self, lines: Ints, pattern: str) -> Flags:
        """Return which of these lines match the whole pattern."""
        matched: Flags = pc.match_substring_regex(self._lines.take(pa.array(lines)), pattern).to_numpy(
            zero_copy_only=False
        )
        return matched

    def _record_offsets(self, lines: npt.NDArray[np.intp]) -> tuple[Ints, Ints]:
        """Return the offsets on these record lines and where they end, read digit by digit for all lines at once."""
        at = self.starts[lines].astype(np.int64) + len(_RECORD_START)
        offsets = np.zeros(len(lines), np.int64)
        after = at.copy()
        going = np.ones(len(lines), bool)
        top = len(self._data) - 1
        for digit in range(DIGITS):
            value = self._data[np.minimum(at + digit, top)].astype(np.int64) - ord("0")
            going &= (value >= 0) & (value <= 9)  # noqa: PLR2004 - a digit
            if not going.any():
                break
            offsets = np.where(going, offsets * 10 + value, offsets)
            after += going
        return offsets, after

    def _control(self, count: int) -> Ints:
        """Return the indices of the control batches among the leading batches."""
        flags = self._columns.get("is_control")
        if flags is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(flags.slice(0, count).to_numpy(zero_copy_only=False))

    def _integers(self, name: str) -> Ints:
        values = self._columns[name]
        numbers: Ints = (pc.fill_null(values, -1) if values.null_count else values).to_numpy()
        return numbers


def _leading(flags: Flags) -> int:
    """Return how many flags are true before the first false one."""
    return len(flags) if bool(flags.all()) else int(np.argmin(flags))


def _text(lines: Array) -> pa.Buffer:
    """Return the bytes of all lines of a binary array as one buffer, without a copy."""
    offsets = np.frombuffer(lines.buffers()[1], np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return lines.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
