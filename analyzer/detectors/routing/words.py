"""The words about misplaced ids that the findings on routing share."""

import dataclasses

from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Confidence, Ref
from analyzer.kafka.known_bugs.coordinator import PARTITION_COUNT
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class OtherRecord:
    """The newest record of an id in the partition where it belongs; all null where it has none there."""

    other_state: str | None
    other_producer_id: int | None
    other_producer_epoch: int | None
    other_ms: int | None
    other_ref: Ref | None


def other_record() -> dict[str, str]:
    """Return what tells the fields of `OtherRecord`, for `evidence_of`."""
    named = {f"other_{name}": f"other.{name}" for name in ("state", "producer_id", "producer_epoch", "ref")}
    return named | {"other_ms": "other.timestamp"}


def confidence_of(text: str) -> Confidence:
    """Return the confidence of a finding that rests on these counts."""
    return "certain" if text == "certain" else "likely" if text == "likely" else "possible"


def who(transactional_id: str | None, group: str | None) -> str:
    """Return the name of the id; a group is called one."""
    return transactional_id or (f"group {group}" if group else "an id without a name")


def holder(state: str | None, producer_id: int | None, epoch: int | None, ms: int | None) -> str:
    """Return what a partition last says of an id: "Ongoing, producer 2000, epoch 5, 2026-01-01T10:48:06.123Z"."""
    parts = [state] if state else []
    parts += [f"producer {producer_id}, epoch {epoch}"] if producer_id is not None and epoch is not None else []
    return ", ".join([*parts, moment(ms)])


def cause(topic: str) -> Cause:
    """Return the cause of everything in a wrong partition of an internal topic."""
    return Cause(
        f"the partition count of {topic} was raised: brokers keep the count that they read when they started, so "
        f"restarted brokers and the others look for the same id in different partitions ({PARTITION_COUNT.issue})",
        names=(PARTITION_COUNT,),
    )


def counts(*those: int | None) -> str:
    """Return "50 -> 150", or "50 -> 75 -> 150"; what is null is left out."""
    return " -> ".join(str(one) for one in those if one is not None)


def grown_from(older: int | None, old: int) -> str:
    """Return the counts before the newest one: "50", or "50 to 75 and then"."""
    return str(old) if older is None else f"{older} to {old} and then"


def placing(older: int | None, old: int) -> str:
    """Return what places the ids that the new count does not: "hash % 50", or "hash % 50 or hash % 75"."""
    return f"hash % {old}" if older is None else f"hash % {older} or hash % {old}"
