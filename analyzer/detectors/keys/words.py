"""From what is known of an expanded topic's boundary to the words that the three findings about keys share."""

from analyzer.detectors.model import Confidence
from analyzer.detectors.wording import clock

EXPANDED_AT = "expanded_at"


def boundary(boundary_ms: int | None, boundary_from: str | None) -> str:
    """Return when the topic was expanded, and how that is known."""
    if boundary_from == EXPANDED_AT:
        return f"the topic was expanded at {clock(boundary_ms)} (expanded_at in capture.toml)"
    return f"the first record by the new count is of {clock(boundary_ms)}: the topic was expanded then or before"


def settled_by(boundary_from: str | None) -> str | None:
    """Return what would settle when it was expanded, None where it is told."""
    return None if boundary_from == EXPANDED_AT else "expanded_at = ... in capture.toml (the controller's log has it)"


def by_boundary(boundary_from: str | None) -> Confidence:
    """Return how sure a threshold by time is: likely where the moment is told, possible where it is inferred."""
    return "likely" if boundary_from == EXPANDED_AT else "possible"
