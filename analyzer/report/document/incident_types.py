"""The part `incidents` of the document, as types: a cause, its findings, and what happened around them in time."""

from typing import Literal, NotRequired, TypedDict


class StateChange(TypedDict):
    """A record of an id in `__transaction_state`."""

    at: int
    state: str
    producer_id: int
    producer_epoch: int
    partitions: list[str]


class CoordinatorLane(TypedDict):
    """The states of one transactional id."""

    transactional_id: str
    state_partition: int
    states: list[StateChange]


class Bar(TypedDict):
    """A transaction as one log shows it; without `marker_offset` nothing ends it there."""

    producer_id: int
    producer_epoch: NotRequired[int | None]
    first_offset: NotRequired[int | None]
    last_offset: NotRequired[int | None]
    first_ms: NotRequired[int | None]
    last_ms: NotRequired[int | None]
    records: NotRequired[int | None]
    marker: NotRequired[Literal["COMMIT", "ABORT"] | None]
    marker_offset: NotRequired[int | None]
    marker_ms: NotRequired[int | None]
    finding: NotRequired[str | None]


class EpochStart(TypedDict):
    """Where a leader epoch starts in a log, and between which two moments that was."""

    epoch: int
    start_offset: int
    not_before: NotRequired[int | None]
    not_after: NotRequired[int | None]


class LogLane(TypedDict):
    """The transactions of one copy of a log."""

    topic: str
    partition: int
    replica: str
    authority: bool
    lso: int
    bars: list[Bar]
    epochs: list[EpochStart]


class TimelineOmitted(TypedDict):
    """How many lanes and bars a timeline leaves out."""

    ids: int
    logs: int
    bars: int


class Timeline(TypedDict):
    """What happened around the findings of an incident: coordinator states, and the transactions of the logs."""

    coordinator: list[CoordinatorLane]
    logs: list[LogLane]
    omitted: TimelineOmitted


class GrowthPoint(TypedDict):
    """How far a log reached at a moment, and where its LSO was."""

    at: int
    log_end: int
    lso: int


class Incident(TypedDict):
    """A cause and its findings: heads first, each with what is folded under it."""

    id: str
    headline: str
    cause: str
    heads: list[str]
    findings: list[str]
    timeline: Timeline
