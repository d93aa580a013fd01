"""Checks the stored checksums of batches."""

import zlib

import numpy as np
from crc32c import crc32c

from analyzer.parse.segments.byte_layout import CRC_LEGACY_FROM, CRC_V2_FROM, PREFIX_BYTES, Flags, Ints


def valid_v2(data: memoryview, positions: Ints, lengths: Ints, stored: Ints) -> Flags:
    """Whether each v2 batch has the CRC-32C it stores, from its attributes to its end (DefaultRecordBatch)."""
    starts = (positions + CRC_V2_FROM).tolist()
    stops = (positions + lengths + PREFIX_BYTES).tolist()
    computed = [crc32c(data[start:stop]) for start, stop in zip(starts, stops, strict=True)]
    holding: Flags = np.asarray(computed, np.int64) == stored
    return holding


def valid_legacy(data: memoryview, positions: Ints, lengths: Ints, stored: Ints) -> Flags:
    """Whether each v0 or v1 entry has the CRC-32 it stores, from its magic to its end (LegacyRecord)."""
    starts = (positions + CRC_LEGACY_FROM).tolist()
    stops = (positions + lengths + PREFIX_BYTES).tolist()
    computed = [zlib.crc32(data[start:stop]) for start, stop in zip(starts, stops, strict=True)]
    holding: Flags = np.asarray(computed, np.int64) == stored
    return holding


def holds(data: memoryview, at: int = 0) -> bool:
    """Whether the batch at this position, of any format and with a plausible header, is whole and intact."""
    length = int.from_bytes(data[at + 8 : at + 12], "big", signed=True)
    stop = at + PREFIX_BYTES + length
    if len(data) < stop:
        return False
    if data[at + 16] == 2:  # noqa: PLR2004 - the magic of record batches
        return crc32c(data[at + CRC_V2_FROM : stop]) == int.from_bytes(data[at + 17 : at + 21], "big")
    return zlib.crc32(data[at + CRC_LEGACY_FROM : stop]) == int.from_bytes(data[at + 12 : at + 16], "big")
