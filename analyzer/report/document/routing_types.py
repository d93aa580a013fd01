"""The part `routing` of the document, as types."""

from typing import Literal, NotRequired, TypedDict


class RoutingCount(TypedDict):
    """A partition count of an internal topic and whether it explains the records."""

    topic: str
    count: int
    fits: bool
    records: int


class IdPlace(TypedDict):
    """How many ids a partition of an expanded topic holds, and how many of them one count alone explains."""

    partition: int
    ids: int
    by_old_only: int
    by_new_only: int


class RoutingTopic(TypedDict):
    """An internal topic: which count, or which two, explain where its ids are, and how sure that is."""

    topic: str
    how: Literal["one", "unused", "two", "unexplained"]
    old_count: NotRequired[int | None]
    new_count: NotRequired[int | None]
    new_exact: NotRequired[bool | None]
    confidence: Literal["certain", "likely", "possible"]
    rivals: list[str]
    ids: int
    records: int
    unexplained: int
    bound: int
    told_count: NotRequired[int | None]
    id_places: NotRequired[list[IdPlace] | None]


class Routing(TypedDict):
    """Which partition counts explain where the records are."""

    counts: list[RoutingCount]
    topics: NotRequired[list[RoutingTopic] | None]
