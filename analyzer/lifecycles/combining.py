"""Combines what was made of each share of many rows: the first few of each group, and sums."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def first_of_each(rows: DataFrame, group: Sequence[str], order: Sequence[str], limit: int) -> DataFrame:
    """Return the first `limit` rows of each group, with `turn` from 1 on; of all shares, the first of these are it."""
    turn = F.row_number().over(Window.partitionBy(*group).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= limit)


def summed(counts: DataFrame, group: Sequence[str], *names: str) -> DataFrame:
    """Return the sums of these columns for each group."""
    return counts.groupBy(*group).agg(*[F.sum(name).alias(name) for name in names])
