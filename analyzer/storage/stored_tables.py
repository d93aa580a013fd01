"""Reads some rows of a case as Arrow tables: from a folder of this machine without a session, otherwise through one."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.storage.arrow_files import dataset_of
from analyzer.storage.case import Case
from analyzer.tables import STORES, TABLE_COLUMN, TABLES, arrow_schema
from analyzer.tables.model import Table

Condition = tuple[str, str, Any]
"""A column, one of `=`, `in`, `<`, `<=`, `>`, `>=`, `is null`, `is not null`, and a value, which these two ignore."""

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
            return _nothing(table, columns)
        known = [one for one in columns or table.names if one in rows.schema.names]
        condition = functools.reduce(
            lambda both, one: both & _for_arrow(*one), where, ds.field(TABLE_COLUMN) == table.name
        )
        return _filled(rows.to_table(columns=known, filter=condition), table, columns)

    return read


def tables_of_case(case: Case) -> Stored:
    """Return how to read an open case."""

    def read(name: str, where: Sequence[Condition] = (), columns: Sequence[str] | None = None) -> pa.Table:
        if any(not value for _, how, value in where if how == "in"):
            return _nothing(TABLES[name], columns)
        rows: DataFrame = case.read(name)
        for one in where:
            rows = rows.where(_for_spark(*one))
        return _filled(rows.select(*(columns or TABLES[name].names)).toArrow(), TABLES[name], columns)

    return read


def has_lookups(read: Stored, capture: str) -> bool:
    """Return whether the tables of look-ups were stored for this capture: older versions did not store them."""
    return any(read(table.name, [("capture", "=", capture)], ["capture"]).num_rows for table in STORES["lookups"])


def _nothing(table: Table, columns: Sequence[str] | None) -> pa.Table:
    return arrow_schema(one for one in table.columns if columns is None or one.name in columns).empty_table()


def _filled(rows: pa.Table, table: Table, columns: Sequence[str] | None) -> pa.Table:
    """Return the rows with exactly these columns, in order and with their types; those of older versions are null."""
    wanted = {one.name: one for one in table.columns}
    schema = arrow_schema(wanted[name] for name in columns or table.names)
    values = [rows[one.name] if one.name in rows.column_names else pa.nulls(rows.num_rows, one.type) for one in schema]
    return pa.table(values, names=schema.names).cast(schema)


def _for_arrow(column: str, how: str, value: Any) -> Any:  # noqa: ANN401 - pyarrow is Any to us
    field = ds.field(column)
    conditions: dict[str, Callable[[], Any]] = {
        "=": lambda: field == value,
        "<": lambda: field < value,
        "<=": lambda: field <= value,
        ">": lambda: field > value,
        ">=": lambda: field >= value,
        "in": lambda: field.isin(list(value)),
        "is null": field.is_null,
        "is not null": field.is_valid,
    }
    return conditions[how]()


def _for_spark(column: str, how: str, value: Any) -> SparkColumn:  # noqa: ANN401 - a value of any column
    field = F.col(column)
    conditions: dict[str, Callable[[], SparkColumn]] = {
        "=": lambda: field == value,
        "<": lambda: field < value,
        "<=": lambda: field <= value,
        ">": lambda: field > value,
        ">=": lambda: field >= value,
        "in": lambda: field.isin(*value),
        "is null": field.isNull,
        "is not null": field.isNotNull,
    }
    return conditions[how]()
