"""The words about misplaced ids that the findings on routing share."""

from analyzer.tables.moments import moment

EXPANDED = (
    "the partition count of {topic} was raised: brokers keep the count that they read when they started, so "
    "restarted brokers and the others look for the same id in different partitions (KAFKA-20029)"
)


def who(transactional_id: str | None, group: str | None) -> str:
    """Return the name of the id; a group is called one."""
    return transactional_id or (f"group {group}" if group else "an id without a name")


def holder(state: str | None, producer_id: int | None, epoch: int | None, ms: int | None) -> str:
    """Return what a partition last says of an id: "Ongoing, producer 2000, epoch 5, 2026-01-01T10:48:06.123Z"."""
    parts = [state] if state else []
    parts += [f"producer {producer_id}, epoch {epoch}"] if producer_id is not None and epoch is not None else []
    return ", ".join([*parts, moment(ms)])


def cause(topic: str) -> str:
    """Return the cause of everything in a wrong partition of an internal topic."""
    return EXPANDED.format(topic=topic)


def counts(old: int | None, new: int | None) -> str:
    """Return "50 -> 150"."""
    return f"{old} -> {new}"
