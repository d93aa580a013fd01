"""The limit up to which one task computes everything, and the settings that this needs."""

import contextlib
import enum
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from analyzer.storage.case import Case

FEW_ROWS = 500_000
"""Up to this many batches and stored records, one task is faster than many, interpreted plans than compiled."""

TINY_BYTES, TINY_FILES, TINY_ROWS = 16_000_000, 5_000, 20_000
"""Up to these bounds, the driver holds every table that comes of a capture: see `Amount`."""


class Amount(enum.IntEnum):
    """How much there is to compute."""

    TINY = 1
    """Planning takes longer than computing: the driver holds the rows, where the planner sees them."""
    FEW = 2
    """One task is faster than many."""
    MANY = 3
    """The session's own settings apply."""


def amount_of(files: int, in_bytes: int, rows: int = 0) -> Amount:
    """Return how much it is to compute what so many files give: rows are their batches, and the records stored."""
    if files <= TINY_FILES and in_bytes <= TINY_BYTES and rows <= TINY_ROWS:
        return Amount.TINY
    return Amount.FEW if rows <= FEW_ROWS else Amount.MANY


def gathered(rows: DataFrame, amount: Amount) -> DataFrame:
    """Return the rows, to be computed by one task unless there are many."""
    return rows if amount == Amount.MANY else rows.coalesce(1)


@contextmanager
def fitted(case: Case, amount: Amount) -> Iterator[None]:
    """Apply the engine's settings for so many rows inside the block; one that may not be set stays as it is."""
    spark, wanted = case.spark, case.engine.settings_for.get(amount.name.lower(), {})
    before: dict[str, str | None] = {}
    try:
        for name, value in wanted.items():
            with contextlib.suppress(PySparkException):
                old = spark.conf.get(name, None)
                spark.conf.set(name, value)
                before[name] = old
        yield
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)
