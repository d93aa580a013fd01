"""The words about the boundary of an expanded topic that the three findings about keys share."""

from pyspark.sql import Column, functions as F

from analyzer.detectors.model import Confidence
from analyzer.tables.moments import moment

EXPANDED_AT = "expanded_at"


def boundary(boundary_ms: int | None, boundary_from: str | None, expansion: str | None) -> str:
    """Return when the topic was expanded, which time if there were several, and how that is known."""
    expanded = f"expanded from {expansion} partitions" if expansion else "expanded"
    if boundary_from == EXPANDED_AT:
        return f"the topic was {expanded} at {moment(boundary_ms)} (expanded_at in capture.toml)"
    return f"the first record by the new count is of {moment(boundary_ms)}: the topic was {expanded} then or before"


def which() -> Column:
    """Return what tells findings about several expansions of a topic apart, null if there was only one."""
    return F.concat(F.lit("expanded from "), F.col("expansion"))


def settled_by(boundary_from: str | None) -> str | None:
    """Return what would settle the moment of the expansion; None if it is given."""
    return None if boundary_from == EXPANDED_AT else "expanded_at = ... in capture.toml (the controller's log has it)"


def by_boundary(boundary_from: str | None) -> Confidence:
    """Return how sure a threshold by time is: likely if the moment is given, possible if it is inferred."""
    return "likely" if boundary_from == EXPANDED_AT else "possible"
