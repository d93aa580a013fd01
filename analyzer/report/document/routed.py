"""The part `routing` of the document, made from the rows on partition counts of internal topics."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from analyzer.report.document.parts import known


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
    """An internal topic: which count, or which two or three, explain where its ids are, and how sure that is."""

    topic: str
    how: Literal["one", "unused", "two", "three", "unexplained"]
    older_count: NotRequired[int | None]
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
    expanded_ms: NotRequired[int | None]
    first_new_ms: NotRequired[int | None]
    id_places: NotRequired[list[IdPlace] | None]


class Routing(TypedDict):
    """Which partition counts explain where the records are."""

    counts: list[RoutingCount]
    topics: NotRequired[list[RoutingTopic] | None]


def routing_part(
    rows: Iterable[Mapping[str, Any]], places: Sequence[Mapping[str, Any]], cutovers: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return `routing`: for each count whether it explains every record, and a row for each topic.

    `places` are the partitions of expanded topics with their ids, `cutovers` tell when they were expanded.
    """
    dated = {row["topic"]: row for row in cutovers}
    topics = [_topic(row, places, dated.get(row["topic"], {})) for row in sorted(rows, key=lambda row: row["topic"])]
    return {"counts": [count for row in topics for count in _counts(row)], "topics": topics}


def _topic(row: Mapping[str, Any], places: Sequence[Mapping[str, Any]], cutover: Mapping[str, Any]) -> dict[str, Any]:
    told = known(row, RoutingTopic.__annotations__) | known(cutover, ("expanded_ms", "first_new_ms"))
    told |= {"confidence": row["counts_confidence"], "records": row["records_held"]}
    mine = sorted((one for one in places if one["topic"] == row["topic"]), key=lambda one: one["partition"])
    numbers = ("partition", "ids", "by_old_only", "by_new_only")
    counted = {"id_places": [{name: one[name] for name in numbers} for one in mine]} if mine else {}
    return told | {"rivals": list(row["rivals"])} | counted


def _counts(topic: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the counts of a topic. After an expansion only an old count still in use explains every record."""
    fits = {"new_count": topic["how"] == "one", "old_count": topic["how"] == "unused", "older_count": False}
    return [
        {"topic": topic["topic"], "count": topic[name], "fits": fits[name], "records": topic["records"]}
        for name in ("older_count", "old_count", "new_count")
        if topic.get(name) is not None
    ]
