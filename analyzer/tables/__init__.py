"""Every table as data: its name, its key and its columns with their meaning. `schemas/*.ddl` is written from here."""

from analyzer.tables.catalog import (
    CAPTURE_FILES,
    CAPTURES,
    FILES,
    MAY_MATTER,
    NO_KEYS,
    NO_REPLICA,
    RAW_KINDS,
    RAW_SEGMENTS,
    TEXT_KINDS,
    UNREAD_KINDS,
    KeyReading,
    Source,
)
from analyzer.tables.coverage_kinds import BLINDING_KINDS, COVERAGE_KINDS
from analyzer.tables.facts import FACTS_VERSION, NO_EVIDENCE
from analyzer.tables.layout import PARTITIONED_BY, STORES, TABLE_COLUMN, store_columns, store_schema
from analyzer.tables.model import ARROW_TYPES, Column, Table, arrow_schema, ddl_of

TABLES: dict[str, Table] = {table.name: table for tables in STORES.values() for table in tables}

__all__ = [
    "ARROW_TYPES",
    "BLINDING_KINDS",
    "CAPTURES",
    "CAPTURE_FILES",
    "COVERAGE_KINDS",
    "FACTS_VERSION",
    "FILES",
    "MAY_MATTER",
    "NO_EVIDENCE",
    "NO_KEYS",
    "NO_REPLICA",
    "PARTITIONED_BY",
    "RAW_KINDS",
    "RAW_SEGMENTS",
    "STORES",
    "TABLES",
    "TABLE_COLUMN",
    "TEXT_KINDS",
    "UNREAD_KINDS",
    "Column",
    "KeyReading",
    "Source",
    "Table",
    "arrow_schema",
    "ddl_of",
    "store_columns",
    "store_schema",
]
