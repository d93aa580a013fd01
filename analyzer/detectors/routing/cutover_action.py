"""What to do after an expansion of an internal topic: before every broker works by the new count, and afterwards."""

from analyzer.detectors.model import Action
from analyzer.kafka.topics import STATE_TOPIC

KEPT = "No further --alter; do not shrink, delete or recreate the topic."
GUARDED = "protect internal topics from --alter: with ACLs on Alter, until brokers have KIP-1268"


def cutover_action(topic: str, how: str, new_count: int, *, moved: bool) -> Action:
    """Return what to do: whether a restart still moves ids decides what must not be done.

    `how`: "unused" if no id uses the new count yet. `moved`: every broker already works by the new count.
    """
    states = topic == STATE_TOPIC
    what = "transactional producers" if states else "consumer groups"
    if moved:
        done = f"Restarts move no more ids: the brokers that lead them already use {new_count} partitions. {KEPT}"
        if not states:
            left = "SET THE GROUP'S POSITION where commits stayed in an old partition (RTE001)."
            return Action(kind="none", word="set group position", summary=f"{left} {done}", warning=GUARDED)
        text = (
            f"END THE ORPHANS, one by one (RTE004). {done} Then start the {what} again, so that each id writes its "
            "state where it belongs. The copies in the new partitions are the valid ones."
        )
        return Action(kind="none", word="end the orphans", summary=text, warning=GUARDED)
    return Action(
        kind="none",
        word="do not restart yet",
        summary=f"DO NOT RESTART YET. {KEPT} {_until(topic, how, what)}",
        warning=f"a broker that restarts with transactions open in old partitions makes them orphans; {GUARDED}"
        if states
        else GUARDED,
    )


def _until(topic: str, how: str, what: str) -> str:
    """Return what comes before the restart of the brokers on the old count, and after it."""
    if how == "unused":
        served = "State that is no orphan (RTE004)" if topic == STATE_TOPIC else "What the old count placed"
        return (
            f"{served} is served until another broker restarts: stop the {what} cleanly, so that nothing is open, then "
            "restart all brokers in one go and start them again."
        )
    first = f"Stop the {what} cleanly"
    if topic != STATE_TOPIC:
        return (
            f"{first}; restart every broker that still uses the old count, if there is one; then set the positions of "
            "groups whose commits stayed in an old partition (RTE001)."
        )
    return (
        f"{first}, so that brokers on the old count finish their open transactions; restart every broker that still "
        "uses it, if there is one; then end the orphans one by one (RTE004). Keep the state of the new count."
    )
