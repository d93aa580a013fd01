"""The partition of an internal topic that Kafka routes a transactional id or group id to."""

import math

MIN_VALUE = -(1 << 31)


def java_hash(text: str) -> int:
    """Return Java's `String.hashCode` of the text, a signed 32-bit number over its UTF-16 units."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + (units[index] << 8 | units[index + 1])) & 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def routing_hash(text: str) -> int:
    """Return `Utils.abs(hashCode)`, 0 to 2147483647: Kafka takes it modulo the partition count.

    `Utils.abs(Integer.MIN_VALUE)` is 0: the id `polygenelubricants` belongs to partition 0 under every count.
    """
    value = java_hash(text)
    return 0 if value == MIN_VALUE else abs(value)


def partition_for(text: str, count: int) -> int:
    """Return `Utils.abs(hashCode) % count`.

    Source: `TransactionStateManager.partitionFor` and `GroupMetadataManager.partitionFor`, 0.11 to 4.4.
    """
    return routing_hash(text) % count


def moved_share(old: int, new: int) -> float:
    """Return the share of all ids that move to another partition when the count changes from old to new.

    An id stays if hash % old = hash % new, which holds for min(old, new) of every lcm(old, new) hashes. If old divides
    new, the share is 1 - old / new.
    """
    return 1 - min(old, new) / math.lcm(old, new)
