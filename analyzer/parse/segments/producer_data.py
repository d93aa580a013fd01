"""Reads transactional data of producer ids, each between two offsets, from a segment, and names what it cannot read.

Only format 2 knows producers; batches of the older formats are stepped over.
"""

import dataclasses
import heapq
import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.parse.segments.batch_headers import headers
from analyzer.parse.segments.byte_layout import CONTROL, PREFIX_BYTES, TRANSACTIONAL, Fields, Flags, wide
from analyzer.parse.segments.chain import Damage, Stretch, walk
from analyzer.parse.segments.checksums import valid_legacy, valid_v2
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.whole_batch import whole_records_of
from analyzer.tables.rescued import SavedBatch, Seen, Unread, Wanted

WRONG_CRC = "the checksum of the batch is wrong"
UNDECODED = "the records of the batch cannot be decoded"
BACKWARDS = "its offset, which no checksum covers, is not after the one before it"
Asked = tuple[Wanted, Seen]
"""The data of a transaction, and where to say what a segment shows beside it."""
HARMLESS = frozenset({"zero_tail"})
"""Damage in which nothing is lost: a tail that was preallocated and never written."""


def producer_data(file: RawBytes, path: str, asked: Sequence[Asked]) -> Iterator[tuple[int, SavedBatch]]:
    """Yield the wanted records of a segment in one pass, batch by batch, each with its number among those asked for.

    What else the segment shows is added to the `Seen` of each. `path` names the file in what is said of it. A batch
    whose checksum is wrong, or that cannot be decoded, is not yielded: it is in `seen.unread`. Memory: one window of
    the segment, and one batch of each that is asked for.
    """
    last_before = -1
    for stretch in walk(file):
        part = _Part(path, stretch, last_before)
        for wanted, seen in asked:
            part.cover(wanted, seen)
        yield from heapq.merge(*itertools.starmap(part.numbered, enumerate(asked)), key=_in_log)
        last_before = part.last_offset
        for wanted, seen in asked:
            if stretch.damage is not None and _may_hide(stretch.damage, wanted):
                seen.unread.append(_damaged(path, stretch.damage))
    if file.fault:
        for _, seen in asked:
            seen.unread.append(Unread(path, file.size, None, None, None, file.fault))


def _in_log(one: tuple[int, SavedBatch]) -> int:
    return one[1].base_offset


class _Part:
    """A stretch of batches with the columns that tell whose they are."""

    def __init__(self, path: str, stretch: Stretch, last_before: int) -> None:
        self._path = path
        self._stretch = stretch
        self._head: Fields = headers(stretch.data, stretch.positions, legacy=stretch.legacy)
        self._lengths = wide(self._head["length"])
        if stretch.legacy:
            self._first = self._last = wide(self._head["offset"])
        else:
            self._first = wide(self._head["base_offset"])
            self._last = self._first + self._head["last_offset_delta"]
        self._before = np.concatenate((np.asarray([last_before], np.int64), self._last[:-1]))[: len(self._last)]
        self.last_offset = int(self._last[-1]) if len(self._last) else last_before

    def cover(self, wanted: Wanted, seen: Seen) -> None:
        """Note which of the offsets whole batches fill; an entry of an old format may begin after the one before it."""
        inside = self._inside(wanted)
        first = np.minimum(self._before + 1, self._first) if self._stretch.legacy else self._first
        low, high = first[inside], self._last[inside]
        if len(low):
            breaks = np.flatnonzero(low[1:] != high[:-1] + 1) + 1
            starts, stops = np.concatenate(([0], breaks)), np.concatenate((breaks, [len(low)])) - 1
            seen.covered += zip(low[starts].tolist(), high[stops].tolist(), strict=True)

    def numbered(self, number: int, asked: Asked) -> Iterator[tuple[int, SavedBatch]]:
        """Yield what is wanted of these batches, with its number among those asked for."""
        return ((number, batch) for batch in self.saved(*asked))

    def saved(self, wanted: Wanted, seen: Seen) -> Iterator[SavedBatch]:
        """Yield what is wanted of these batches, in their order."""
        inside = self._inside(wanted)
        wrong = np.zeros(len(inside), np.bool_)
        wrong[inside] = ~self._intact(inside)
        mine = np.zeros(len(inside), np.bool_)
        if not self._stretch.legacy:
            mine = wide(self._head["producer_id"]) == wanted.producer_id
        for index in np.flatnonzero(wrong | mine).tolist():
            if wrong[index]:
                count = int(self._head["count"][index]) if mine[index] else None
                seen.unread.append(self._unread(index, WRONG_CRC, count))
            else:
                yield from self._take(index, wanted, seen, inside=bool(inside[index]))

    def _take(self, index: int, wanted: Wanted, seen: Seen, *, inside: bool) -> Iterator[SavedBatch]:
        """Yield the records of a batch of the producer, if it is data of a transaction in the range."""
        attributes, count = int(self._head["attributes"][index]), int(self._head["count"][index])
        first, last = int(self._first[index]), int(self._last[index])
        if attributes & CONTROL:
            seen.marker(last, wanted)
        elif not attributes & TRANSACTIONAL:
            seen.beside += count if inside else 0
        elif not inside:
            seen.outside(first, count, wanted, last)
        else:
            records = whole_records_of(self._bytes(index))
            if records is None:
                seen.unread.append(self._unread(index, UNDECODED, count))
                return
            chosen = [one for one in records if wanted.first_offset <= one.offset <= wanted.last_offset]
            for one in records:
                if not wanted.first_offset <= one.offset <= wanted.last_offset:
                    seen.outside(one.offset, 1, wanted)
            if first <= int(self._before[index]):
                chosen = [dataclasses.replace(one, doubt=BACKWARDS) for one in chosen]
            yield SavedBatch(first, int(self._head["crc"][index]), chosen)

    def _inside(self, wanted: Wanted) -> Flags:
        inside: Flags = (self._last >= wanted.first_offset) & (self._first <= wanted.last_offset)
        return inside

    def _intact(self, chosen: Flags) -> Flags:
        """Return whether the checksum of each chosen batch holds."""
        holds = valid_legacy if self._stretch.legacy else valid_v2
        positions, stored = self._stretch.positions[chosen], wide(self._head["crc"])[chosen]
        return holds(self._stretch.data, positions, self._lengths[chosen], stored)

    def _bytes(self, index: int) -> memoryview:
        start = int(self._stretch.positions[index])
        return self._stretch.data[start : start + int(self._lengths[index]) + PREFIX_BYTES]

    def _unread(self, index: int, why: str, count: int | None) -> Unread:
        position = self._stretch.base + int(self._stretch.positions[index])
        return Unread(self._path, position, int(self._first[index]), int(self._last[index]), count, why)


def _may_hide(damage: Damage, wanted: Wanted) -> bool:
    """Return whether wanted records may have been where the damage is."""
    after = damage.offset_after is None or damage.offset_after > wanted.first_offset
    before = damage.offset_before is None or damage.offset_before < wanted.last_offset
    return damage.kind not in HARMLESS and before and after


def _damaged(path: str, damage: Damage) -> Unread:
    first = None if damage.offset_before is None else damage.offset_before + 1
    last = None if damage.offset_after is None else damage.offset_after - 1
    return Unread(path, damage.position, first, last, None, f"{damage.bytes} bytes are no whole batch ({damage.kind})")
