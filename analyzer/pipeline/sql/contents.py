"""The tables that a query may name, and the answers to SHOW TABLES and DESCRIBE, which need no engine."""

import difflib
import fnmatch
import functools
import re
from collections.abc import Iterable

from analyzer.errors import UsageError
from analyzer.lifecycles.logs.tables import PLACES, SEGMENT
from analyzer.lifecycles.tables import DERIVED
from analyzer.tables import TABLES, Column, Table

_SHOW = re.compile(r"\s*SHOW\s+TABLES(?:\s+(?:LIKE\s+)?(['\"])(?P<like>.*?)\1)?\s*;?\s*", re.IGNORECASE)
_DESCRIBE = re.compile(
    r"\s*DESC(?:RIBE)?\s+(?:TABLE\s+)?(?:EXTENDED\s+|FORMATTED\s+)?(?P<tick>`?)(?P<name>\w+)(?P=tick)\s*;?\s*",
    re.IGNORECASE,
)
_PLACE = ("capture", "replica", "segment", "path")
_NO_TABLE = frozenset({"query", "function", "database", "schema", "catalog", "namespace"})
"""Words after DESCRIBE that are no table."""

Answer = tuple[list[str], list[tuple[object, ...]]]


@functools.cache
def queryable() -> dict[str, tuple[Column, ...]]:
    """Return the columns of each table as a query sees them: facts with the place of their file."""
    shown = {table.name: _columns(table) for table in TABLES.values()}
    return {**shown, **{name: table.columns for name, table in DERIVED.items()}}


def answer(statement: str) -> Answer | None:
    """Return the columns and rows that answer SHOW TABLES or DESCRIBE, None for any other statement.

    Raises UsageError for a table that is none.
    """
    if shown := _SHOW.fullmatch(statement):
        return ["table", "kind", "what is in it"], _listed(shown["like"] or "*")
    described = _DESCRIBE.fullmatch(statement)
    if described is None or described["name"].lower() in _NO_TABLE:
        return None
    name = described["name"].lower()
    if name not in queryable():
        raise no_table(described["name"])
    return ["column", "type", "meaning"], [(one.name, one.type, one.meaning) for one in queryable()[name]]


def no_table(name: str) -> UsageError:
    """Return the error for a table that is none: with those whose names are nearest."""
    return UsageError(
        f"no table {name}.",
        wanted=f"one such as {', '.join(nearest(name, queryable()))}",
        do='txn-forensics sql "SHOW TABLES" --case CASE lists them',
    )


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three of these names, the most alike first."""
    return difflib.get_close_matches(name.lower(), sorted(set(known)), n=3, cutoff=0.0)


def _listed(like: str) -> list[tuple[object, ...]]:
    forms = [one.replace("%", "*").lower() for one in like.split("|")]
    names = [name for name in sorted(queryable()) if any(fnmatch.fnmatchcase(name, one) for one in forms)]
    return [(name, *_told(name)) for name in names]


def _told(name: str) -> tuple[str, str]:
    if name in TABLES:
        return TABLES[name].store, TABLES[name].meaning
    return "computed", DERIVED[name].meaning


def _columns(table: Table) -> tuple[Column, ...]:
    """Return what a query sees of a stored table, see `placing.placed`."""
    if table.store != "facts":
        return table.columns
    if table.name == "sections":
        return PLACES.columns
    by_name = {column.name: column for column in PLACES.columns} | {"segment": SEGMENT}
    own = {"topic", "partition"} & set(table.names)
    place = [
        Column(f"log_{one}" if own else one, by_name[one].type, f"{one} of the file's own log")
        for one in ("topic", "partition")
    ]
    return (*table.columns, *(by_name[one] for one in _PLACE), *place)
