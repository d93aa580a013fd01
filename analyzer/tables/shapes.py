"""What a declared table looks like to an engine: Spark's types of its columns, and rows that are held to it.

No engine is asked for the types: behind Spark Connect, that is a question to a server.
"""

import functools
from collections.abc import Iterator

from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from analyzer.tables.model import Table

_SIMPLE: dict[str, DataType] = {
    "bigint": LongType(),
    "boolean": BooleanType(),
    "double": DoubleType(),
    "int": IntegerType(),
    "string": StringType(),
}


@functools.cache
def shape_of(table: Table) -> StructType:
    """Return the columns of a table, all nullable. Raises KeyError for a type that no table of ours has."""
    return StructType([StructField(column.name, _type_of(column.type)) for column in table.columns])


def _type_of(kind: str) -> DataType:
    """Return the type that Spark writes so, `array<struct<name:string>>` for example."""
    outer, _, inner = kind.removesuffix(">").partition("<")
    if outer == "array":
        return ArrayType(_type_of(inner))
    if outer == "struct":
        named = (field.partition(":") for field in _fields(inner))
        return StructType([StructField(name, _type_of(of)) for name, _, of in named])
    return _SIMPLE[kind]


def _fields(inner: str) -> Iterator[str]:
    """Yield what commas part that stand in no further brackets."""
    depth = start = 0
    for at, letter in enumerate(inner):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            yield inner[start:at]
            start = at + 1
    yield inner[start:]


class BrokenDeclaration(TypeError):
    """A stage gives other columns than its table declares: a mistake of ours, whatever the input."""


def hold_to(table: Table, rows: DataFrame) -> None:
    """Raise BrokenDeclaration, which names the stage and the difference, unless the rows are as the table declares."""
    given = dict(rows.dtypes)
    told = {column.name: column.type for column in table.columns}
    if given == told and len(given) == len(rows.columns):
        return
    faults = [
        f"{name} is {given[name]}, declared {told[name]}" for name in told if given.get(name, told[name]) != told[name]
    ]
    faults += [f"{name} is missing" for name in told if name not in given]
    faults += [f"{name} is not declared" for name in given if name not in told]
    faults += ["a column is there twice"] if len(given) < len(rows.columns) else []
    raise BrokenDeclaration(f"the stage of {table.name} gives other columns than declared: {'; '.join(faults)}")
