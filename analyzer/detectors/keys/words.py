"""What the three findings about keys share: the boundary of an expanded topic."""

import dataclasses

from pyspark.sql import Column, functions as F

from analyzer.detectors.model import Confidence
from analyzer.detectors.subject import OfPartition
from analyzer.tables.moments import moment

EXPANDED_AT = "expanded_at"


@dataclasses.dataclass(frozen=True, slots=True)
class OfExpanded(OfPartition):
    """Evidence about a partition of an expanded topic; `key` tells findings of one partition apart."""

    key: str | None
    boundary_ms: int | None
    boundary_from: str | None
    expansion: str | None

    @property
    def boundary(self) -> str:
        """When the topic was expanded, which time if there were several, and how that is known."""
        expanded = f"expanded from {self.expansion} partitions" if self.expansion else "expanded"
        at = moment(self.boundary_ms)
        if self.boundary_from == EXPANDED_AT:
            return f"the topic was {expanded} at {at} (expanded_at in capture.toml)"
        return f"the first record by the new count is of {at}: the topic was {expanded} then or before"

    @property
    def settled_by(self) -> str | None:
        """What would settle the moment of the expansion; None if it is given."""
        given = self.boundary_from == EXPANDED_AT
        return None if given else "expanded_at = ... in capture.toml (the controller's log has it)"

    @property
    def confidence(self) -> Confidence:
        """How sure a threshold by time is: likely if the moment is given, possible if it is inferred."""
        return "likely" if self.boundary_from == EXPANDED_AT else "possible"


def which() -> Column:
    """Return what tells findings about several expansions of a topic apart, null if there was only one."""
    return F.concat(F.lit("expanded from "), F.col("expansion"))
