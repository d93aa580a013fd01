"""Reads rows of a case on the driver: by delta-rs from a folder of this machine, otherwise through a session."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from analyzer.storage.arrow_files import rows_of
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

    def read(name: str, where: Mapping[str, Sequence[object]], columns: Sequence[str] | None = None) -> list[Row]:
        table = TABLES[name]
        if not all(where.values()):
            return []
        wanted = [(TABLE_COLUMN, "=", name), *((column, "in", list(values)) for column, values in where.items())]
        names = list(columns or table.names)

        def known(stored: Sequence[str]) -> list[str]:
            return [one for one in names if one in stored]

        rows = rows_of(f"{location.rstrip('/')}/{table.store}", known, wanted)
        older = dict.fromkeys(names)
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
