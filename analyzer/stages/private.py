"""The columns of the private tables, which nobody declares: `make stages` writes them down from the stages themselves.

An engine could be asked for them, which takes as long as computing a small table.
"""

import functools
import json
from importlib import resources

from analyzer.tables import Column, Table
from analyzer.tables.model import DERIVED

FILE = "private_tables.json"
"""The types of the columns by their names, by the name of the table."""


def private_table(name: str) -> Table | None:
    """Return what a private table has; None for one that is not written down."""
    columns = _tables().get(name)
    if columns is None:
        return None
    return Table(name, DERIVED, (), "", tuple(Column(one, kind, "") for one, kind in columns.items()))


@functools.cache
def _tables() -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    tables: dict[str, dict[str, str]] = json.loads(text)
    return tables
