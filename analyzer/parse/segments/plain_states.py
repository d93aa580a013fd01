"""Decodes batches of `__transaction_state` that hold one plain record each, many at once.

After the 61 bytes of the batch's header a plain record has: length, attributes, timestamp delta, offset delta, key
length, key, value length, value, no headers; lengths and deltas are zigzag varints. The key is version 0, a length and
the id (TransactionLogKey.json). The value begins with 17 bytes of numbers; then come the partitions, two times and, in
version 1, tagged fields (TransactionLogValue.json). What is not plain is left to `internal_topics`.
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from analyzer.parse.codecs import CODEC_BITS
from analyzer.parse.rows import Array
from analyzer.parse.segments.batch_headers import int_column
from analyzer.parse.segments.byte_layout import (
    CONTROL,
    DELETE_HORIZON,
    HEADER,
    HEADER_BYTES,
    LOG_APPEND_TIME,
    PREFIX_BYTES,
    Flags,
    Ints,
    gather,
    wide,
)
from analyzer.parse.segments.fields import BROKEN
from analyzer.parse.segments.internal_topics import CLIENT_VERSION, partitions_in, state_name, transactional_id

_KEY = np.dtype([("version", ">i2"), ("length", ">i2")])
_NUMBERS = np.dtype(
    [("version", ">i2"), ("producer_id", ">i8"), ("producer_epoch", ">i2"), ("timeout_ms", ">i4"), ("state", "i1")]
)
_TIMES = np.dtype([("last_update_ms", ">i8"), ("start_ms", ">i8")])
_CLIENT = np.dtype([("fields", "i1"), ("tag", "i1"), ("bytes", "i1"), ("version", ">i2")])
"""The only tagged field that a plain value has, if any: the client's transaction version."""

_list = functools.partial(partitions_in, compact=False)
_compact_list = functools.partial(partitions_in, compact=True)
_UNUSUAL = CODEC_BITS | LOG_APPEND_TIME | CONTROL | DELETE_HORIZON
_LEAST_VALUE = _NUMBERS.itemsize + _TIMES.itemsize
_LAST_SHIFT = 28


@dataclasses.dataclass(slots=True)
class _Cursor:
    """A place in each of many records; what cannot be read there is not `plain`."""

    data: Any
    at: Ints
    plain: Flags

    def varints(self) -> Ints:
        """Return the next zigzag varint of each record, of at most five bytes."""
        values = np.zeros(len(self.at), np.int64)
        more = np.ones(len(self.at), np.bool_)
        for shift in range(0, _LAST_SHIFT + 1, 7):
            byte = self.data[np.minimum(self.at, len(self.data) - 1)].astype(np.int64)
            values |= np.where(more, (byte & 0x7F) << shift, 0)
            self.at = self.at + more
            more &= byte > 0x7F  # noqa: PLR2004 - the bit that says more follows
        self.plain &= ~more
        return (values >> 1) ^ -(values & 1)

    def skip(self, sizes: Ints, least: int) -> Ints:
        """Pass over so many bytes, at least `least`, and return where they began."""
        self.plain &= sizes >= least
        began = self.at
        self.at = began + np.where(self.plain, sizes, 0)
        return began


def plain_states(data: memoryview, positions: Ints, base: int) -> tuple[Flags, dict[str, Array]]:
    """Return which of the batches at these positions are plain, and the columns of `coordinator_states` of those.

    `base` is where `data` begins in the segment. The batches are whole and of format 2.
    """
    head = gather(data, positions, HEADER)
    ends = positions + wide(head["length"]) + PREFIX_BYTES
    plain = (head["count"] == 1) & (wide(head["attributes"]) & _UNUSUAL == 0)
    cursor = _Cursor(np.frombuffer(data, np.uint8), positions + HEADER_BYTES, plain)
    cursor.plain &= cursor.varints() + cursor.at == ends
    cursor.plain &= cursor.varints() == 0  # no attributes
    timestamps = wide(head["base_timestamp"]) + cursor.varints()
    offsets = wide(head["base_offset"]) + cursor.varints()
    key_at = cursor.skip(cursor.varints(), _KEY.itemsize)
    key_end = cursor.at
    value_at = cursor.skip(cursor.varints(), _LEAST_VALUE)
    value_end = cursor.at
    cursor.plain &= (cursor.varints() == 0) & (cursor.at == ends)
    chosen = np.flatnonzero(cursor.plain)
    known, columns = _states(data, key_at[chosen], key_end[chosen], value_at[chosen], value_end[chosen])
    done = chosen[known]
    plain = np.zeros(len(positions), np.bool_)
    plain[done] = True
    placed = {"byte_offset": positions[done] + base, "offset": offsets[done], "timestamp": timestamps[done]}
    return plain, columns | {name: pa.array(values) for name, values in placed.items()}


def _states(
    data: memoryview, key_at: Ints, key_end: Ints, value_at: Ints, value_end: Ints
) -> tuple[Flags, dict[str, Array]]:
    """Return which of these keys and values are plain, and what those say, as columns."""
    key, numbers = gather(data, key_at, _KEY), gather(data, value_at, _NUMBERS)
    client = gather(data, value_end - _CLIENT.itemsize, _CLIENT)
    versions = wide(numbers["version"])
    tagged = (versions == 1) & (client["fields"] == 1) & (client["tag"] == CLIENT_VERSION) & (client["bytes"] == 2)  # noqa: PLR2004 - an i16
    untagged = (versions == 1) & ~tagged & (client["version"] & 0xFF == 0)
    tail = np.select([tagged, untagged], [_CLIENT.itemsize, 1], 0)
    times_at = value_end - _TIMES.itemsize - tail
    ids, id_of = _each(data, key_at, key_end, np.zeros_like(versions), [transactional_id])
    compact = (versions != 0).astype(np.int64)
    lists, list_of = _each(data, value_at + _NUMBERS.itemsize, times_at, compact, [_list, _compact_list])
    known = (key["version"] == 0) & (key["length"] == key_end - key_at - _KEY.itemsize)
    known &= (versions == 0) | tagged | untagged
    known &= np.asarray([one is not None for one in lists], np.bool_)[list_of]
    numbers, tagged, old = numbers[known], tagged[known], versions[known] == 0
    times = gather(data, times_at[known], _TIMES)
    states, state_of = np.unique(numbers["state"], return_inverse=True)
    count = len(numbers)
    return known, {
        "section": pa.repeat(pa.scalar(0, pa.int32()), count),
        "transactional_id": pa.array(ids, pa.string()).take(pa.array(id_of[known])),
        "tombstone": pa.repeat(pa.scalar(value=False), count),
        "version": int_column(numbers["version"]),
        "producer_id": pa.array(wide(numbers["producer_id"])),
        "producer_epoch": int_column(numbers["producer_epoch"]),
        "timeout_ms": pa.array(wide(numbers["timeout_ms"])),
        "state": pa.array([state_name(int(one)) for one in states], pa.string()).take(pa.array(state_of)),
        "partitions": pa.array(lists, pa.list_(pa.string())).take(pa.array(list_of[known])),
        "last_update_ms": pa.array(wide(times["last_update_ms"])),
        "start_ms": pa.array(wide(times["start_ms"])),
        "previous_producer_id": pa.array(np.full(count, -1, np.int64), mask=old),
        "next_producer_id": pa.array(np.full(count, -1, np.int64), mask=old),
        "client_transaction_version": pa.array(
            np.where(tagged, client["version"][known], 0).astype(np.int32), mask=old
        ),
        "record": pa.repeat(pa.scalar(0, pa.int32()), count),
    }


def _each(
    data: memoryview, starts: Ints, stops: Ints, kinds: Ints, readers: Sequence[Callable[[bytes], Any]]
) -> tuple[list[Any], Ints]:
    """Return what the reader for its kind makes of each distinct piece of the data, and the index of that per piece.

    None where the reader raises one of BROKEN.
    """
    values: list[Any] = []
    places: list[dict[bytes, int]] = [{} for _ in readers]
    found: list[int] = []
    for start, stop, kind in zip(starts.tolist(), stops.tolist(), kinds.tolist(), strict=True):
        piece = bytes(data[start:stop])
        place = places[kind].get(piece)
        if place is None:
            place = places[kind][piece] = len(values)
            values.append(_read(readers[kind], piece))
        found.append(place)
    return values, np.asarray(found, np.int64)


def _read(reader: Callable[[bytes], Any], piece: bytes) -> Any:  # noqa: ANN401 - what the reader gives
    try:
        return reader(piece)
    except BROKEN:
        return None
