"""How the tables are laid out in Delta: which Delta table holds whose rows, with which columns, partitioned by what."""

import pyarrow as pa

from analyzer.tables.catalog import CATALOG
from analyzer.tables.facts import FACTS
from analyzer.tables.lookup_tables import LOOKUPS
from analyzer.tables.model import Column, Table, arrow_schema, union_columns
from analyzer.tables.results import RESULTS

STORES: dict[str, tuple[Table, ...]] = {"catalog": CATALOG, "facts": FACTS, "results": RESULTS, "lookups": LOOKUPS}
"""The Delta tables of a case, each holding the rows of several tables side by side."""

TABLE_COLUMN = "table"
"""The column of a Delta table that says whose a row is."""

PARTITIONED_BY: dict[str, tuple[str, ...]] = {"catalog": (), "facts": (TABLE_COLUMN,), "results": (), "lookups": ()}
"""By what each Delta table is partitioned."""


def store_columns(store: str) -> tuple[Column, ...]:
    """Return the columns of a Delta table's rows: `table`, then each column of its tables once."""
    return Column(TABLE_COLUMN, "string", "whose row it is"), *union_columns(STORES[store])


def store_schema(store: str) -> pa.Schema:
    """Return the Arrow schema of a Delta table's rows."""
    return arrow_schema(store_columns(store))
