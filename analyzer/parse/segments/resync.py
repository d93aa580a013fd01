"""From a place in a segment where no batch is to the next place where one surely is: its checksum holds."""

import dataclasses

import numpy as np

from analyzer.parse.segments.checksums import holds
from analyzer.parse.segments.layout import (
    HEADER,
    HEADER_BYTES,
    LEAST_LENGTH,
    LEGACY,
    LEGACY_BYTES,
    MAGIC_AT,
    PREFIX_BYTES,
    Flags,
    Ints,
    gather,
    wide,
)

WINDOW_BYTES = 1 << 20
RELATIVE_OFFSETS = 1 << 31
"""Offsets of a segment differ by less than this: its indexes store them as 32 bits (LogSegment)."""

_UNUSED_ATTRIBUTES = 0xFF80
_LEGACY_UNUSED = 0xF0


@dataclasses.dataclass(slots=True)
class Search:
    """The search in one segment; `budget` bounds the bytes whose checksum is computed, so that no input is endless."""

    data: memoryview
    budget: int

    def next_batch(self, start: int, least_offset: int, stop: int | None = None) -> int | None:
        """Return the first position from `start`, before `stop`, of a batch with a valid checksum, None without one.

        A batch must have an offset from `least_offset` on that fits one segment.
        """
        data = self.data
        end = len(data) - LEGACY_BYTES + 1 if stop is None else min(stop, len(data) - LEGACY_BYTES + 1)
        for window in range(start, end, WINDOW_BYTES):
            for at in self._candidates(window, min(window + WINDOW_BYTES, end), least_offset):
                length = int.from_bytes(data[at + 8 : at + PREFIX_BYTES], "big")
                if self.budget < length:
                    return None
                self.budget -= length
                if holds(data, at):
                    return at
        return None

    def _candidates(self, start: int, stop: int, least_offset: int) -> list[int]:
        """Return the positions whose bytes look like the head of a batch of any format, in order."""
        magics = np.frombuffer(self.data, np.uint8, stop - start, start + MAGIC_AT)
        v2 = np.flatnonzero(magics == 2) + start  # noqa: PLR2004 - the magic of record batches
        legacy = np.flatnonzero(magics < 2) + start  # noqa: PLR2004 - message sets
        v2 = v2[v2 + HEADER_BYTES <= len(self.data)]
        found = [*self._plausible_v2(v2, least_offset), *self._plausible_legacy(legacy, least_offset)]
        return sorted(found)

    def _plausible_v2(self, positions: Ints, least_offset: int) -> list[int]:
        head = gather(self.data, positions, HEADER)
        fits = self._fits(positions, wide(head["length"]), wide(head["base_offset"]), least_offset)
        fits &= wide(head["length"]) >= LEAST_LENGTH[2]
        fits &= (head["attributes"].astype(np.int64) & _UNUSED_ATTRIBUTES) == 0
        fits &= (head["count"] >= 0) & (wide(head["count"]) <= wide(head["last_offset_delta"]) + 1)
        fits &= (head["producer_id"] >= -1) & (head["producer_epoch"] >= -1) & (head["last_offset_delta"] >= 0)
        return list(map(int, positions[fits]))

    def _plausible_legacy(self, positions: Ints, least_offset: int) -> list[int]:
        head = gather(self.data, positions, LEGACY)
        fits = self._fits(positions, wide(head["length"]), wide(head["offset"]), least_offset)
        least = np.where(head["magic"] == 0, LEAST_LENGTH[0], LEAST_LENGTH[1])
        fits &= wide(head["length"]) >= least
        fits &= (head["attributes"].astype(np.int64) & _LEGACY_UNUSED) == 0
        return list(map(int, positions[fits]))

    def _fits(self, positions: Ints, lengths: Ints, offsets: Ints, least_offset: int) -> Flags:
        ends: Ints = positions + lengths + PREFIX_BYTES
        fits: Flags = (ends <= len(self.data)) & (offsets >= least_offset)
        return fits & (offsets - least_offset < RELATIVE_OFFSETS) if least_offset > 0 else fits


def only_zeros(data: memoryview, start: int) -> bool:
    """Whether everything from `start` on is zero: a preallocated or never written tail."""
    for at in range(start, len(data), WINDOW_BYTES):
        if np.frombuffer(data, np.uint8, min(WINDOW_BYTES, len(data) - at), at).any():
            return False
    return True
