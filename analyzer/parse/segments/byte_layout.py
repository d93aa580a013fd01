"""The layout of batch headers, and numpy's way to gather many of them at once.

v2: 0 baseOffset i64, 8 length i32, 12 partitionLeaderEpoch i32, 16 magic i8, 17 crc u32, 21 attributes i16, 23
lastOffsetDelta i32, 27 baseTimestamp i64, 35 maxTimestamp i64, 43 producerId i64, 51 producerEpoch i16, 53
baseSequence i32, 57 count i32, 61 records (DefaultRecordBatch). v0 and v1: 0 offset i64, 8 size i32, 12 crc u32, 16
magic i8, 17 attributes i8, 18 timestamp i64 (v1), key, value (LegacyRecord).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Fields = npt.NDArray[Any]
"""A structured array with one element a batch."""

HEADER = np.dtype(
    [
        ("base_offset", ">i8"),
        ("length", ">i4"),
        ("partition_leader_epoch", ">i4"),
        ("magic", "i1"),
        ("crc", ">u4"),
        ("attributes", ">i2"),
        ("last_offset_delta", ">i4"),
        ("base_timestamp", ">i8"),
        ("max_timestamp", ">i8"),
        ("producer_id", ">i8"),
        ("producer_epoch", ">i2"),
        ("base_sequence", ">i4"),
        ("count", ">i4"),
    ]
)
LEGACY = np.dtype(
    [
        ("offset", ">i8"),
        ("length", ">i4"),
        ("crc", ">u4"),
        ("magic", "i1"),
        ("attributes", "i1"),
        ("timestamp", ">i8"),
    ]
)

HEADER_BYTES = HEADER.itemsize
LEGACY_HEADER_BYTES = LEGACY.itemsize
PREFIX_BYTES = 12
"""Bytes of the fields offset and length, which the length does not count."""
MAGIC_AT = 16
CRC_V2_FROM = 21
CRC_LEGACY_FROM = 16
LEAST_LENGTH = {0: 14, 1: 22, 2: HEADER_BYTES - PREFIX_BYTES}
"""The smallest length field of each message format."""

LOG_APPEND_TIME = 0x08
TRANSACTIONAL = 0x10
CONTROL = 0x20
DELETE_HORIZON = 0x40


def gather(data: memoryview, positions: Ints, fields: np.dtype[Any]) -> Fields:
    """Return the elements of this type at these positions; each must lie inside the data. No Python code per batch."""
    size = len(data) - fields.itemsize + 1
    if size <= 0 or not len(positions):
        return np.zeros(0, fields)
    everywhere: Fields = np.ndarray((size,), fields, data, 0, (1,))
    return everywhere[positions]


def wide(values: Fields) -> Ints:
    """Return big-endian numbers as int64."""
    return values.astype(np.int64)
