"""Opens one batch of any format and codec and returns its records; aiokafka and cramjam decode them."""

from aiokafka.record.default_records import DefaultRecordBatch
from aiokafka.record.legacy_records import LegacyRecordBatch

from analyzer.parse.codecs import CODEC_BITS, fits
from analyzer.parse.contents.record import Record
from analyzer.parse.segments.byte_layout import HEADER_BYTES, MAGIC_AT

CONTENT_LIMIT = 256 << 20
"""A compressed batch whose records would take more bytes is not opened: it may be a decompression bomb."""

_V2 = 2
_V2_CODEC_AT = 22
_LEGACY_CODEC_AT = 17
_LEGACY_KEY_AT = {0: 18, 1: 26}


def records_of(batch: memoryview) -> list[Record] | None:
    """Return the records of a batch, None if they cannot be decoded: damaged, too large, or an unlisted codec."""
    try:
        magic = batch[MAGIC_AT]
        if magic != _V2:
            return list(LegacyRecordBatch(bytes(batch), magic)) if _opens(batch) else None
        if batch[_V2_CODEC_AT] & CODEC_BITS and not _opens(batch):
            return None
        return list(DefaultRecordBatch(bytes(batch)))
    except Exception:  # noqa: BLE001 - each codec has errors of its own, and no input may end a run
        return None


def first_and_count(batch: memoryview) -> tuple[int, int] | None:
    """Return first offset and count of a compressed entry of format 0 or 1, None if it cannot be opened."""
    records = records_of(batch)
    return (records[0].offset, len(records)) if records else None


def _opens(batch: memoryview) -> bool:
    """Whether the records of a batch are sure to take at most CONTENT_LIMIT bytes."""
    magic = batch[MAGIC_AT]
    if magic == _V2:
        codec, content = batch[_V2_CODEC_AT] & CODEC_BITS, batch[HEADER_BYTES:]
    else:
        codec, key_at = batch[_LEGACY_CODEC_AT] & CODEC_BITS, _LEGACY_KEY_AT[magic]
        key = int.from_bytes(batch[key_at : key_at + 4], "big", signed=True)
        content = batch[key_at + 8 + max(key, 0) :]
    return fits(codec, content, CONTENT_LIMIT)
