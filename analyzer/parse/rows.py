"""Collects rows and columns of the fact tables and hands them on as Arrow batches of one schema."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from analyzer.tables import ARROW_TYPES, TABLES, store_schema
from analyzer.tables.fact_columns import PLACE, RECORD

SCHEMA = store_schema("facts")
"""`table` first, then every column of every fact table once."""

KINDS = sorted({field.type for field in SCHEMA}, key=str)
FIELDS = [(field.name, KINDS.index(field.type)) for field in SCHEMA]
"""The name of each column, and which of KINDS it is of."""

Place = tuple[int, int | None, int]
"""section, line and byte_offset of a row."""
Row = tuple[str, tuple[object, ...]]
"""A table, and its columns after the place in their order, without `record`."""

_OWN = {
    name: tuple(column for column in table.names[len(PLACE) :] if column != RECORD.name)
    for name, table in TABLES.items()
    if table.columns[: len(PLACE)] == PLACE
}
"""The columns of each fact table that its rows give: not the place, not the number of the record."""
_NAMES = {name: frozenset(columns) for name, columns in _OWN.items()}
_HAS_RECORD = frozenset(name for name in _OWN if RECORD in TABLES[name].columns)

Array = Any
"""An Arrow array of any type; the stubs have a class of its own for each element type."""

SHARED_BATCH_ROWS = 8_192
"""Up to this many rows, several tables share one Arrow batch: many files have only a few rows."""


class BrokenRow(TypeError):
    """A reader gives other columns than the table has: a mistake of ours, whatever the input."""


class Rows:
    """Rows that were read and not yet taken."""

    def __init__(self, file_id: str) -> None:
        """Start empty; every row gets this file_id."""
        self._file_id = file_id
        self._tuples: dict[str, list[tuple[object, ...]]] = {}
        self._columns: list[tuple[str, dict[str, Array], int]] = []
        self.count = 0

    def add(self, table: str, place: Place, **own: object) -> None:
        """Add one row with its columns by name. Raises BrokenRow if one is missing or not the table's."""
        if own.keys() != _NAMES[table]:
            raise BrokenRow(f"a row of {table} has other columns than the table: {sorted(own.keys() ^ _NAMES[table])}")
        self.add_row((table, tuple(own[name] for name in _OWN[table])), place)

    def add_row(self, row: Row, place: Place, record: int | None = None) -> None:
        """Add one row with its columns in their order; `record`: which of its batch it is told by, in raw segments.

        Raises BrokenRow unless there are as many as the table has: a forgotten one would shift those after it.
        """
        table, own = row
        if len(own) != len(_OWN[table]):
            raise BrokenRow(f"a row of {table} has {len(own)} columns, the table {len(_OWN[table])}")
        values = (*place, *own, record) if table in _HAS_RECORD else (*place, *own)
        self._tuples.setdefault(table, []).append(values)
        self.count += 1

    def add_columns(self, table: str, columns: dict[str, Array], count: int) -> None:
        """Add `count` rows as columns; a column that is missing is null."""
        self._columns.append((table, columns, count))
        self.count += count

    def take(self, rows_per_batch: int) -> Iterator[pa.RecordBatch]:
        """Yield all rows as batches of at most `rows_per_batch` rows and forget them."""
        chunks = [self._conform(*part) for part in self._columns]
        for table, rows in self._tuples.items():
            chunks += [self._transposed(table, part) for part in _parts(rows, rows_per_batch)]
        share = len(chunks) > 1 and self.count <= min(SHARED_BATCH_ROWS, rows_per_batch)
        self._tuples, self._columns, self.count = {}, [], 0
        if share:
            chunks = pa.Table.from_batches(chunks).combine_chunks().to_batches()
        for chunk in chunks:
            for start in range(0, chunk.num_rows, rows_per_batch):
                yield chunk.slice(start, rows_per_batch)

    def _transposed(self, table: str, rows: list[tuple[object, ...]]) -> pa.RecordBatch:
        columns = TABLES[table].columns[1:]
        arrays = {
            column.name: pa.array(values, ARROW_TYPES[column.type])
            for column, values in zip(columns, zip(*rows, strict=True), strict=True)
        }
        return self._conform(table, arrays, len(rows))

    def _conform(self, table: str, columns: dict[str, Array], count: int) -> pa.RecordBatch:
        named = columns | {"table": pa.repeat(table, count), "file_id": pa.repeat(self._file_id, count)}
        missing = [_nulls(kind, count) for kind in KINDS]
        arrays = [named[name] if name in named else missing[kind] for name, kind in FIELDS]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _nulls(kind: pa.DataType, count: int) -> Array:
    """Return nulls; columns of one type share them: most columns are those of other tables."""
    known = _NULLS.get(kind)
    if known is None or len(known) < count:
        known = _NULLS[kind] = pa.nulls(count, kind)
    return known.slice(0, count)


_NULLS: dict[pa.DataType, Array] = {}


def _parts(rows: list[tuple[object, ...]], size: int) -> Iterator[list[tuple[object, ...]]]:
    rest = iter(rows)
    while part := list(islice(rest, size)):
        yield part


LIMITS = {"int": 1 << 31, "bigint": 1 << 63}


def within(number: int | None, kind: str) -> int | None:
    """Return the number, None if a column of this type ("int" or "bigint") cannot hold it."""
    return number if number is not None and -LIMITS[kind] <= number < LIMITS[kind] else None


def json_number(value: object, kind: str) -> int | None:
    """Return a JSON number, also one printed as a string, None for anything else."""
    if type(value) is int:
        return within(value, kind)
    try:
        return within(int(value), kind)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return None
