"""Every table as data: its name, its key and its columns with their meaning. `schemas/*.ddl` is written from here."""

import pyarrow as pa

from analyzer.tables.catalog import (
    CAPTURE_FILES,
    CAPTURES,
    CATALOG,
    FILES,
    NO_KEYS,
    RAW_KINDS,
    TEXT_KINDS,
    KeyReading,
    Source,
)
from analyzer.tables.coverage_kinds import BLINDING_KINDS, COVERAGE_KINDS
from analyzer.tables.facts import FACTS, FACTS_VERSION
from analyzer.tables.model import ARROW_TYPES, Column, Table, arrow_schema, ddl_of, union_columns
from analyzer.tables.results import RESULTS

STORES: dict[str, tuple[Table, ...]] = {"catalog": CATALOG, "facts": FACTS, "results": RESULTS}
"""The Delta tables of a case, each holding the rows of several tables side by side."""

TABLE_COLUMN = "table"
"""The column of a Delta table that says whose a row is."""

TABLES: dict[str, Table] = {table.name: table for tables in STORES.values() for table in tables}

__all__ = [
    "ARROW_TYPES",
    "BLINDING_KINDS",
    "CAPTURES",
    "CAPTURE_FILES",
    "COVERAGE_KINDS",
    "FACTS_VERSION",
    "FILES",
    "NO_KEYS",
    "RAW_KINDS",
    "STORES",
    "TABLES",
    "TABLE_COLUMN",
    "TEXT_KINDS",
    "Column",
    "KeyReading",
    "Source",
    "Table",
    "arrow_schema",
    "ddl_of",
    "store_columns",
    "store_schema",
]


def store_columns(store: str) -> tuple[Column, ...]:
    """Return the columns of a Delta table's rows: `table`, then each column of its tables once."""
    return Column(TABLE_COLUMN, "string", "whose row it is"), *union_columns(STORES[store])


def store_schema(store: str) -> pa.Schema:
    """Return the Arrow schema of a Delta table's rows."""
    return arrow_schema(store_columns(store))
