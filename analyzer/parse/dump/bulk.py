"""The fast way through a dump: many plain batches at once, with the same rows as line by line.

At the first line that is not plain (see block.py) the line-by-line reader takes over.
"""

import numpy as np
import pyarrow.compute as pc

from analyzer.parse.contents.keys import keyed_row, printed_key
from analyzer.parse.contents.metadata import data_row
from analyzer.parse.contents.printed import contents_row, producer_of
from analyzer.parse.dump.accepted import Bulk, Content
from analyzer.parse.dump.block import Block, ReadText
from analyzer.parse.dump.log_dump import LogDump
from analyzer.parse.dump.record_tail import LEAST_FORGING_BYTES
from analyzer.parse.dump.record_text import decoded, exact_stop
from analyzer.parse.lines.batch_lines import Layout
from analyzer.parse.lines.record_lines import record_head
from analyzer.parse.raw_text import is_json
from analyzer.parse.rows import Array
from analyzer.parse.sections import Section
from analyzer.parse.stream import Lines

MOST_BLOCK_BYTES = 1 << 20
LEAST_BLOCK_BYTES = 1 << 14
"""The size of a block is between these; it shrinks after a poor catch, so that a failed try costs less."""
FEWEST_LINES = 64
"""After a smaller catch the next try waits, longer each time."""
MOST_WAIT = 1024


class BulkReader:
    """Takes the plain batches at the cursor, as many as there are."""

    def __init__(self, lines: Lines) -> None:
        """Read the lines of this cursor."""
        self._lines = lines
        self._wait = 0
        self._pause = 1
        self._bytes = MOST_BLOCK_BYTES

    def take(self, log: LogDump) -> bool:
        """Take the plain batches at the cursor; return whether there were any."""
        if self._wait:
            self._wait -= 1
            return False
        chain, layout = log.chain, log.chain.layout
        known = log.section.decoder != "" if chain.deep else chain.plain
        if not known or log.tail.open_text or not chain.settled or layout is None or "count" not in layout.keys:
            return False
        begin = self._lines.offset
        taken = self._take(log, layout)
        if self._lines.offset - begin < self._bytes // 4:
            self._bytes = max(self._bytes // 4, LEAST_BLOCK_BYTES)
        else:
            self._bytes = min(self._bytes * 4, MOST_BLOCK_BYTES)
        if taken < FEWEST_LINES:
            self._wait = self._pause
            self._pause = min(2 * self._pause, MOST_WAIT)
        else:
            self._pause = 1
        return taken > 0

    def _take(self, log: LogDump, layout: Layout) -> int:
        """Take plain batches of this layout; return how many lines they had."""
        lines, chain = self._lines, log.chain
        lines.need(self._bytes)
        if lines.buffer[lines.at : lines.at + 5] != b"baseO":
            return 0
        stop = lines.buffer.rfind(b"\n", lines.at, lines.at + self._bytes) + 1
        if stop <= lines.at:
            return 0
        block = Block(lines.buffer, lines.at, stop, layout)
        count = block.plain(chain.end or 0, _read_text(log.section, lines.buffer), deep=chain.deep)
        if count == 0:
            return 0
        columns = block.columns(count, log.section.number, lines.number, lines.offset, deep=chain.deep)
        end = block.ends[count - 1]
        taken = int(block.at[count])
        index = _last_with_room(columns) if chain.deep else None
        if index is not None:
            size, codec = columns["size"][index].as_py(), columns["codec"][index].as_py()
            last_line = lines.offset + int(block.starts[block.at[index + 1] - 1])
            chain.text_may_follow(last_line, size, compressed=codec != "none")
        contents = [
            (owner, (table, lines.number + line, lines.offset + int(block.starts[line]), values))
            for owner, line, (table, values) in block.contents
            if owner < count
        ]
        chain.add_bulk(Bulk(columns, log.section, taken - count, contents), int(end))
        lines.jump(lines.at + int(block.starts[taken]), taken)
        return taken


def _last_with_room(columns: dict[str, Array]) -> int | None:
    """Return the index of the last data batch that may hold the text of another batch line, None if none may."""
    room = pc.or_(pc.greater_equal(columns["size"], LEAST_FORGING_BYTES), pc.not_equal(columns["codec"], "none"))
    if "is_control" in columns:
        room = pc.and_(room, pc.invert(columns["is_control"]))
    some = np.flatnonzero(pc.and_(room, pc.greater(columns["count"], 0)).to_numpy(zero_copy_only=False))
    return int(some[-1]) if len(some) else None


def _read_text(section: Section, buffer: bytes) -> ReadText | None:
    """Return the reader of one-line contents for a section, None if it has no contents.

    The first record with raw text is left to the reader line by line, which notes that.
    """
    decoder, keys, raw, topic = section.decoder, section.keys, section.raw_text, section.topic
    if decoder in ("", "none"):
        return None

    def quorum(start: int, edge: int, batch_line: int) -> Content | None:
        head = record_head(buffer, start, edge)
        if head is None or not head.raw_headers or head.key_size >= 0:
            return None
        line = buffer[batch_line : buffer.find(b"\n", batch_line)]
        rest = buffer[head.text_at : edge].decode("utf-8", "replace")
        return data_row(rest, head.value_size, line, head.offset, head.timestamp)

    def data(start: int, edge: int, batch_line: int) -> Content | None:
        head = record_head(buffer, start, edge)
        if head is None or not head.raw_headers or not buffer.startswith(b"]", head.text_at):
            return None
        stop = exact_stop(buffer, head.text_at + 1, head.key_size, head.value_size)
        if stop != edge:
            return None
        if keys is None or head.key_size < 0:
            return ()
        key = printed_key(buffer, head.text_at, stop, head.key_size, head.value_size)
        line = buffer[batch_line : buffer.find(b"\n", batch_line)]
        return None if key is None else keyed_row(key, head.offset, head.timestamp, producer_of(line), whole=keys.whole)

    def internal(start: int, edge: int, batch_line: int) -> Content | None:
        head = record_head(buffer, start, edge)
        if head is None or not head.raw_headers or not buffer.startswith(b"]", head.text_at):
            return None
        text = decoded(buffer, head.text_at + 1, head.key_size, head.value_size)
        if text is None or text.stop != edge or text.decoder != decoder or not (raw or is_json(text, topic)):
            return None
        line = buffer[batch_line : buffer.find(b"\n", batch_line)] if decoder == "offsets" else b""
        return contents_row(text, line, head.offset, head.timestamp)

    return {"data": data, "metadata": quorum}.get(decoder, internal)
