"""From a transactional id or group id to the partition of its internal topic that Kafka routes it to."""


def java_hash(text: str) -> int:
    """Return Java's `String.hashCode` of the text, a signed 32-bit number over its UTF-16 units."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + (units[index] << 8 | units[index + 1])) & 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def partition_for(text: str, count: int) -> int:
    """Return `Utils.abs(hashCode) % count`, where `Utils.abs(Integer.MIN_VALUE)` is 0.

    Source: `TransactionStateManager.partitionFor` and `GroupMetadataManager.partitionFor`, 0.11 to 4.4.
    """
    value = java_hash(text)
    return (0 if value == -(1 << 31) else abs(value)) % count
