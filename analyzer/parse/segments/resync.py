"""Searches a damaged segment for the next batch whose checksum holds."""

import dataclasses

import numpy as np

from analyzer.parse.segments.byte_layout import (
    HEADER,
    HEADER_BYTES,
    LEAST_LENGTH,
    LEGACY,
    LEGACY_HEADER_BYTES,
    MAGIC_AT,
    PREFIX_BYTES,
    Flags,
    Ints,
    gather,
    wide,
)
from analyzer.parse.segments.checksums import holds
from analyzer.parse.segments.raw_bytes import RawBytes

SEARCH_WINDOW_BYTES = 1 << 20
RELATIVE_OFFSETS = 1 << 31
"""Offsets of a segment differ by less than this, because its indexes store them in 32 bits (LogSegment)."""

_UNUSED_ATTRIBUTES = 0xFF80
_LEGACY_UNUSED = 0xF0


@dataclasses.dataclass(slots=True)
class Search:
    """The search in one segment; `budget` bounds the bytes that are checksummed, so that every search ends."""

    file: RawBytes
    budget: int

    def next_batch(self, start: int, least_offset: int, stop: int | None = None) -> int | None:
        """Return the first position from `start` on, before `stop`, of a batch whose checksum holds, else None.

        Its offset must be at least `least_offset` and fit the same segment.
        """
        end = (
            self.file.size - LEGACY_HEADER_BYTES + 1
            if stop is None
            else min(stop, self.file.size - LEGACY_HEADER_BYTES + 1)
        )
        for window in range(start, end, SEARCH_WINDOW_BYTES):
            for at, length in self._candidates(window, min(window + SEARCH_WINDOW_BYTES, end), least_offset):
                if self.budget < length:
                    return None
                self.budget -= length
                batch = self.file.read(at, at + PREFIX_BYTES + length)
                if len(batch) == PREFIX_BYTES + length and holds(batch):
                    return at
        return None

    def _candidates(self, start: int, stop: int, least_offset: int) -> list[tuple[int, int]]:
        """Return, in order, position and length field of everything that looks like a batch header of any format."""
        data = self.file.read(start, stop + HEADER_BYTES)
        magics = np.frombuffer(data[MAGIC_AT : MAGIC_AT + stop - start], np.uint8)
        v2 = np.flatnonzero(magics == 2)  # noqa: PLR2004 - the magic of record batches
        legacy = np.flatnonzero(magics < 2)  # noqa: PLR2004 - message sets
        v2, legacy = v2[v2 + HEADER_BYTES <= len(data)], legacy[legacy + LEGACY_HEADER_BYTES <= len(data)]
        left = self.file.size - start
        found = [*_plausible_v2(data, v2, left, least_offset), *_plausible_legacy(data, legacy, left, least_offset)]
        return sorted((start + at, length) for at, length in found)


def _plausible_v2(data: memoryview, positions: Ints, left: int, least_offset: int) -> list[tuple[int, int]]:
    head = gather(data, positions, HEADER)
    fits = _fits(positions, wide(head["length"]), wide(head["base_offset"]), left, least_offset)
    fits &= wide(head["length"]) >= LEAST_LENGTH[2]
    fits &= (head["attributes"].astype(np.int64) & _UNUSED_ATTRIBUTES) == 0
    fits &= (head["count"] >= 0) & (wide(head["count"]) <= wide(head["last_offset_delta"]) + 1)
    fits &= (head["producer_id"] >= -1) & (head["producer_epoch"] >= -1) & (head["last_offset_delta"] >= 0)
    return list(zip(positions[fits].tolist(), head["length"][fits].tolist(), strict=True))


def _plausible_legacy(data: memoryview, positions: Ints, left: int, least_offset: int) -> list[tuple[int, int]]:
    head = gather(data, positions, LEGACY)
    fits = _fits(positions, wide(head["length"]), wide(head["offset"]), left, least_offset)
    least = np.where(head["magic"] == 0, LEAST_LENGTH[0], LEAST_LENGTH[1])
    fits &= wide(head["length"]) >= least
    fits &= (head["attributes"].astype(np.int64) & _LEGACY_UNUSED) == 0
    return list(zip(positions[fits].tolist(), head["length"][fits].tolist(), strict=True))


def _fits(positions: Ints, lengths: Ints, offsets: Ints, left: int, least_offset: int) -> Flags:
    """Return which batches end within the `left` bytes and have an offset that fits the segment."""
    ends: Ints = positions + lengths + PREFIX_BYTES
    fits: Flags = (ends <= left) & (offsets >= least_offset)
    return fits & (offsets - least_offset < RELATIVE_OFFSETS) if least_offset > 0 else fits


def only_zeros(file: RawBytes, start: int) -> bool:
    """Whether all bytes from `start` on are zero: a preallocated tail that was never written."""
    for at in range(start, file.size, SEARCH_WINDOW_BYTES):
        if np.frombuffer(file.read(at, at + SEARCH_WINDOW_BYTES), np.uint8).any():
            return False
    return True
