"""The part `controller` of the document, as types: how far that log reaches, and what changed around each incident."""

from typing import NotRequired, TypedDict


class ControllerEvent(TypedDict):
    """One change that the controllers' log dates; equal events of one moment are one, with all their partitions."""

    at: int
    event: str
    places: list[str]
    broker: NotRequired[int | None]
    subject: NotRequired[str | None]
    was: NotRequired[str | None]
    now: NotRequired[str | None]


class ControllerWindow(TypedDict):
    """The minutes of an incident: its finding, and what changed in them."""

    finding: str
    since: int
    until: int
    covered: bool
    events: list[ControllerEvent]
    more: int


class Served(TypedDict):
    """A producer id that no state file names, and the partitions of __transaction_state that its markers fit."""

    producer_id: int
    transactional_id: NotRequired[str | None]
    markers: int
    state_partitions: list[int]
    counts: list[int]
    coordinator: NotRequired[int | None]
    since: NotRequired[int | None]


class ControllerLog(TypedDict):
    """The controllers' log of a KRaft cluster; counts are partition counts of __transaction_state that fit an id."""

    first_ms: NotRequired[int | None]
    last_ms: NotRequired[int | None]
    complete: bool
    undecoded: int
    undecoded_types: NotRequired[str | None]
    markers: int
    strange_markers: int
    strange: NotRequired[str | None]
    served: NotRequired[list[Served]]
    high_watermark_asked: NotRequired[int | None]
    quorum_end: NotRequired[int | None]
    windows: list[ControllerWindow]
