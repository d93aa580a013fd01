"""What a transaction timeout means: how long a transaction may run, and the one value that means without limit."""

NO_TIMEOUT_MS = 2**31 - 1
"""The timeout of a transaction that its coordinator never ends: a two-phase-commit id gets it, and its owner outside
Kafka decides (KIP-939, `TransactionMetadata.isDistributedTwoPhaseCommitTxn`). It is no number of milliseconds."""
LONGEST_TIMEOUT_MS = 900_000
"""Default of `transaction.max.timeout.ms`: no client may ask for a longer timeout, but for the one that is none."""
CHECKED_EVERY_MS = 10_000
"""Default of `transaction.abort.timed.out.transaction.cleanup.interval.ms`: how long a healthy coordinator may take to
see that a transaction is over its timeout (60 s before 2.5)."""


def has_timeout(timeout_ms: int | None) -> bool:
    """Return whether a timeout is a number of milliseconds after which the coordinator ends the transaction.

    An unknown one (None) counts as a number.
    """
    return timeout_ms != NO_TIMEOUT_MS
