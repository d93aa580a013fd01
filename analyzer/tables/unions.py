"""Rows of two tables under one another, where either may lack columns of the other."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, functions as F
from pyspark.sql.types import StructField


def union_filled(first: DataFrame, second: DataFrame) -> DataFrame:
    """Return the rows of both, by column name; what one lacks is null, of the type that the other gives it.

    `unionByName(allowMissingColumns=True)` leaves the type of a missing struct to the engine, and Sail gives it none.
    """
    own, other = ({field.name: field for field in frame.schema.fields} for frame in (first, second))
    return _filled(first, own, other).unionByName(_filled(second, other, own))


def among(own: DataFrame, others: DataFrame, **columns: Column) -> DataFrame:
    """Return the own rows with columns that are counted over these and the others together."""
    both = union_filled(own.withColumn("own", F.lit(True)), others)
    return both.withColumns(columns).where("own").drop("own")


def _filled(frame: DataFrame, own: dict[str, StructField], wanted: dict[str, StructField]) -> DataFrame:
    """Return the frame with typed nulls for the wanted fields that it does not have."""
    missing = [F.lit(None).cast(field.dataType).alias(name) for name, field in wanted.items() if name not in own]
    return frame.select("*", *missing) if missing else frame


def union_all(frames: Sequence[DataFrame]) -> DataFrame:
    """Return the rows of all frames, which have the same columns, as a plan that is no deeper than it must be.

    A chain of unions nests as many levels as there are frames, and a plan that is nested too deeply cannot be sent to
    the engine.
    """
    level = list(frames)
    while len(level) > 1:
        pairs = [level[place : place + 2] for place in range(0, len(level), 2)]
        level = [pair[0].unionByName(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    return level[0]
