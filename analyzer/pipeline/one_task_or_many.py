"""The limit up to which one task computes everything, and the settings that this needs."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException

from analyzer.storage.case import Case

FEW_BATCHES = 500_000
"""Up to this many batches, one task is faster than many, and interpreting plans is faster than compiling them."""


def are_few(batches: int) -> bool:
    """Return whether one task is to compute what so many batches give."""
    return batches <= FEW_BATCHES


@contextmanager
def fitted(case: Case, *, few: bool) -> Iterator[None]:
    """Apply the engine's settings for few rows inside the block; one that may not be set stays as it is."""
    spark, wanted = case.spark, case.engine.settings_for_few if few else {}
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
