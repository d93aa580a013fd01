"""The coordinator's transaction states and their legal moves (`TransactionMetadata.validPreviousStates`)."""

from collections.abc import Mapping
from types import MappingProxyType

LAST_EPOCH = 32767
"""The highest producer epoch (`Short.MAX_VALUE`): it cannot be raised, so whoever has it cannot be fenced."""
EXHAUSTED_FROM = LAST_EPOCH - 1
"""The lowest epoch at which an id is given a new producer id (`TransactionMetadata.isProducerEpochExhausted`)."""

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
"""Each state's possible successors in the log. Two of them are not moves of the state machine: an abort with nothing
open (KIP-890), and a state written twice because an append that timed out was retried."""

UNTELLING = frozenset({"Unknown", "PrepareEpochFence"})
"""States that tools print and that tell neither that a transaction runs nor that it is over (`TransactionState`)."""

TAKEN_BACK: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Ongoing": frozenset({"Empty"}),
        "PrepareCommit": frozenset({"PrepareAbort", "Ongoing"}),
        "PrepareAbort": frozenset({"PrepareCommit", "Ongoing"}),
    }
)
"""What may follow beside these, for one producer id and from one coordinator. It waits for a record to be replicated as
long as the timeout of its transaction. If that is over, or too few replicas are in sync, it goes back to the state
before; the record stays in the log (`TransactionStateManager.appendTransactionToLog`)."""
