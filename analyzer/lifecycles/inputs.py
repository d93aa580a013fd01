"""What stages start from: stored tables, the captures in question, and how to keep what was computed."""

import dataclasses
from collections.abc import Callable

from pyspark.sql import DataFrame

from analyzer.tables import Table

Step = Callable[[DataFrame], DataFrame]
Keep = Callable[[DataFrame, Table | None], DataFrame]
"""Keeps a computed table, which is held to what it is declared as. None: its columns are what the rows have."""
InShares = Callable[[str, Callable[[Step], DataFrame], Table | None], DataFrame]
"""Computes a step share by share: takes a column, the step, which is given what picks the rows of one share, and what
the table is declared as, as `Keep` does."""


@dataclasses.dataclass(frozen=True, slots=True)
class Hold:
    """How a run keeps a computed table, what is known of it, and how to run two steps. Stages do not see it."""

    settle: Keep
    """Computes a small table now and forgets its plan: a plan over all stages is too large for any planner."""
    keep: Keep
    """Keeps a table for its next use, on disk if need be: each scan of a Delta table plans jobs of its own."""
    planned: Keep
    """Leaves it to whoever reads the table to compute it."""
    keep_with_facts: Callable[[DataFrame, DataFrame, Table | None], DataFrame]
    """Keeps stored facts, which were only put in their place, together with computed rows of the same shape.

    Facts are not copied where reading them in place is as fast.
    """
    narrowing: Callable[[DataFrame, str], Step]
    """Returns a step that leaves out rows which a join with the few on this column would drop anyway, or none.

    Readers of files skip what has none of the values, which a join does not tell them. Not for tables of which more is
    used than the joined rows, such as other producers' times in the same log.
    """
    nothing: Callable[[Table], DataFrame]
    """Returns a declared table without rows, where the caller knows that there can be none: nothing is built."""
    emptied: Step
    """Returns no rows of the shape of these, where the caller knows that there can be none. Runs no job."""
    is_empty: Callable[[DataFrame], bool]
    """Whether a table is known to be empty: settled without a row, or made by `nothing` or `emptied`. Runs no job."""
    at_once: int
    """How many stages that do not need one another run side by side."""
    by_shares: InShares
    """Settles what a step makes of tables; of many rows, where the engine does not spill to disk, one share at a time.

    A share is a range of the numbers in a column: `log_no`, `state_partition` or `offsets_partition`, or some of the
    hashes in `key_murmur2`. A table with log_no must also have producer_id, since a large log is split by it. The step
    must not combine rows that may lie in different shares, unless its result is combined again afterwards.
    """
    in_shares: InShares
    """The same, but where there is only one share of everything, the plan is returned unsettled."""


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
