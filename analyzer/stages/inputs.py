"""What stages start from: stored tables, the captures in question, and how to keep what was computed."""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from pyspark.sql import DataFrame, Row

from analyzer.tables import Table

Step = Callable[[DataFrame], DataFrame]


class Hold(Protocol):
    """How a run keeps a computed table, what is known of it, and how to run two steps. Stages do not see it.

    `table` is what the rows are held to; None: their columns are what they have.
    """

    @property
    def at_once(self) -> int:
        """How many stages that do not need one another run side by side."""

    def over(self, tables: Iterable[DataFrame]) -> "Hold":
        """Return how to keep what is made of these tables: as few rows, if all of them are known to have few."""

    def settle(self, rows: DataFrame, table: Table | None) -> DataFrame:
        """Compute a small table now and forget its plan: a plan over all stages is too large for any planner."""

    def keep(self, rows: DataFrame, table: Table | None) -> DataFrame:
        """Keep a table for its next use, on disk if need be: each scan of a Delta table plans jobs of its own."""

    def planned(self, rows: DataFrame, table: Table | None) -> DataFrame:
        """Leave it to whoever reads the table to compute it."""

    def keep_with_facts(self, facts: DataFrame, computed: DataFrame, table: Table | None) -> DataFrame:
        """Keep stored facts, which were only put in their place, together with computed rows of the same shape.

        Facts are not copied where reading them in place is as fast.
        """

    def collected(self, rows: DataFrame) -> list[Row]:
        """Return the rows to the driver, in one task if they are few."""

    def narrowing(self, few: DataFrame, column: str) -> Step:
        """Return a step that leaves out rows which a join with the few on this column would drop anyway, or none.

        Readers of files skip what has none of the values, which a join does not tell them. Not for tables of which more
        is used than the joined rows, such as other producers' times in the same log.
        """

    def nothing(self, table: Table) -> DataFrame:
        """Return a declared table without rows, where the caller knows that there can be none: nothing is built."""

    def emptied(self, rows: DataFrame) -> DataFrame:
        """Return no rows of the shape of these, where the caller knows that there can be none. Runs no job."""

    def is_empty(self, rows: DataFrame) -> bool:
        """Return whether a table is known to be empty: settled without a row, or made by `nothing` or `emptied`.

        Runs no job.
        """

    def by_shares(self, column: str, step: Callable[[Step], DataFrame], table: Table | None) -> DataFrame:
        """Settle what a step makes; of many rows, where the engine does not spill to disk, one share at a time.

        `step` is given what picks the rows of one share: a range of the numbers in a column (`log_no`,
        `state_partition` or `offsets_partition`), or some of the hashes in `key_murmur2`. A table with log_no must also
        have producer_id, since a large log is split by it. The step must not combine rows that may lie in different
        shares, unless its result is combined again afterwards.
        """

    def in_shares(self, column: str, step: Callable[[Step], DataFrame], table: Table | None) -> DataFrame:
        """Do the same, but where there is only one share of everything, return the plan unsettled."""

    def pieces(self, rows: DataFrame) -> Sequence[DataFrame]:
        """Return the rows in the shares that they were made in, or all as one."""


Read = Callable[[str], DataFrame]
"""Returns the rows of a stored table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """What every stage starts from.

    captures: rows of the table `captures`; places: the `capture_sections` of their files; unread: the
    `unread_segments` of what is known to be there.
    """

    read: Read
    captures: DataFrame
    places: DataFrame
    unread: DataFrame
    hold: Hold

    @property
    def given(self) -> dict[str, DataFrame]:
        """The tables that no stage makes and that are not read as stored, by the names that stages know."""
        return {"captures": self.captures, "places": self.places, "unread_segments": self.unread}
