"""Shares of many rows, sorted and joined one after the other: what an engine that does not spill to disk can hold."""

import dataclasses
from collections.abc import Mapping
from typing import Self

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


@dataclasses.dataclass(frozen=True, slots=True)
class Share:
    """The rows whose number in a column lies in a range; of a number with too many rows, those of some producer ids.

    first, last: the range, without a bound where null; rows without a number belong to the share without a first.
    part, parts: which remainder the producer ids leave when divided by `parts`.
    """

    column: str
    first: int | None
    last: int | None
    part: int = 0
    parts: int = 1

    def only(self, rows: DataFrame) -> DataFrame:
        """Return the rows of this share. A plain range of a column lets an engine skip the files that have none."""
        asked = [one for one in (self._range(), self._remainder()) if one is not None]
        for one in asked:
            rows = rows.where(one)
        return rows

    def _range(self) -> Column | None:
        number = F.col(self.column)
        if self.first is None:
            return None if self.last is None else number.isNull() | (number <= self.last)
        return number >= self.first if self.last is None else number.between(self.first, self.last)

    def _remainder(self) -> Column | None:
        if self.parts == 1:
            return None
        return F.pmod(F.coalesce("producer_id", F.lit(0)), F.lit(self.parts)) == self.part

    @classmethod
    def several(cls, column: str, sizes: Mapping[int, int], limit: int, *, by_producer: bool = False) -> list[Self]:
        """Return shares of about `limit` rows each, or one of everything; `sizes` are the rows of each number.

        Only numbers that follow one another are put together. With `by_producer`, a number with many more rows than
        the limit is split by producer id; rows must have that column then.
        """
        runs: list[list[int]] = []
        filled = 0
        for number, size in sorted(sizes.items()):
            if not runs or filled + size > limit:
                runs.append([])
                filled = 0
            runs[-1].append(number)
            filled += size
        shares = []
        for at, run in enumerate(runs or [[]]):
            first, last = run[0] if at else None, runs[at + 1][0] - 1 if at + 1 < len(runs) else None
            parts = max(1, round(sum(sizes[number] for number in run) / limit)) if by_producer else 1
            shares += [cls(column, first, last, part, parts) for part in range(parts)]
        return shares
