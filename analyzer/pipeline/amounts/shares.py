"""Shares of many rows, sorted and joined one after the other: what an engine that does not spill to disk can hold."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Self

from pyspark.sql import Column, DataFrame, functions as F

MOST_FILES = 2_000
"""How many files `Share.only` writes into a plan."""


@dataclasses.dataclass(frozen=True, slots=True)
class Share:
    """The rows whose number in a column lies in a range; of a number with too many rows, a part.

    first, last: the range, without a bound where null; rows without a number belong to the share without a first.
    part, parts: which remainder the numbers in the column `split_by` leave when divided by `parts`.
    files: the ids of all files with rows of the share, empty where they are not known or too many to name.
    """

    column: str
    first: int | None
    last: int | None
    part: int = 0
    parts: int = 1
    split_by: str = ""
    files: Sequence[str] = ()

    def only(self, rows: DataFrame) -> DataFrame:
        """Return the rows of this share.

        Where a file of stored rows has none of them, a range of numbers that were joined to the facts does not tell;
        the facts' own column `file_id` does, null in rows of several files.
        """
        asked = [one for one in (self._range(), self._remainder()) if one is not None]
        if self.files and "file_id" in rows.columns:
            asked.append(F.col("file_id").isin(*self.files) | F.col("file_id").isNull())
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
        return F.pmod(F.coalesce(self.split_by, F.lit(0)), F.lit(self.parts)) == self.part

    @classmethod
    def several(
        cls,
        column: str,
        sizes: Mapping[int, int],
        limit: int,
        files: Mapping[int, Sequence[str]] | None = None,
        *,
        split_by: str = "",
    ) -> list[Self]:
        """Return shares of about `limit` rows each, or one of everything; `sizes` are the rows of each number.

        `files` are all files of each number, if they are known. Only numbers that follow one another are put together.
        With `split_by`, a number with many more rows than the limit is split by the numbers in that column, which rows
        must have then.
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
            parts = max(1, round(sum(sizes[number] for number in run) / limit)) if split_by else 1
            named = [file for number in run for file in (files or {}).get(number, ())]
            within = named if len(named) <= MOST_FILES else []
            shares += [cls(column, first, last, part, parts, split_by, within) for part in range(parts)]
        return shares
