"""What a place is called on the command line: TOPIC-PARTITION, and @OFFSET or @TIME after it."""

import dataclasses
import difflib
import re

from analyzer.errors import ConfigError, UsageError
from analyzer.lookups.asking import Asking
from analyzer.report.sentences.cells import name
from analyzer.scan.manifest import moment

_PARTITION = re.compile(r"(?P<topic>.+)-(?P<partition>\d{1,10})", re.DOTALL)
_OFFSET = re.compile(r"\d{1,19}")
WANTED = "TOPIC-PARTITION@OFFSET such as orders-0@42, or TOPIC-PARTITION@TIME such as orders-0@2026-11-21T09:30:42Z"


@dataclasses.dataclass(frozen=True, slots=True)
class Spot:
    """A record of a partition: by its offset, or the first one at or after a moment (epoch ms)."""

    topic: str
    partition: int
    offset: int | None = None
    time_ms: int | None = None


def spot(text: str) -> Spot:
    """Return what a text such as `orders-0@42` names. Raises UsageError for one that names no record."""
    place, at, when = text.rpartition("@")
    found = _PARTITION.fullmatch(place)
    if not at or found is None:
        raise UsageError(f"{name(text)} names no record.", wanted=WANTED)
    if _OFFSET.fullmatch(when):
        return Spot(found["topic"], int(found["partition"]), offset=int(when))
    try:
        return Spot(found["topic"], int(found["partition"]), time_ms=moment("time", when))
    except ConfigError as fault:
        raise UsageError(f"{name(when)} is neither an offset nor a time.", wanted=WANTED) from fault


def partition_named(text: str) -> tuple[str, int] | None:
    """Return topic and partition of `TOPIC-PARTITION`, None for a text that is none."""
    found = _PARTITION.fullmatch(text)
    return None if found is None else (found["topic"], int(found["partition"]))


def partitions_of(asked: Asking) -> list[str]:
    """Return the names of the partitions of which a log or a producer snapshot is in the capture."""
    rows = asked.rows("partition_health", columns=["topic", "partition"])
    return [f"{topic}-{number}" for topic, number in sorted({(row["topic"], row["partition"]) for row in rows})]


def unknown_partition(asked: Asking, topic: str, partition: int) -> UsageError:
    """Return the error for a partition that is not in the capture: with those whose names are nearest."""
    near = difflib.get_close_matches(f"{topic}-{partition}", partitions_of(asked), n=3, cutoff=0.0)
    return UsageError(
        f"no file of {name(topic)}-{partition} is in the capture {name(asked.capture)}.",
        wanted=f"a partition of it, such as {', '.join(map(name, near))}" if near else "a capture with logs",
    )
