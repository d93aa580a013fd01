"""Joins many rows with the few that select from them.

The few are broadcast, and stand on the left: where an engine does not know the sizes, it holds that side in memory.
"""

from collections.abc import Sequence

from pyspark.sql import DataFrame, functions as F


def with_few(many: DataFrame, few: DataFrame, key: Sequence[str]) -> DataFrame:
    """Return the inner join of both: the key, then the columns of the few, then those of the many."""
    return F.broadcast(few).join(many, list(key))
