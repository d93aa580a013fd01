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


class ControllerLog(TypedDict):
    """The controllers' log of a KRaft cluster."""

    first_ms: NotRequired[int | None]
    last_ms: NotRequired[int | None]
    complete: bool
    undecoded: int
    undecoded_types: NotRequired[str | None]
    markers: int
    strange_markers: int
    strange: NotRequired[str | None]
    windows: list[ControllerWindow]
