"""Combines what was made of each share of many rows: the first few of each group, and counts."""

from collections.abc import Callable, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.inputs import ByShares, Step

Rows = Callable[[Step], DataFrame]
"""Makes rows of one share, which the given step picks."""


def first_of_each(rows: DataFrame, group: Sequence[str], order: Sequence[Column | str], limit: int) -> DataFrame:
    """Return the first `limit` rows of each group in this order, with `turn`, their number from 1 on."""
    turn = F.row_number().over(Window.partitionBy(*group).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= limit)


def first_in_shares(
    in_shares: ByShares, rows: Rows, group: Sequence[str], order: Sequence[str], limit: int
) -> DataFrame:
    """Return the same of all shares together: the first of the first few of each share."""
    parts = in_shares(lambda only: first_of_each(rows(only), group, order, limit))
    return first_of_each(parts, group, order, limit)


def counted_in_shares(in_shares: ByShares, rows: Rows, group: Sequence[str], **counts: Column) -> DataFrame:
    """Return these counts of each group, added up over all shares; no share may count what another one counts."""
    parts = in_shares(lambda only: rows(only).groupBy(*group).agg(*[n.alias(name) for name, n in counts.items()]))
    return parts.groupBy(*group).agg(*[F.sum(name).alias(name) for name in counts])
