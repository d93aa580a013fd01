"""The hashes that partition a record's key: murmur2 (Java clients) and CRC32 (librdkafka)."""

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

SEED = 0x9747B28C
_M = 0x5BD1E995
_WORD = 0xFFFFFFFF
_POSITIVE = 0x7FFFFFFF
_MANY = 16
"""Fewer keys of one length are hashed faster one by one."""


def murmur2(key: bytes) -> int:
    """Return Kafka's 32-bit murmur2 of the key, signed (`org.apache.kafka.common.utils.Utils.murmur2`)."""
    value = SEED ^ len(key)
    whole = len(key) & ~3
    for at in range(0, whole, 4):
        part = int.from_bytes(key[at : at + 4], "little") * _M & _WORD
        part = (part ^ part >> 24) * _M & _WORD
        value = value * _M & _WORD ^ part
    if whole < len(key):
        value = (value ^ int.from_bytes(key[whole:], "little")) * _M & _WORD
    value = (value ^ value >> 13) * _M & _WORD
    value ^= value >> 15
    return value - (1 << 32) if value & 0x80000000 else value


def key_murmur2(key: bytes) -> int:
    """Return `Utils.toPositive(murmur2(key))`, 0 to 2147483647; modulo the count it is the key's partition.

    Source: `BuiltInPartitioner.partitionForKey` (Java clients), `murmur2_random` of librdkafka.
    """
    return murmur2(key) & _POSITIVE


def key_murmur2_of(keys: Sequence[bytes]) -> npt.NDArray[np.int32]:
    """Return `key_murmur2` of each key; many of one length take a tenth of the time."""
    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    out = np.empty(len(keys), np.int32)
    for length, count in zip(*(found.tolist() for found in np.unique(lengths, return_counts=True)), strict=True):
        at = np.flatnonzero(lengths == length)
        own = [keys[number] for number in at.tolist()]
        out[at] = _of_length(own, length) if count >= _MANY else [key_murmur2(key) for key in own]
    return out


def _of_length(keys: Sequence[bytes], length: int) -> npt.NDArray[np.int32]:
    """Return the same for keys that all have this length."""
    whole, factor = length // 4, np.uint32(_M)
    filled = b"".join([key.ljust((length + 3) // 4 * 4, b"\0") for key in keys])
    parts = np.frombuffer(filled, "<u4").reshape(len(keys), (length + 3) // 4).T
    value = np.full(len(keys), SEED ^ length, np.uint32)
    for part in parts[:whole] * factor:
        value = value * factor ^ (part ^ part >> np.uint32(24)) * factor
    for rest in parts[whole:]:
        value = (value ^ rest) * factor
    value = (value ^ value >> np.uint32(13)) * factor
    return ((value ^ value >> np.uint32(15)) & np.uint32(_POSITIVE)).astype(np.int32)


def key_crc32(key: bytes) -> int:
    """Return the CRC32 of the key, 0 to 4294967295; modulo the count it is the partition librdkafka chooses.

    Source: `rd_kafka_msg_partitioner_consistent` and `consistent_random`, librdkafka's default.
    """
    return zlib.crc32(key)
