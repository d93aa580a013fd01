"""Decodes raw `.snapshot` and `.txnindex` files into rows.

.snapshot: i16 version 1, u32 CRC-32C of the bytes from 6 on, i32 count, entries of 46 bytes (ProducerStateManager).
.txnindex: entries of 34 bytes: i16 version, producer id, first, last and last stable offset (AbortedTxn).
"""

import struct
from pathlib import PurePath

from crc32c import crc32c

from analyzer.kafka.placement import place_of
from analyzer.parse.rows import Rows

SNAPSHOT_HEAD = struct.Struct(">hIi")
SNAPSHOT_ENTRY = struct.Struct(">qhiqiqiq")
SNAPSHOT_VERSION = 1
SNAPSHOT_CRC_FROM = 6
ABORTED_ENTRY = struct.Struct(">hqqqq")
ABORTED_VERSION = 0

Fault = tuple[str, int, int]
"""damage, position and bytes of a row of `damaged_ranges`."""


def read_snapshot(data: memoryview, name: str, rows: Rows) -> tuple[int, list[Fault]]:
    """Add the producers of a snapshot; return how many, and what is broken. Nothing is taken from a broken snapshot.

    A broker refuses a snapshot whose checksum does not hold and rebuilds the state from the log.
    """
    size = len(data)
    if size < SNAPSHOT_HEAD.size:
        return 0, [("empty_file" if size == 0 else "cut_tail", 0, size)]
    version, stored, count = SNAPSHOT_HEAD.unpack_from(data, 0)
    if version != SNAPSHOT_VERSION:
        return 0, [("unknown_version", 0, size)]
    if crc32c(data[SNAPSHOT_CRC_FROM:]) != stored:
        return 0, [("bad_crc", 0, size)]
    if SNAPSHOT_HEAD.size + count * SNAPSHOT_ENTRY.size != size:
        return 0, [("bad_count", 0, size)]
    offset = place_of(PurePath(name).name).segment
    for number in range(count):
        at = SNAPSHOT_HEAD.size + number * SNAPSHOT_ENTRY.size
        rows.add_row(("producer_states", (offset, *snapshot_entry(data, at))), (0, None, at))
    return count, []


def snapshot_entry(data: memoryview, at: int) -> tuple[int | None, ...]:
    """Return producer_id, producer_epoch, last_sequence, last_offset, offset_delta, timestamp, coordinator_epoch, open.

    The last is current_txn_first_offset, null for -1.
    """
    producer_id, epoch, sequence, last, delta, time, coordinator, first = SNAPSHOT_ENTRY.unpack_from(data, at)
    return (producer_id, epoch, sequence, last, delta, time, coordinator, None if first < 0 else first)


def read_txnindex(data: memoryview, rows: Rows) -> tuple[int, list[Fault]]:
    """Add the aborted transactions of an index; return how many and what is broken.

    A preallocated file ends in zeros. A last entry that is not whole and an entry of another version are faults.
    """
    size = len(data)
    whole = size // ABORTED_ENTRY.size
    count = 0
    faults: list[Fault] = []
    for at in range(0, whole * ABORTED_ENTRY.size, ABORTED_ENTRY.size):
        version, *entry = ABORTED_ENTRY.unpack_from(data, at)
        if version != ABORTED_VERSION:
            return count, [*faults, ("unknown_version", at, size - at)]
        if not any(entry):
            return count, [*faults, ("zero_tail", at, size - at)]
        rows.add_row(("aborted_ranges", tuple(entry)), (0, None, at))
        count += 1
    if size % ABORTED_ENTRY.size:
        faults.append(("cut_tail", whole * ABORTED_ENTRY.size, size % ABORTED_ENTRY.size))
    return count, faults
