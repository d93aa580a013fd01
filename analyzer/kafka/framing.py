"""The bytes that frame the records of a batch, by message format: everything but keys and values."""

BATCH_BYTES = 61
"""Header of a batch of format 2 (`DefaultRecordBatch.RECORD_BATCH_OVERHEAD`)."""
MARKER_BYTES = 78
"""Bytes of a batch that is a transaction's marker (`EndTransactionMarker`)."""
RECORD_BYTES = 10
"""Least framing of a record of format 2 with a key and a value of 64 bytes and more, without headers: length 2,
attributes 1, timestamp delta 1, offset delta 1, key length 2, value length 2, header count 1 (`DefaultRecord`)."""
MOST_RECORD_BYTES = 36
"""Most framing of a record without headers: 21 (`DefaultRecord.MAX_RECORD_OVERHEAD`) and three lengths of 5."""
LEGACY_BYTES = {0: 26, 1: 34}
"""Framing of a record of formats 0 and 1: offset and size 12, then 14 or 22 (`LegacyRecord`)."""
KIP_BATCH_BYTES, KIP_RECORD_BYTES = 45, 17
"""What KIP-98 expected of its new format: 45 bytes a batch, 17 a record. The format that shipped is another one."""


def framing_bytes(magic: int, records: int) -> int:
    """Return the framing of a batch: 26 n in format 0, 34 n in format 1, at least 61 + 10 n in format 2 (KIP-98).

    Format 2 needs one byte more for each number that outgrows its varint (an offset or timestamp delta of 64 or more, a
    key or value of 8,192 bytes or more), and one byte less for a key or value below 64 bytes.
    """
    if magic in LEGACY_BYTES:
        return LEGACY_BYTES[magic] * records
    return BATCH_BYTES + RECORD_BYTES * records


def kip_bytes(records: int) -> int:
    """Return what KIP-98 expected for a batch of its new format: 45 + 17 n."""
    return KIP_BATCH_BYTES + KIP_RECORD_BYTES * records


def saved_bytes(batches: int, records: int, records_per_batch: int) -> int:
    """Return the bytes of batch headers that fewer, fuller batches of format 2 would save."""
    fewer = -(-records // records_per_batch)
    return BATCH_BYTES * max(batches - fewer, 0)
