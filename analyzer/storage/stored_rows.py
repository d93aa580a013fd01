"""Reads rows of a case on the driver: by delta-rs from a folder of this machine, otherwise through a session."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from analyzer.storage.case import Case
from analyzer.tables import TABLE_COLUMN, TABLES

Row = dict[str, Any]


class StoredRows(Protocol):
    """How to read rows of a case."""

    def __call__(
        self, name: str, where: Mapping[str, Sequence[object]], columns: Sequence[str] | None = None
    ) -> list[Row]:
        """Return these columns of a table's rows with these values, none where nothing was written yet."""


def rows_of_folder(location: str) -> StoredRows:
    """Return how to read a case where `locations.needs_no_session`."""
    from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

    def read(name: str, where: Mapping[str, Sequence[object]], columns: Sequence[str] | None = None) -> list[Row]:
        table = TABLES[name]
        path = f"{location.rstrip('/')}/{table.store}"
        if not DeltaTable.is_deltatable(path) or not all(where.values()):
            return []
        wanted = [(TABLE_COLUMN, "=", name), *((column, "in", list(values)) for column, values in where.items())]
        delta, names = DeltaTable(path), list(columns or table.names)
        known = {field.name for field in delta.schema().fields}
        rows = delta.to_pyarrow_table(columns=[one for one in names if one in known], filters=wanted)
        older = dict.fromkeys(one for one in names if one not in known)
        return [{**older, **row} for row in rows.to_pylist()]

    return read


def rows_of_case(case: Case) -> StoredRows:
    """Return how to read an open case."""

    def read(name: str, where: Mapping[str, Sequence[object]], columns: Sequence[str] | None = None) -> list[Row]:
        rows = case.read(name)
        for column, values in where.items():
            rows = rows.where(rows[column].isin(*values))
        return [row.asDict(recursive=True) for row in rows.select(*(columns or TABLES[name].names)).collect()]

    return read
