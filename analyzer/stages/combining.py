"""Combines what was made of each share of many rows: the first few of each group, and counts."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window, functions as F


def first_of_each(rows: DataFrame, group: Sequence[str], order: Sequence[Column | str], limit: int) -> DataFrame:
    """Return the first `limit` rows of each group in this order, with `turn`, their number from 1 on.

    The first few of the first few of each share are the first few of all shares.
    """
    turn = F.row_number().over(Window.partitionBy(*group).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= limit)


def added_up(counts: DataFrame, group: Sequence[str]) -> DataFrame:
    """Return the counts of each group, added up over all shares; no share may count what another one counts."""
    return counts.groupBy(*group).agg(*[F.sum(name).alias(name) for name in counts.columns if name not in group])
