"""Decodes control batches of a segment into markers: COMMIT or ABORT, and the coordinator's epoch.

A marker's record, after the 61 bytes of the batch's header: length, attributes, timestamp delta and offset delta (a
byte each), key length 0x08, key version i16, type i16 (0 ABORT, 1 COMMIT), value length 0x0c, value version i16,
coordinator epoch i32, no headers: 78 bytes in all (ControlRecordType, EndTransactionMarker).
"""

import numpy as np
import pyarrow as pa

from analyzer.parse.rows import Array
from analyzer.parse.segments.byte_layout import HEADER_BYTES, PREFIX_BYTES, Flags, Ints, gather
from analyzer.parse.segments.records import records_of

NAMES = ("ABORT", "COMMIT")
KEY_BYTES, VALUE_BYTES = 4, 6

_PLAIN = np.dtype(
    [
        ("header", f"V{HEADER_BYTES}"),
        ("length", "u1"),
        ("attributes", "u1"),
        ("timestamp_delta", "u1"),
        ("offset_delta", "u1"),
        ("key_length", "u1"),
        ("key_version", ">i2"),
        ("type", ">i2"),
        ("value_length", "u1"),
        ("value_version", ">i2"),
        ("coordinator_epoch", ">i4"),
        ("headers", "u1"),
    ]
)


def marker_columns(data: memoryview, positions: Ints, lengths: Ints, control: Flags, base: int) -> dict[str, Array]:
    """Return marker, coordinator_epoch and marker_byte_offset (the batch's) of each batch, null if it is no marker."""
    count = len(positions)
    kinds = np.zeros(count, np.int64)
    epochs = np.zeros(count, np.int32)
    known = np.zeros(count, np.bool_)
    chosen = np.flatnonzero(control)
    plain = lengths[chosen] + PREFIX_BYTES == _PLAIN.itemsize
    fields = gather(data, positions[chosen[plain]], _PLAIN)
    usual = (fields["key_length"] == KEY_BYTES * 2) & (fields["value_length"] == VALUE_BYTES * 2)
    usual &= (fields["length"] == (_PLAIN.itemsize - HEADER_BYTES - 1) * 2) & (fields["headers"] == 0)
    usual &= (fields["timestamp_delta"] < 0x80) & (fields["offset_delta"] < 0x80)  # noqa: PLR2004 - one byte each
    usual &= (fields["type"] == 0) | (fields["type"] == 1)
    done = chosen[plain][usual]
    kinds[done], epochs[done], known[done] = fields["type"][usual], fields["coordinator_epoch"][usual], True
    for index in np.setdiff1d(chosen, done).tolist():
        start = int(positions[index])
        marker = _marker_in(data[start : start + int(lengths[index]) + PREFIX_BYTES])
        if marker:
            kinds[index], epochs[index] = marker
            known[index] = True
    return {
        "marker": pa.array(NAMES).take(pa.array(kinds, mask=~known)),
        "coordinator_epoch": pa.array(epochs, mask=~known),
        "marker_byte_offset": pa.array(positions + base, mask=~known),
    }


def _marker_in(batch: memoryview) -> tuple[int, int] | None:
    """Return type and coordinator epoch of a control batch of any shape, None if it ends no transaction."""
    for record in records_of(batch) or ():
        key, value = record.key or b"", record.value or b""
        kind = int.from_bytes(key[2:4], "big", signed=True)
        if len(key) >= KEY_BYTES and kind in (0, 1) and len(value) >= VALUE_BYTES:
            return kind, int.from_bytes(value[2:6], "big", signed=True)
    return None
