"""The states of a transaction's coordinator and which may follow which (`TransactionMetadata.validPreviousStates`)."""

from collections.abc import Mapping
from types import MappingProxyType

FOLLOWERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Empty": frozenset({"Empty", "Ongoing", "PrepareAbort", "Dead"}),
        "Ongoing": frozenset({"Ongoing", "PrepareCommit", "PrepareAbort"}),
        "PrepareCommit": frozenset({"PrepareCommit", "CompleteCommit"}),
        "PrepareAbort": frozenset({"PrepareAbort", "CompleteAbort"}),
        "CompleteCommit": frozenset({"CompleteCommit", "Empty", "Ongoing", "PrepareAbort", "Dead"}),
        "CompleteAbort": frozenset({"CompleteAbort", "Empty", "Ongoing", "PrepareAbort", "Dead"}),
        "Dead": frozenset({"Dead"}),
    }
)
"""Each state's possible successors in the log. Besides the state machine's own: an abort with nothing open (KIP-890),
and a state written twice, because an append that timed out is tried again."""


def may_follow(before: str, after: str) -> bool:
    """Return whether a record of state `after` may stand right behind one of state `before`; True for unknown ones."""
    return after in FOLLOWERS.get(before, {after}) or after not in FOLLOWERS
