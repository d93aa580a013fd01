"""What stages begin with: stored tables, the captures in question, and how to hold on to what was computed."""

import dataclasses
from collections.abc import Callable

from pyspark.sql import DataFrame

Step = Callable[[DataFrame], DataFrame]


@dataclasses.dataclass(frozen=True, slots=True)
class Hold:
    """Functions from a table to the same table, and what is known of it."""

    settle: Step
    """Computes now and cuts the history off: plans of plans of plans outgrow any planner. For small tables."""
    keep: Step
    """Keeps what is computed for the next use, on disk if need be: each scan of a Delta table plans jobs of its own."""
    nothing: Step
    """Gives a table of the same columns without rows, where the caller knows that there can be none."""
    is_empty: Callable[[DataFrame], bool]
    """Whether a table is known to be empty: settled without a row, or `nothing`. Asks no one, runs no job."""


Read = Callable[[str], DataFrame]
"""From the name of a stored table to its rows."""


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """What every stage begins with.

    captures: rows of the table `captures`; places: the `capture_sections` of their files.
    """

    read: Read
    captures: DataFrame
    places: DataFrame
    hold: Hold
