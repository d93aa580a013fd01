"""The first few rows of each group: what a finding names, a sample, and how shares of rows are combined again."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def first_of_each(rows: DataFrame, group: Sequence[str], order: Sequence[str], limit: int) -> DataFrame:
    """Return the first `limit` rows of each group, with `turn` from 1 on; of all shares, the first of these are it."""
    turn = F.row_number().over(Window.partitionBy(*group).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= limit)
