"""From rows on keyed topics to the document's `keyed_topics` and `thresholds`, and on to the table of KIP-253."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict

from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted, moment

SHOWN_ROWS = 40
SHOWN_GROUPS = 3


class KeyedTopic(TypedDict):
    """A topic whose keys were read: which partitioner and which counts explain where they lie."""

    topic: str
    how: Literal["one", "unused", "two", "unlike", "few"]
    partitioner: NotRequired[Literal["murmur2", "crc32"] | None]
    old_count: NotRequired[int | None]
    new_count: NotRequired[int | None]
    keys: int
    records: int
    unexplained: int
    bits: NotRequired[int | None]
    boundary_ms: NotRequired[int | None]
    boundary_from: NotRequired[str | None]


class ThresholdGroup(TypedDict):
    """Where a consumer group stands in a prior partition, and whether it may read on."""

    group: str
    position: int
    may_read: bool


class Threshold(TypedDict):
    """A row of KIP-253's map: what must be read of a prior partition before the new one."""

    topic: str
    new_partition: int
    prior_partition: int
    time_offset: NotRequired[int | None]
    epoch_offset: NotRequired[int | None]
    old_leader_epoch: NotRequired[int | None]
    stale_end: NotRequired[int | None]
    spanning: NotRequired[int | None]
    groups: list[ThresholdGroup]


def keyed_topics(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the keyed topics of a capture, by name."""
    shown = [_known(row, KeyedTopic) for row in sorted(rows, key=lambda row: row["topic"])]
    return [row | {"bits": int(row["bits"])} if row.get("bits") else _without(row, "bits") for row in shown]


def thresholds(rows: Iterable[Mapping[str, Any]], reads: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the threshold map, with the groups that have a position in each prior partition."""
    groups: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(reads, key=lambda row: (row["may_read"], row["group"])):
        groups[row["topic"], row["prior_partition"]].append(_known(row, ThresholdGroup))
    named = [row | {"new_partition": row["home_partition"]} for row in map(dict, rows)]
    ordered = sorted(named, key=lambda row: (row["topic"], row["new_partition"], row["prior_partition"]))
    return [_known(row, Threshold) | {"groups": groups[row["topic"], row["prior_partition"]]} for row in ordered]


def keyed_sentences(topics: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what the keys of each topic say about its partition counts."""
    return [f"{visible(topic['topic'])}: {_sentence(topic)}" for topic in topics]


def _sentence(topic: Mapping[str, Any]) -> str:
    keys, how = counted(topic["keys"], "key"), topic["how"]
    if how == "few":
        return f"{keys} are too few to tell how producers choose partitions"
    if how == "unlike":
        return f"where its {keys} lie does not look like murmur2 or CRC32: producers choose partitions otherwise"
    odd = f"; {counted(topic['unexplained'], 'key')} lie elsewhere" if topic["unexplained"] else ""
    by = f"by {topic.get('partitioner')}"
    if how == "one":
        return f"its {keys} lie {by} and {counted(topic.get('new_count') or 0, 'partition')}{odd}"
    when = topic.get("boundary_ms")
    since = "" if when is None else f", {_since(topic)} {moment(when)}"
    unused = " (nobody follows the new count yet)" if how == "unused" else ""
    counts = f"expanded from {topic.get('old_count')} to {topic.get('new_count')} partitions"
    return f"its {keys} lie {by}, {counts}{since}{unused}{odd}"


def _since(topic: Mapping[str, Any]) -> str:
    return "at" if topic.get("boundary_from") == "expanded_at" else "at the latest at"


def threshold_lines(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the map as a table: the boundary by time, by leader epoch and by the last stale record side by side."""
    listed = list(rows)
    if not listed:
        return []
    head = f"{'new':>4} {'prior':>6} {'epoch':>6} {'by time':>9} {'by epoch':>9} {'stale to':>9}  groups"
    out = [head]
    topic = None
    for row in listed[:SHOWN_ROWS]:
        if row["topic"] != topic:
            topic = row["topic"]
            out.append(visible(topic))
        out.append(_threshold(row))
    hidden = len(listed) - SHOWN_ROWS
    out += [f"and {counted(hidden, 'row')} more in the JSON document"] if hidden > 0 else []
    return out


def _threshold(row: Mapping[str, Any]) -> str:
    numbers = [row.get(name) for name in ("old_leader_epoch", "time_offset", "epoch_offset", "stale_end")]
    epoch, time, by_epoch, stale = ["-" if number is None else str(number) for number in numbers]
    left = f"{row['new_partition']:>4} {row['prior_partition']:>6} {epoch:>6} {time:>9} {by_epoch:>9} {stale:>9}"
    waiting = [one for one in row["groups"] if not one["may_read"]]
    if not row["groups"]:
        return left
    names = ", ".join(f"{visible(one['group'])} at {one['position']}" for one in waiting[:SHOWN_GROUPS])
    more = f" and {len(waiting) - SHOWN_GROUPS} more" if len(waiting) > SHOWN_GROUPS else ""
    return f"{left}  {f'wait: {names}{more}' if waiting else 'may read'}"


def _known(row: Mapping[str, Any], shape: Any) -> dict[str, Any]:  # noqa: ANN401 - a TypedDict
    return {name: row[name] for name in shape.__annotations__ if row.get(name) is not None}


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
