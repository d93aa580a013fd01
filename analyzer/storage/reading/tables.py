"""Some rows of a case as Arrow tables, from a folder of this machine: only the columns and row groups that matter."""

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from analyzer.storage.reading.folder import dataset_of
from analyzer.tables import STORES, TABLE_COLUMN, TABLES, arrow_schema
from analyzer.tables.model import Table

Condition = tuple[str, str, Any]
"""A column, one of `=`, `in`, `<`, `<=`, `>`, `>=`, `is null`, `is not null`, and a value, which these two ignore."""

PICKS = ("=", "in")
"""Conditions that few rows meet, those on the capture aside."""

Stored = Callable[..., pa.Table]
"""Takes the name of a table, conditions that all hold, and the columns wanted (None: all); returns an Arrow table."""


def tables_of_folder(location: str) -> Stored:
    """Return how to read a case where `locations.needs_no_session`; each Delta table is opened once."""

    @functools.cache
    def opened(store: str) -> Any:  # noqa: ANN401 - pyarrow is Any to us
        return dataset_of(f"{location.rstrip('/')}/{store}")

    def read(name: str, where: Sequence[Condition] = (), columns: Sequence[str] | None = None) -> pa.Table:
        table = TABLES[name]
        rows = opened(table.store)
        if rows is None or any(not value for _, how, value in where if how == "in"):
            return nothing_of(table, columns)
        known = [one for one in columns or table.names if one in rows.schema.names]
        condition = functools.reduce(
            lambda both, one: both & _for_arrow(*one), where, pc.field(TABLE_COLUMN) == table.name
        )
        if not any(how in PICKS and column not in {"capture", TABLE_COLUMN} for column, how, _ in where):
            return filled(rows.to_table(columns=known, filter=condition), table, columns)
        pieces = [one.to_table(rows.schema, columns=known, filter=condition) for one in _pieces(rows, condition)]
        return filled(pa.concat_tables(pieces), table, columns) if pieces else nothing_of(table, columns)

    return read


def _pieces(rows: Any, condition: Any) -> Iterator[Any]:  # noqa: ANN401 - pyarrow is Any to us
    """Yield the row groups that have such rows: to know that takes the columns of the condition alone."""
    for file in rows.get_fragments(filter=condition):
        for piece in file.split_by_row_group(condition, rows.schema):
            if piece.scanner(rows.schema, columns=[], filter=condition).count_rows():
                yield piece


def has_lookups(read: Stored, capture: str) -> bool:
    """Return whether the tables of look-ups were stored for this capture: older versions did not store them."""
    return any(read(table.name, [("capture", "=", capture)], ["capture"]).num_rows for table in STORES["lookups"])


def nothing_of(table: Table, columns: Sequence[str] | None) -> pa.Table:
    """Return these columns of a table without rows."""
    return arrow_schema(one for one in table.columns if columns is None or one.name in columns).empty_table()


def filled(rows: pa.Table, table: Table, columns: Sequence[str] | None) -> pa.Table:
    """Return the rows with exactly these columns, in order and with their types; those of older versions are null."""
    wanted = {one.name: one for one in table.columns}
    schema = arrow_schema(wanted[name] for name in columns or table.names)
    values = [rows[one.name] if one.name in rows.column_names else pa.nulls(rows.num_rows, one.type) for one in schema]
    return pa.table(values, names=schema.names).cast(schema)


COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda field, values: field.isin(list(values)),
}
"""The conditions that Arrow and Spark write alike, as functions of a field and a value."""


def _for_arrow(column: str, how: str, value: Any) -> Any:  # noqa: ANN401 - pyarrow is Any to us
    field = pc.field(column)
    nulls = {"is null": field.is_null, "is not null": field.is_valid}
    return nulls[how]() if how in nulls else COMPARED[how](field, value)
