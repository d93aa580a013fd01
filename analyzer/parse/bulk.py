"""From a block of plain lines to many batches at once, by whole columns; only what the slow way would take the same.

Plain is: batch lines of one layout that continue the chain, each followed by exactly its records, each record on one
line without raw text but header keys. At the first line that is not, the slow way goes on.
"""

import re

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analyzer.parse.accepted import Bulk
from analyzer.parse.batch_columns import batch_columns
from analyzer.parse.batch_lines import Layout
from analyzer.parse.log_dump import LogDump
from analyzer.parse.record_lines import PIPE_HEAD, PIPE_V2
from analyzer.parse.rows import Array
from analyzer.parse.stream import Lines

BULK_BYTES = 1 << 20
FEWEST_LINES = 64
"""A smaller catch is not worth looking at a whole block: the next tries are put off, for longer each time."""
MOST_WAIT = 1024
DIGITS = 18

_HEAD = "^" + re.sub(r"\?P<\w+>", "?:", PIPE_HEAD + PIPE_V2)
_MARKER = _HEAD + r"\] endTxnMarker: (?:COMMIT|ABORT) coordinatorEpoch: \d{1,9}\r?\n$"
_MARKER_FIELDS = re.compile(rb"\] endTxnMarker: (COMMIT|ABORT) coordinatorEpoch: (\d+)")
_RECORD_START = b"| offset: "

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class BulkReader:
    """Takes as many plain batches as stand at the cursor."""

    def __init__(self, lines: Lines) -> None:
        """Look at the lines of this cursor."""
        self._lines = lines
        self._wait = 0
        self._pause = 1

    def take(self, log: LogDump) -> bool:
        """Take what can be taken at the cursor; return whether it was anything."""
        if self._wait:
            self._wait -= 1
            return False
        chain, layout = log.chain, log.chain.layout
        bare = log.section.decoder == "none" or not chain.deep
        if not bare or log.open_text or not chain.settled or layout is None or "count" not in layout.keys:
            return False
        taken = self._take(log, layout)
        if taken < FEWEST_LINES:
            self._wait = self._pause
            self._pause = min(2 * self._pause, MOST_WAIT)
        else:
            self._pause = 1
        return taken > 0

    def _take(self, log: LogDump, layout: Layout) -> int:
        """Take plain batches of this layout; return how many lines that were."""
        lines, chain = self._lines, log.chain
        lines.need(BULK_BYTES)
        if lines.buffer[lines.at : lines.at + 5] != b"baseO":
            return 0
        stop = lines.buffer.rfind(b"\n", lines.at, lines.at + BULK_BYTES) + 1
        if stop <= lines.at:
            return 0
        block = Block(lines.buffer, lines.at, stop, layout)
        count = block.plain(chain.end or 0, deep=chain.deep)
        if count == 0:
            return 0
        columns = block.columns(count, log.section.number, lines.number, lines.offset, deep=chain.deep)
        end = block.ends[count - 1]
        taken = int(block.at[count])
        if chain.deep:
            size, codec = columns["size"][-1].as_py(), columns["codec"][-1].as_py()
            chain.text_may_follow(lines.offset + int(block.starts[taken - 1]), size, compressed=codec != "none")
        chain.add_bulk(Bulk(columns, log.section, taken - count), int(end))
        lines.jump(lines.at + int(block.starts[taken]), taken)
        return taken


class Block:
    """The whole lines `buffer[at:stop]`; the batch lines among them up to the first that does not fit the layout."""

    def __init__(self, buffer: bytes, at: int, stop: int, layout: Layout) -> None:
        """Find the lines and decode the batch lines."""
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

    def plain(self, position: int, *, deep: bool) -> int:
        """Return how many leading batches are plain; each is sure only through the batch line behind it.

        `position` is where the first must begin; `deep` says that record lines are printed.
        """
        if not self._columns:
            return 0
        begins = self._integers("position")
        chained = np.concatenate([[begins[0] == position], begins[1:] == self.ends[:-1]])
        gaps = np.diff(self.at) - 1
        full = gaps == (self._integers("count")[:-1] if deep else 0)
        count = _leading(chained[:-1] & full & chained[1:]) if self.at[0] == 0 else 0
        return self._with_records(count) if deep and count else count

    def columns(self, count: int, section: int, number: int, offset: int, *, deep: bool) -> dict[str, Array]:
        """Return the columns of `batches` from `section` on for the leading batches; the cursor is at line `number`."""
        lines = self.at[:count]
        columns = {name: values.slice(0, count) for name, values in self._columns.items()}
        columns |= {
            "section": pa.repeat(pa.scalar(section, pa.int32()), count),
            "line": pa.array(number + lines),
            "byte_offset": pa.array(offset + self.starts[lines].astype(np.int64)),
            "batch_source": pa.repeat("batch", count),
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

    def _with_records(self, count: int) -> int:
        """Return how many of the leading batches have plain records: bare lines with offsets in order, or a marker."""
        until = int(self.at[count])
        owner = np.cumsum(self._is_batch[:until]) - 1
        record = ~self._is_batch[:until]
        batch = owner[record]
        control = np.zeros(count, bool)
        control[self._control(count)] = True
        where = np.flatnonzero(record)
        marked = control[batch]
        plain = self._begins(where, _RECORD_START)
        plain[~marked] &= self._last_byte(where[~marked]) == ord("]")
        plain[marked] = self._matches(where[marked], _MARKER)
        offsets = self._record_offsets(where)
        base, last = self._integers("base_offset")[batch], self._integers("last_offset")[batch]
        ordered = np.concatenate([[True], (offsets[1:] > offsets[:-1]) | (batch[1:] != batch[:-1])])
        single = self._integers("count")[:count] == 1
        good = plain & (offsets >= base) & (offsets <= last) & ordered[: len(offsets)]
        bad = np.zeros(count, bool)
        bad[batch[~good]] = True
        return _leading(~bad & (single | ~control))

    def _begins(self, lines: Ints, start: bytes) -> Flags:
        """Return which of these lines begin with these bytes."""
        at = self.starts[lines].astype(np.int64)
        top = len(self._data) - 1
        flags = np.ones(len(lines), bool)
        for index, byte in enumerate(start):
            flags &= self._data[np.minimum(at + index, top)] == byte
        return flags

    def _last_byte(self, lines: Ints) -> npt.NDArray[np.uint8]:
        """Return the last byte of these lines before their line ends."""
        end = self.stops[lines].astype(np.int64) - 1
        end -= self._data[end - 1] == ord("\r")
        return self._data[np.maximum(end - 1, 0)]

    def _matches(self, lines: Ints, pattern: str) -> Flags:
        """Return which of these lines match the whole pattern."""
        matched: Flags = pc.match_substring_regex(self._lines.take(pa.array(lines)), pattern).to_numpy(
            zero_copy_only=False
        )
        return matched

    def _record_offsets(self, lines: npt.NDArray[np.intp]) -> Ints:
        """Return the offsets on these record lines, read digit by digit for all of them at once."""
        at = self.starts[lines].astype(np.int64) + len(_RECORD_START)
        offsets = np.zeros(len(lines), np.int64)
        going = np.ones(len(lines), bool)
        top = len(self._data) - 1
        for digit in range(DIGITS):
            value = self._data[np.minimum(at + digit, top)].astype(np.int64) - ord("0")
            going &= (value >= 0) & (value <= 9)  # noqa: PLR2004 - a digit
            if not going.any():
                break
            offsets = np.where(going, offsets * 10 + value, offsets)
        return offsets

    def _control(self, count: int) -> Ints:
        """Return which of the leading batches are control batches."""
        flags = self._columns.get("is_control")
        if flags is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(flags.slice(0, count).to_numpy(zero_copy_only=False))

    def _integers(self, name: str) -> Ints:
        values = self._columns[name]
        numbers: Ints = (pc.fill_null(values, -1) if values.null_count else values).to_numpy()
        return numbers


def _leading(flags: Flags) -> int:
    """Return how many are true before the first that is not."""
    return len(flags) if bool(flags.all()) else int(np.argmin(flags))


def _text(lines: Array) -> pa.Buffer:
    """Return the bytes of all lines of a binary array, one behind the other, without copying them."""
    offsets = np.frombuffer(lines.buffers()[1], np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return lines.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
