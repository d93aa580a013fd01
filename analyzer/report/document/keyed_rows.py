"""The parts `keyed_topics` and `thresholds` of the document, as types, and how they are made from result rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Literal, NotRequired, TypedDict

from analyzer.report.document.parts import known


class KeyedTopic(TypedDict):
    """A topic whose keys were read, or one expansion of it: what explains where they are."""

    topic: str
    how: Literal["one", "unused", "two", "unlike", "few"]
    partitioner: NotRequired[Literal["murmur2", "crc32"] | None]
    old_count: NotRequired[int | None]
    new_count: NotRequired[int | None]
    expansion: NotRequired[str | None]
    keys: int
    records: int
    unexplained: int
    bits: NotRequired[int | None]
    boundary_ms: NotRequired[int | None]
    boundary_from: NotRequired[str | None]


class ThresholdGroup(TypedDict):
    """The position of a consumer group in a prior partition, and whether it may read on."""

    group: str
    position: int
    may_read: NotRequired[bool | None]


class Threshold(TypedDict):
    """A row of KIP-253's map: what must be read of a prior partition before the new one."""

    topic: str
    new_partition: int
    prior_partition: int
    expansion: NotRequired[str | None]
    time_offset: NotRequired[int | None]
    epoch_offset: NotRequired[int | None]
    old_leader_epoch: NotRequired[int | None]
    stale_end: NotRequired[int | None]
    spanning: NotRequired[int | None]
    groups: list[ThresholdGroup]


def keyed_topics(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the keyed topics of a capture, by name, each with its expansions in order."""
    ordered = sorted(rows, key=lambda row: (row["topic"], row.get("new_count") or 0))
    whole = ({**row, "bits": int(row["bits"]) if row.get("bits") else None} for row in ordered)
    return [known(row, KeyedTopic.__annotations__) for row in whole]


_ORDER = (False, None, True)
"""Groups that wait come first, then those of which nothing tells."""


def thresholds(rows: Iterable[Mapping[str, Any]], reads: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the threshold map, with the groups that have a position in each prior partition."""
    groups: dict[tuple[str, int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(reads, key=lambda row: (_ORDER.index(row.get("may_read")), row["group"])):
        groups[_prior(row)].append(known(row, ThresholdGroup.__annotations__))
    named = [row | {"new_partition": row["home_partition"]} for row in map(dict, rows)]
    ordered = sorted(named, key=itemgetter("topic", "new_count", "new_partition", "prior_partition"))
    names = Threshold.__annotations__
    return [known(row, names) | {"groups": groups[_prior(row)]} for row in ordered]


def _prior(row: Mapping[str, Any]) -> tuple[str, int, int]:
    return row["topic"], row["new_count"], row["prior_partition"]
