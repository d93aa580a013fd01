"""One pass of the log cleaner over one segment: what it keeps and what it forgets (KAFKA-13727).

Follows `LogCleaner.buildOffsetMap` and `Cleaner.cleanSegments` of 3.1. The affected form looks up aborted transactions
only up to the last offset of its map; the fixed form (2.8.2, 3.0.2, 3.1.1, 3.2.0) up to the end of the segment.
"""

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    """A record, or a marker if `marker` is COMMIT or ABORT; each is a batch of its own."""

    offset: int
    producer_id: int
    key: str | None = None
    marker: str | None = None
    delete_horizon_ms: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Aborted:
    """An entry of the transaction index."""

    producer_id: int
    first_offset: int
    last_offset: int


@dataclasses.dataclass(frozen=True, slots=True)
class Cleaned:
    """A segment after a pass: records, transaction index, where the next pass begins, and the steps in words."""

    records: tuple[Record, ...]
    index: tuple[Aborted, ...]
    dirty_offset: int
    steps: tuple[str, ...]


def transaction_index(records: Sequence[Record]) -> tuple[Aborted, ...]:
    """Return the aborted transactions of a log that was never cleaned."""
    open_from: dict[int, int] = {}
    entries: list[Aborted] = []
    for record in records:
        if record.marker is None:
            open_from.setdefault(record.producer_id, record.offset)
            continue
        first = open_from.pop(record.producer_id, None)
        if record.marker == "ABORT" and first is not None:
            entries.append(Aborted(record.producer_id, first, record.offset))
    return tuple(entries)


def clean(
    records: Sequence[Record],
    index: Sequence[Aborted],
    dirty_offset: int,
    *,
    map_keys: int,
    now_ms: int,
    retention_ms: int,
    fixed: bool = False,
) -> Cleaned:
    """Return a segment after one pass whose offset map has room for `map_keys` keys.

    `now_ms` and `retention_ms` (delete.retention.ms) set and judge delete horizons, epoch ms.
    """
    newest, latest = _offset_map(records, index, dirty_offset, map_keys)
    upper = records[-1].offset + 1 if fixed and records else latest + 1
    known = [entry for entry in index if entry.first_offset < upper]
    steps = [f"the map takes {', '.join(newest) or 'no key'} and ends at offset {latest}"]
    if len(known) < len(index):
        steps.append(
            f"aborted transactions are looked up below offset {upper} only: {len(index) - len(known)} not seen"
        )
    kept: list[Record] = []
    written: list[Aborted] = []
    read: set[int] = set()
    for record in records:
        if record.marker is None:
            read.add(record.producer_id)
            reason = _superseded(record, known, newest, latest)
            kept += [record] if reason is None else []
            steps += [] if reason is None else [f"{record.key} at {record.offset} goes: {reason}"]
            continue
        had_data = record.producer_id in read
        read.discard(record.producer_id)
        entry = next((e for e in known if (e.producer_id, e.last_offset) == (record.producer_id, record.offset)), None)
        needed = had_data and (record.marker == "COMMIT" or entry is not None)
        if entry is not None and had_data:
            written.append(entry)
        stays = record if needed else _expiring(record, now_ms, retention_ms)
        kept += [] if stays is None else [stays]
        steps += _told(record, stays)
    return Cleaned(tuple(kept), tuple(written), latest + 1, tuple(steps))


def _offset_map(
    records: Sequence[Record], index: Sequence[Aborted], dirty_offset: int, map_keys: int
) -> tuple[dict[str, int], int]:
    """Return the newest offset of each key from the dirty offset on until the map is full, and the last offset seen."""
    newest: dict[str, int] = {}
    latest = dirty_offset - 1
    for record in records:
        if record.offset < dirty_offset:
            continue
        if record.marker is None and record.key is not None and not _covers(index, record):
            if record.key not in newest and len(newest) == map_keys:
                break
            newest[record.key] = record.offset
        latest = record.offset
    return newest, latest


def _superseded(record: Record, known: Sequence[Aborted], newest: dict[str, int], latest: int) -> str | None:
    """Return why a data record is removed, None if it stays; past the end of the map every record stays."""
    if _covers(known, record):
        return "aborted"
    if record.offset <= latest and newest.get(record.key or "", record.offset) > record.offset:
        return "a newer value is in the map"
    return None


def _expiring(marker: Record, now_ms: int, retention_ms: int) -> Record | None:
    """Return a marker without data as it is rewritten: with a delete horizon, or None if its horizon has passed."""
    if marker.delete_horizon_ms is None:
        return dataclasses.replace(marker, delete_horizon_ms=now_ms + retention_ms)
    return None if now_ms > marker.delete_horizon_ms else marker


def _told(marker: Record, stays: Record | None) -> list[str]:
    if stays is None:
        return [f"{marker.marker} at {marker.offset} goes: no data of its own was seen, and its horizon is over"]
    if stays != marker:
        return [f"{marker.marker} at {marker.offset} gets a delete horizon: no data of its own was seen"]
    return []


def _covers(index: Sequence[Aborted], record: Record) -> bool:
    return any(
        entry.producer_id == record.producer_id and entry.first_offset <= record.offset <= entry.last_offset
        for entry in index
    )


REPORTED = (
    Record(0, 0, "a"),
    Record(1, 0, "b"),
    Record(2, 0, marker="COMMIT"),
    Record(3, 0, "c"),
    Record(4, 0, "d"),
    Record(5, 0, marker="COMMIT"),
    Record(6, 1, "b"),
    Record(7, 1, marker="ABORT"),
)
"""The log of the original report: eight offsets, cleaned with an offset map of two keys."""


def reported_example(*, fixed: bool) -> tuple[Cleaned, ...]:
    """Return three passes over the reported log, one a day, with a delete.retention.ms of an hour."""
    records: tuple[Record, ...] = REPORTED
    index, dirty = transaction_index(REPORTED), 0
    passes: list[Cleaned] = []
    for day in range(3):
        done = clean(records, index, dirty, map_keys=2, now_ms=day * 86_400_000, retention_ms=3_600_000, fixed=fixed)
        records, index, dirty = done.records, done.index, done.dirty_offset
        passes.append(done)
    return tuple(passes)
