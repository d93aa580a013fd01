"""What stages start from: stored tables, the captures in question, and how to keep what was computed."""

import dataclasses
from collections.abc import Callable

from pyspark.sql import DataFrame

from analyzer.lifecycles.both import Both
from analyzer.tables import Table

Step = Callable[[DataFrame], DataFrame]
Shares = Callable[[str, Callable[[Step], DataFrame]], DataFrame]


@dataclasses.dataclass(frozen=True, slots=True)
class Hold:
    """How to keep a computed table, what is known of it, and how to run two steps."""

    settle: Step
    """Computes a small table now and forgets its plan: a plan over all stages is too large for any planner."""
    keep: Step
    """Keeps a table for its next use, on disk if need be: each scan of a Delta table plans jobs of its own."""
    keep_with_facts: Callable[[DataFrame, DataFrame], DataFrame]
    """Keeps stored facts, which were only put in their place, together with computed rows of the same shape.

    Facts are not copied where reading them in place is as fast.
    """
    few: Step
    """Settles the few rows that many are joined with, where there are many; leaves them as they are otherwise.

    An engine guesses how many rows it will have of a table that is not settled, and may hold the large side in memory.
    """
    nothing: Callable[[Table], DataFrame]
    """Returns a declared table without rows, where the caller knows that there can be none: nothing is built."""
    is_empty: Callable[[DataFrame], bool]
    """Whether a table is known to be empty: settled without a row, or made by `nothing`. Runs no job."""
    both: Both
    """Runs two steps that do not need one another."""
    by_shares: Shares
    """Settles what a step makes of rows: of many rows for one share of the numbers in a column after the other.

    The column is `log_no` or `state_partition`. The step is given what picks the rows of one share; rows that have a
    log_no must have a producer_id, too. It must not put rows together that differ in these.
    """
    in_shares: Shares
    """Does the same with many rows; of others it returns the plan, as `few` does."""


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
