"""What a table is: a name, a key, and columns with their meaning, as plain data."""

import dataclasses
from collections.abc import Iterable, Iterator

import pyarrow as pa

DERIVED = "derived"
"""What stands for the Delta table of a table that is computed and never stored."""

ARROW_TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "int": pa.int32(),
    "boolean": pa.bool_(),
    "double": pa.float64(),
    "array<string>": pa.list_(pa.string()),
    "array<int>": pa.list_(pa.int32()),
}


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its Spark SQL type and what its values mean (with the unit)."""

    name: str
    type: str
    meaning: str


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """A table of a case; `store` names the Delta table that holds its rows."""

    name: str
    store: str
    key: tuple[str, ...]
    meaning: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def ddl(self) -> str:
        """The schema as a Spark DDL string, `name type, name type`."""
        return ddl_of(self.columns)

    def create_statement(self) -> str:
        """Return the text of `schemas/<name>.ddl`: one commented column a line."""
        rows = (
            "computed when a query names it"
            if self.store == DERIVED
            else f"rows live in the Delta table `{self.store}`"
        )
        head = f"-- {self.meaning}\n-- key: {', '.join(self.key)}\n-- {rows}\n"
        body = ",\n".join(f"  `{c.name}` {_written(c.type)} COMMENT '{_quoted(c.meaning)}'" for c in self.columns)
        return f"{head}CREATE TABLE {self.name} (\n{body}\n);\n"


def _written(kind: str) -> str:
    """Return a type in capitals, as SQL is written; the fields of a struct keep their names."""
    return kind if "struct<" in kind else kind.upper()


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def union_columns(tables: tuple[Table, ...]) -> Iterator[Column]:
    """Yield each column name of the tables once, in the order first met."""
    seen: set[str] = set()
    for table in tables:
        for column in table.columns:
            if column.name not in seen:
                seen.add(column.name)
                yield column


def ddl_of(columns: Iterable[Column]) -> str:
    """Return the Spark DDL string of these columns, `name type, name type`."""
    return ", ".join(f"`{column.name}` {column.type}" for column in columns)


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """Return the Arrow schema of these columns, all nullable."""
    return pa.schema([pa.field(column.name, ARROW_TYPES[column.type]) for column in columns])
