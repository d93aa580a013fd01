"""Rows of a case as dicts, from a folder of this machine."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from analyzer.storage.reading.folder import rows_of
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
