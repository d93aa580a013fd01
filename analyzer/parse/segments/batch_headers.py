"""Decodes the batches at given positions of a segment into columns of `batches`, markers included."""

import numpy as np
import pyarrow as pa

from analyzer.parse.codecs import CODEC_BITS, NAMES
from analyzer.parse.rows import Array
from analyzer.parse.segments.byte_layout import (
    CONTROL,
    DELETE_HORIZON,
    HEADER,
    LEGACY,
    LOG_APPEND_TIME,
    PREFIX_BYTES,
    TRANSACTIONAL,
    Fields,
    Flags,
    Ints,
    gather,
    wide,
)
from analyzer.parse.segments.checksums import valid_legacy, valid_v2
from analyzer.parse.segments.markers import marker_columns
from analyzer.parse.segments.records import first_and_count

Columns = dict[str, Array]

_CODEC_NAMES = pa.array(NAMES, pa.string())
_TIMESTAMP_TYPES = pa.array(["CreateTime", "LogAppendTime", "NoTimestampType"], pa.string())
_SEQUENCE_MASK = 0x7FFFFFFF


def headers(data: memoryview, positions: Ints, *, legacy: bool) -> Fields:
    """Return the headers of batches at these positions: `layout.LEGACY` for formats 0 and 1, else `layout.HEADER`."""
    return gather(data, positions, LEGACY if legacy else HEADER)


def v2_columns(data: memoryview, positions: Ints, head: Fields, *, base: int, check_crc: bool) -> Columns:
    """Return the columns of the v2 batches at these positions of `data`, from their headers (`layout.HEADER`).

    `base` is where `data` begins in the segment. Without `check_crc`, crc_valid is null.
    """
    attributes = wide(head["attributes"])
    first, lengths = wide(head["base_offset"]), wide(head["length"])
    deltas, sequences = wide(head["last_offset_delta"]), wide(head["base_sequence"])
    horizon = (attributes & DELETE_HORIZON) != 0
    first_time = wide(head["base_timestamp"])
    control = (attributes & CONTROL) != 0
    columns = _placed(positions + base, lengths, head)
    columns |= {
        "base_offset": pa.array(first),
        "last_offset": pa.array(first + deltas),
        "count": pa.array(wide(head["count"])),
        "base_sequence": int_column(sequences),
        "last_sequence": int_column(np.where(sequences < 0, -1, (sequences + deltas) & _SEQUENCE_MASK)),
        "producer_id": pa.array(wide(head["producer_id"])),
        "producer_epoch": int_column(head["producer_epoch"]),
        "partition_leader_epoch": int_column(head["partition_leader_epoch"]),
        "is_transactional": pa.array((attributes & TRANSACTIONAL) != 0),
        "is_control": pa.array(control),
        "delete_horizon_ms": pa.array(first_time, mask=~horizon),
        "timestamp_type": _TIMESTAMP_TYPES.take(pa.array((attributes & LOG_APPEND_TIME) >> 3)),
        "base_timestamp": pa.array(first_time, mask=horizon),
        "max_timestamp": pa.array(wide(head["max_timestamp"])),
        "codec": _CODEC_NAMES.take(pa.array(attributes & CODEC_BITS)),
    }
    if check_crc:
        columns["crc_valid"] = pa.array(valid_v2(data, positions, lengths, wide(head["crc"])))
    return columns | marker_columns(data, positions, lengths, control, base)


def legacy_columns(data: memoryview, positions: Ints, head: Fields, *, base: int, check_crc: bool) -> Columns:
    """Return the columns of the v0 and v1 entries at these positions of `data`, from their headers (`layout.LEGACY`).

    `base` is where `data` begins in the segment. First offset and count of a compressed entry need its inside.
    """
    attributes = wide(head["attributes"])
    last, lengths = wide(head["offset"]), wide(head["length"])
    old = head["magic"] == 0
    first, counts, known = _opened(data, positions, lengths, last, (attributes & CODEC_BITS) != 0)
    kinds = np.where(old, 2, (attributes & LOG_APPEND_TIME) >> 3)
    columns = _placed(positions + base, lengths, head)
    columns |= {
        "base_offset": pa.array(first, mask=~known),
        "last_offset": pa.array(last),
        "count": pa.array(counts, mask=~known),
        "timestamp_type": _TIMESTAMP_TYPES.take(pa.array(kinds)),
        "max_timestamp": pa.array(np.where(old, -1, wide(head["timestamp"]))),
        "codec": _CODEC_NAMES.take(pa.array(attributes & CODEC_BITS)),
    }
    for name in ("base_sequence", "last_sequence", "producer_epoch", "partition_leader_epoch"):
        columns[name] = pa.repeat(pa.scalar(-1, pa.int32()), len(positions))
    columns["producer_id"] = pa.repeat(pa.scalar(-1, pa.int64()), len(positions))
    for name in ("is_transactional", "is_control"):
        columns[name] = pa.repeat(pa.scalar(value=False), len(positions))
    if check_crc:
        columns["crc_valid"] = pa.array(valid_legacy(data, positions, lengths, wide(head["crc"])))
    return columns


def _placed(positions: Ints, lengths: Ints, head: Fields) -> Columns:
    """Return the columns that all formats have: position in the segment, size, magic, stored checksum."""
    count = len(positions)
    return {
        "section": pa.repeat(pa.scalar(0, pa.int32()), count),
        "byte_offset": pa.array(positions),
        "position": pa.array(positions),
        "batch_source": pa.repeat(pa.scalar("batch"), count),
        "size": pa.array(lengths + PREFIX_BYTES),
        "magic": int_column(head["magic"]),
        "crc": pa.array(wide(head["crc"])),
    }


def _opened(
    data: memoryview, positions: Ints, lengths: Ints, last: Ints, compressed: Flags
) -> tuple[Ints, Ints, Flags]:
    """Return first offset, count, and whether they are known: a compressed entry that cannot be opened has neither."""
    first, counts = last.copy(), np.ones(len(last), np.int64)
    known = np.ones(len(last), np.bool_)
    for index in np.flatnonzero(compressed).tolist():
        start = int(positions[index])
        inside = first_and_count(data[start : start + int(lengths[index]) + PREFIX_BYTES])
        known[index] = inside is not None
        if inside is not None:
            first[index], counts[index] = inside
    return first, counts, known


def int_column(values: Fields | Ints) -> Array:
    """Return numbers as a column of type int."""
    return pa.array(values.astype(np.int32))
