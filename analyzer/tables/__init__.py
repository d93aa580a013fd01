"""Every table as data: its name, its key and its columns with their meaning. `schemas/*.ddl` is written from here."""

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
from analyzer.tables.facts import FACTS, FACTS_VERSION
from analyzer.tables.model import ARROW_TYPES, Column, Table, arrow_schema, union_columns
from analyzer.tables.results import RESULTS

STORES: dict[str, tuple[Table, ...]] = {"catalog": CATALOG, "facts": FACTS, "results": RESULTS}
"""The Delta tables of a case, each holding the rows of several tables side by side."""

TABLES: dict[str, Table] = {table.name: table for tables in STORES.values() for table in tables}

__all__ = [
    "ARROW_TYPES",
    "CAPTURES",
    "CAPTURE_FILES",
    "FACTS_VERSION",
    "FILES",
    "NO_KEYS",
    "RAW_KINDS",
    "STORES",
    "TABLES",
    "TEXT_KINDS",
    "Column",
    "KeyReading",
    "Source",
    "Table",
    "arrow_schema",
    "union_columns",
]
