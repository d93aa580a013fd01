"""Writes snapshots and transaction indexes again: numbers alone, so they stay; what is no entry is filled."""

from analyzer.anonymize.replacing import Replacing
from analyzer.parse.rows import Rows
from analyzer.parse.small_files.snapshots_and_indexes import SNAPSHOT_ENTRY, SNAPSHOT_HEAD, read_snapshot, read_txnindex

_KEPT = frozenset({"zero_tail", "empty_file"})


def written_snapshot(data: bytes, to: Replacing) -> bytes:
    """Return a snapshot as it is if it has the size of its entries, else its head and filling."""
    _, faults = read_snapshot(memoryview(data), "", Rows(""))
    whole = (len(data) - SNAPSHOT_HEAD.size) % SNAPSHOT_ENTRY.size == 0
    if not faults or (whole and faults[0][0] == "bad_crc"):
        return data
    return data[: SNAPSHOT_HEAD.size] + to.payload(data[SNAPSHOT_HEAD.size :])


def written_txnindex(data: bytes, to: Replacing) -> bytes:
    """Return an index of aborted transactions; after its last entry the version stays, and zeros."""
    _, faults = read_txnindex(memoryview(data), Rows(""))
    for damage, position, _ in faults:
        if damage not in _KEPT:
            return data[: position + 2] + to.payload(data[position + 2 :])
    return data
