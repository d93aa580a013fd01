"""Reads a segment, or a part of one, into the rows that a dump of it gives.

A `.log` file is one batch after another; every row names the byte position of its batch.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.parse.contents.keyed_batches import KeyedRecords
from analyzer.parse.contents.record import Collector, Decode, EachRecord
from analyzer.parse.rows import Array, Rows
from analyzer.parse.segments.batch_headers import Columns, headers, legacy_columns, v2_columns
from analyzer.parse.segments.byte_layout import PREFIX_BYTES, Fields, Flags, Ints, wide
from analyzer.parse.segments.chain import Damage, Stretch, walk
from analyzer.parse.segments.checksums import holds
from analyzer.parse.segments.fields import BROKEN
from analyzer.parse.segments.internal_topics import offsets_row, transaction_row
from analyzer.parse.segments.metadata_values import metadata_row
from analyzer.parse.segments.plain_states import plain_states
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.records import records_of
from analyzer.tables import NO_KEYS, KeyReading

Plain = Callable[[memoryview, Ints, int], tuple[Flags, Columns]]
"""Which batches at these positions of the data are plain, and the columns of `coordinator_states` of their records.

The number is where the data begins in the segment.
"""


def _each(decode: Decode) -> Callable[[Rows], Collector]:
    return functools.partial(EachRecord, decode)


@dataclasses.dataclass(frozen=True, slots=True)
class Contents:
    """What the records of a file are: the section's decoder, and how a record becomes a row."""

    decoder: str = "none"
    collector: Callable[[Rows], Collector] | None = None
    of_batch: tuple[str, ...] = ("producer_id", "producer_epoch", "is_transactional")
    """The columns of a record's batch that its row needs."""
    controls: bool = False
    """Whether control records are decoded as well."""
    plain: Plain | None = None
    section_kind: str = "log"


_METADATA = Contents("metadata", _each(metadata_row), ("partition_leader_epoch", "is_control"), controls=True)
CONTENTS: dict[str, Contents] = {
    "segment": Contents(),
    "transaction_segment": Contents("transaction", _each(transaction_row), plain=plain_states),
    "offsets_segment": Contents("offsets", _each(offsets_row)),
    "metadata_segment": _METADATA,
    "metadata_checkpoint": dataclasses.replace(_METADATA, section_kind="checkpoint"),
}
"""By kind of file."""


@dataclasses.dataclass(slots=True)
class _Totals:
    """What the segment holds up to where it was walked."""

    batches: int = 0
    records: int = 0
    last_offset: int = -1
    faults: list[tuple[str, int]] = dataclasses.field(default_factory=list)


PAUSE_ROWS = 65_536
"""How many rows of records are collected before they may be taken: a stretch may hold millions."""


def read_segment(
    file: RawBytes,
    kind: str,
    rows: Rows,
    *,
    part: tuple[int, int | None] = (0, None),
    check_crc: bool = True,
    keys: KeyReading = NO_KEYS,
) -> Iterator[None]:
    """Read the batches that begin in `part` of a segment into rows; each yield is a point where rows may be taken.

    Every part is walked from the segment's first byte, so that the batches are the same however the segment is split.
    The last part, without an end, adds the section. Damage belongs to the part in which it begins. What a file that
    shrinks meanwhile has lost is a `cut_tail`, and the section's note says so.
    """
    start, stop = part
    contents = CONTENTS[kind]
    if kind == "segment" and keys.wanted():
        contents = dataclasses.replace(contents, collector=functools.partial(KeyedRecords, whole=keys.whole))
    totals = _Totals()
    for stretch in walk(file, stop):
        head = headers(stretch.data, stretch.positions, legacy=stretch.legacy)
        for damage in _count(head, stretch, totals):
            if damage.position >= start:
                _add_damage(damage, rows, stop)
        edges = (start, file.opened_size if stop is None else stop)
        low, high = np.searchsorted(stretch.positions + stretch.base, edges)
        if high > low:
            inside = stretch.positions[low:high]
            read = legacy_columns if stretch.legacy else v2_columns
            columns = read(stretch.data, inside, head[low:high], base=stretch.base, check_crc=check_crc)
            rows.add_columns("batches", columns, len(inside))
            yield from _decode(stretch, inside, columns, contents, rows, totals)
        if stretch.damage is not None and stretch.damage.position >= start:
            _add_damage(stretch.damage, rows, stop)
        yield
    lost = _lost(file, start, stop)
    if lost is not None:
        totals.faults.append((lost.kind, lost.position))
        _add_damage(lost, rows, stop)
    if stop is None:
        _add_section(totals, contents, rows, file.fault)
        yield


def _lost(file: RawBytes, start: int, stop: int | None) -> Damage | None:
    """Return the bytes of the part that could not be read because the file shrank or its disk failed, else None."""
    if file.fault is None and start > file.size:
        file.fault = f"the file shrank to {file.size} bytes before byte {start} was read"
    at = max(file.size, start)
    if file.fault is None or (stop is not None and at >= stop):
        return None
    return Damage("cut_tail", at, max(file.opened_size - at, 0), None, None)


def _count(head: Fields, stretch: Stretch, totals: _Totals) -> list[Damage]:
    """Add the stretch, with its headers, to the totals; return batches whose offsets are not after those before them.

    The checksum does not cover the base offset (DefaultRecordBatch), so nothing else shows that it is damaged. Where
    that of a batch or of the one before it is wrong, their offsets show nothing.
    """
    positions = stretch.positions + stretch.base
    totals.batches += len(positions)
    if stretch.legacy:
        first, last = wide(head["offset"]), wide(head["offset"])
        totals.records += len(positions)
    else:
        first = wide(head["base_offset"])
        last = first + head["last_offset_delta"]
        totals.records += int(head["count"].clip(0).sum())
    before = np.concatenate((np.asarray([totals.last_offset], np.int64), last[:-1]))[: len(last)]
    beside = [slice(max(at - 1, 0), at + 1) for at in np.flatnonzero(first <= before).tolist()]
    wrong = [two.stop - 1 for two in beside if all(holds(stretch.data, at) for at in stretch.positions[two].tolist())]
    backwards = [
        Damage(
            "bad_offset", int(positions[at]), int(head["length"][at]) + PREFIX_BYTES, int(before[at]), int(first[at])
        )
        for at in wrong
    ]
    totals.last_offset = int(last[-1]) if len(last) else totals.last_offset
    totals.faults += [(damage.kind, damage.position) for damage in backwards]
    if stretch.damage is not None:
        totals.faults.append((stretch.damage.kind, stretch.damage.position))
    return backwards


def _add_damage(damage: Damage, rows: Rows, stop: int | None) -> None:
    if stop is None or damage.position < stop:
        rows.add(
            "damaged_ranges",
            (0, None, damage.position),
            damage=damage.kind,
            bytes=damage.bytes,
            offset_before=damage.offset_before,
            offset_after=damage.offset_after,
        )


def _decode(
    stretch: Stretch, positions: Ints, columns: Columns, contents: Contents, rows: Rows, totals: _Totals
) -> Iterator[None]:
    """Add the rows of the records of batches whose checksum holds, plain ones at once, the others one by one.

    A batch that cannot be decoded is damage. Nothing is read where no record has a table.
    """
    if contents.collector is None:
        return
    collector = contents.collector(rows)
    sound = _plain(columns["crc_valid"]) if "crc_valid" in columns else np.ones(len(positions), np.bool_)
    chosen = np.flatnonzero(sound if contents.controls else sound & ~_plain(columns["is_control"]))
    if contents.plain is not None and not stretch.legacy:
        plain, of_plain = contents.plain(stretch.data, positions[chosen], stretch.base)
        rows.add_columns("coordinator_states", of_plain, int(plain.sum()))
        chosen = chosen[~plain]
    names = ("size", *contents.of_batch)
    read = [chosen, positions[chosen], *(_plain(columns[name])[chosen] for name in names)]
    for index, at, size, *of_batch in zip(*(values.tolist() for values in read), strict=True):
        position = stretch.base + at
        records = records_of(stretch.data[at : at + size])
        try:
            collector.add(position, records or (), of_batch)
        except BROKEN:
            records = None
        if records is None:
            totals.faults.append(("undecoded", position))
            first, last = (columns[name][index].as_py() for name in ("base_offset", "last_offset"))
            before = None if first is None else first - 1
            _add_damage(Damage("undecoded", position, size, before, last + 1), rows, None)
        if rows.count >= PAUSE_ROWS:
            yield
    collector.hand_on()


def _plain(column: Array) -> npt.NDArray[Any]:
    """Return a column without nulls as a numpy array."""
    values: npt.NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


_OF_RAW = dict.fromkeys((
    "dumped_path", "dumped_topic", "dumped_partition", "dumped_replica", "segment", "layout", "decoder", "deep",
    "last_line",
))  # fmt: skip
"""What only a tool prints, or what is not told of a raw file."""


def _add_section(totals: _Totals, contents: Contents, rows: Rows, fault: str | None) -> None:
    said = [f"{kind} at byte {position}" for kind, position in totals.faults[:5]]
    note = "; ".join([*([fault] if fault else []), *said]) or None
    cut = any(kind != "zero_tail" for kind, _ in totals.faults)
    deep = totals.batches > 0 or None
    ending = "cut" if cut else "complete"
    counts = {"batches": totals.batches, "records": totals.records}
    of_file = _OF_RAW | {"kind": contents.section_kind, "decoder": contents.decoder, "deep": deep, "ending": ending}
    rows.add("sections", (0, None, 0), **of_file, **counts, note=note)


def add_plain_section(kind: str, entries: int, faults: list[tuple[str, int, int]], rows: Rows) -> None:
    """Add the section of a snapshot or transaction index, and its faults (damage, position, bytes)."""
    for damage, position, size in faults:
        _add_damage(Damage(damage, position, size, None, None), rows, None)
    note = "; ".join(f"{damage} at byte {position}" for damage, position, _ in faults) or None
    ending = "cut" if faults else "complete"
    of_file = _OF_RAW | {"kind": kind, "ending": ending, "batches": entries, "records": 0, "note": note}
    rows.add("sections", (0, None, 0), **of_file)
