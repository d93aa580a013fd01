"""Picks whole rows of a group, such as its first, without comparing structs: engines do that value by value.

A row is picked by a flag, true for at most one row of the group. Its columns are aggregated one by one, and put
together afterwards.
"""

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import ref

PLACES = {"ref": ("path", "line", "byte_offset", "record"), "batch_ref": ("path", "line", "byte_offset")}
"""The columns that point to what a fact rests on, with the fields that say so; batches are no records."""


def fields_at(flag: str, names: Sequence[str]) -> list[Column]:
    """Return aggregates: these columns of the row where `flag` is true, each named after both."""
    columns = {name: F.col(name) for name in names if name not in PLACES}
    columns |= {f"{name}_{part}": F.col(name)[part] for name in names for part in PLACES.get(name, ())}
    return [F.max(F.when(F.col(flag), column)).alias(f"{flag}_{name}") for name, column in columns.items()]


def row_at(flag: str, names: Sequence[str]) -> Column:
    """Return what `fields_at` aggregated as a struct of these names, null where no row is picked: the first tells."""
    row = F.struct(*[field_at(flag, name).alias(name) for name in names])
    return F.when(F.col(f"{flag}_{names[0]}").isNotNull(), row)


def field_at(flag: str, name: str) -> Column:
    """Return one column of the picked row."""
    parts = [f"{flag}_{name}_{part}" for part in PLACES.get(name, ())]
    return ref(*parts) if parts else F.col(f"{flag}_{name}")
