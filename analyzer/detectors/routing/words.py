"""The words about misplaced ids that the findings on routing share."""

from analyzer.detectors.model import Action
from analyzer.detectors.wording import stamp
from analyzer.kafka.topics import STATE_TOPIC

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
    return ", ".join([*parts, stamp(ms)])


def cause(topic: str) -> str:
    """Return the cause of everything in a wrong partition of an internal topic."""
    return EXPANDED.format(topic=topic)


def counts(old: int | None, new: int | None) -> str:
    """Return "50 -> 150"."""
    return f"{old} -> {new}"


def expansion_action(topic: str, new_count: int, *, unused: bool, all_moved: bool) -> Action:
    """Return what to do about an expanded topic: `unused` if no id uses the new count, `all_moved` if brokers do."""
    what = "transactional producers" if topic == STATE_TOPIC else "consumer groups"
    first = "NO FURTHER RESTART YET, and no further --alter. Do not shrink, delete or recreate the topic."
    if all_moved:
        text = (
            f"{first} Every broker has restarted since and works by {new_count}: no restart moves ids any more. "
            f"Start the {what} anew, so that each id writes its state where it belongs, and end the orphans one by one "
            "(RTE004). The copies in the new partitions are the valid ones."
        )
    elif unused:
        text = (
            f"{first} State that is no orphan (RTE004) is served until another broker restarts: stop the {what} "
            "cleanly, so that nothing is open, then restart all brokers in one go and start them again."
        )
    else:
        text = (
            f"{first} Stop the {what} cleanly, so that brokers on the old count finish their open transactions; "
            "restart every broker that still uses it, if there is one; then end the orphans one by one (RTE004). Keep "
            "the state of the new count."
        )
    return Action(
        kind="none",
        summary=text,
        warning="a broker that restarts with transactions open in old partitions makes them orphans; guard internal "
        "topics against --alter (KIP-1268; until then ACLs on the Alter operation)",
    )
