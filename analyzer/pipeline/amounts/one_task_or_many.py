"""The limit up to which one task computes everything, and the settings that this needs."""

import contextlib
import dataclasses
import enum
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from analyzer.storage.engines.apache_spark import ApacheSpark

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
    """The session's own settings apply; what comes of it is few rows mostly, and then as `TINY`."""


def amount_of(files: int, in_bytes: int, rows: int = 0) -> Amount:
    """Return how much it is to compute what so many files give: rows are their batches, and the records stored."""
    if files <= TINY_FILES and in_bytes <= TINY_BYTES and rows <= TINY_ROWS:
        return Amount.TINY
    return Amount.FEW if rows <= FEW_ROWS else Amount.MANY


def gathered(rows: DataFrame, amount: Amount) -> DataFrame:
    """Return the rows, to be computed by one task unless there are many."""
    return rows if amount == Amount.MANY else rows.coalesce(1)


@dataclasses.dataclass(slots=True)
class Fitting:
    """The engine's settings for so much work: while there is `much`, also for what is little of it, in between.

    Not two threads at once compute then, since the settings are the session's.
    """

    engine: ApacheSpark
    much: Amount
    _fitted: Amount = Amount.MANY
    _own: dict[str, str | None] = dataclasses.field(default_factory=dict)
    _computing: threading.RLock = dataclasses.field(default_factory=threading.RLock)

    @contextmanager
    def to(self, amount: Amount) -> Iterator[None]:
        """Compute so much inside the block."""
        if self.much != Amount.MANY or not self.engine.driver_holds:
            yield
            return
        with self._computing:
            self.fit(amount)
            yield

    def fit(self, amount: Amount) -> None:
        """Apply the settings for so many rows; one that may not be set stays as it is."""
        if amount == self._fitted:
            return
        self.restore()
        self._fitted = amount
        conf = self.engine.spark.conf
        for name, value in self.engine.settings_for.get(amount.name.lower(), {}).items():
            with contextlib.suppress(PySparkException):
                old = conf.get(name, None)
                conf.set(name, value)
                self._own[name] = old

    def restore(self) -> None:
        """Give the session its own settings again."""
        conf = self.engine.spark.conf
        for name, old in self._own.items():
            if old is None:
                conf.unset(name)
            else:
                conf.set(name, old)
        self._own.clear()
        self._fitted = Amount.MANY


@contextmanager
def fitted(engine: ApacheSpark, amount: Amount) -> Iterator[Fitting]:
    """Apply the engine's settings for so many rows inside the block."""
    fitting = Fitting(engine, amount)
    try:
        fitting.fit(amount)
        yield fitting
    finally:
        fitting.restore()
