"""The hashes that partition a record's key: murmur2 (Java clients) and CRC32 (librdkafka)."""

import zlib

SEED = 0x9747B28C
_M = 0x5BD1E995
_WORD = 0xFFFFFFFF
_POSITIVE = 0x7FFFFFFF


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


def key_crc32(key: bytes) -> int:
    """Return the CRC32 of the key, 0 to 4294967295; modulo the count it is the partition librdkafka chooses.

    Source: `rd_kafka_msg_partitioner_consistent` and `consistent_random`, librdkafka's default.
    """
    return zlib.crc32(key)
