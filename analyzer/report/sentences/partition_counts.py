"""What ids and keys say of the partition counts of topics, and the threshold map of KIP-253, as lines."""

from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.report.document.routed import RoutingTopic
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted, few
from analyzer.report.sentences.times import Clock

SHOWN_ROWS, SHOWN_GROUPS, SHOWN_RIVALS = 40, 3, 5


def routing_sentences(document: Document) -> list[str]:
    """Return what the counts say: a sentence for each topic, or for each count that was tried."""
    topics = document["routing"].get("topics")
    if topics:
        return [_routed(one) for one in topics]
    return [
        f"{visible(one['topic'])}: {counted(one['count'], 'partition')} "
        f"{'explain all' if one['fits'] else 'do not explain all'} of its {counted(one['records'], 'record')}"
        for one in document["routing"]["counts"]
    ]


def _routed(one: RoutingTopic) -> str:
    """Return one topic's sentence: counts, how many ids they rest on, how sure that is."""
    ids, name = counted(one["ids"], "id"), visible(one["topic"]).strip()
    are = "is" if one["ids"] == 1 else "are"
    rivals = one["rivals"]
    others = ", ".join(map(visible, rivals[:SHOWN_RIVALS])) + (", ..." if len(rivals) > SHOWN_RIVALS else "")
    sure = one["confidence"] + (f"; as many ids would fit {others}" if rivals else "")
    old, new = one.get("old_count"), one.get("new_count")
    if one["how"] == "one":
        return f"{name}: its {ids} {are} where {counted(new or 0, 'partition')} would place them ({sure})"
    if one["how"] == "unexplained":
        return f"{name}: no partition count, nor two or three of them, explain where its {ids} are"
    if one["how"] == "unused":
        least = "" if one.get("new_exact") else "at least "
        return f"{name}: its {ids} {are} where {old} partitions would place them; it has {least}{new} ({sure})"
    if one["how"] == "three":
        return (
            f"{name}: it was expanded twice: {one.get('older_count')} or {old} partitions explain some of its {ids}, "
            f"{new} the others ({sure})"
        )
    return f"{name}: it was expanded: {old} partitions explain some of its {ids}, {new} the others ({sure})"


def keyed_sentences(topics: Iterable[Mapping[str, Any]], clock: Clock) -> list[str]:
    """Return what the keys of each topic say about its partition counts."""
    return [f"{visible(topic['topic'])}: {_keyed(topic, clock)}" for topic in topics]


def _keyed(topic: Mapping[str, Any], clock: Clock) -> str:
    """Return what the keys of one topic say."""
    keys, how = counted(topic["keys"], "key"), topic["how"]
    if how == "few":
        return f"{keys} are too few to show how producers choose partitions"
    if how == "unlike":
        return f"neither murmur2 nor CRC32 places its {keys} where they are: producers choose partitions in another way"
    others = topic["unexplained"]
    odd = f"; {counted(others, 'key')} {'is' if others == 1 else 'are'} elsewhere" if others else ""
    placed = f"{topic.get('partitioner')} places its {keys}"
    if how == "one":
        return f"{placed}, with {counted(topic.get('new_count') or 0, 'partition')}{odd}"
    when = topic.get("boundary_ms")
    untold = "" if how == "unused" else "; no record tells when, expanded_at in capture.toml would"
    exact = "at" if topic.get("boundary_from") == "expanded_at" else "no later than"
    since = untold if when is None else f", {exact} {clock.moment(when)}"
    unused = " (no producer uses the new count yet)" if how == "unused" else ""
    counts = f"expanded from {topic.get('old_count')} to {topic.get('new_count')} partitions"
    return f"{placed}; {counts}{since}{unused}{odd}"


def threshold_lines(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the map as a table: the boundary by time, by leader epoch and by the last stale record side by side."""
    listed = list(rows)
    if not listed:
        return []
    head = f"{'new':>4} {'prior':>6} {'epoch':>6} {'by time':>9} {'by epoch':>9} {'stale to':>9}  groups"
    out = [head]
    under = None
    for row in listed[:SHOWN_ROWS]:
        expansion = row.get("expansion")
        title = visible(row["topic"]) + (f", expanded from {visible(expansion)}" if expansion else "")
        if title != under:
            under = title
            out.append(title)
        out.append(_threshold(row))
    hidden = len(listed) - SHOWN_ROWS
    out += [f"and {counted(hidden, 'row')} more in the JSON document"] if hidden > 0 else []
    return out


def _threshold(row: Mapping[str, Any]) -> str:
    """Return one row of the map."""
    numbers = [row.get(name) for name in ("old_leader_epoch", "time_offset", "epoch_offset", "stale_end")]
    epoch, time, by_epoch, stale = ["-" if number is None else str(number) for number in numbers]
    left = f"{row['new_partition']:>4} {row['prior_partition']:>6} {epoch:>6} {time:>9} {by_epoch:>9} {stale:>9}"
    if not row["groups"]:
        return left
    for word, may_read in (("wait", False), ("not known", None)):
        some = [one for one in row["groups"] if one.get("may_read") is may_read]
        if some:
            names = few([f"{visible(one['group'])} at {one['position']}" for one in some], SHOWN_GROUPS)
            return f"{left}  {word}: {names}"
    return f"{left}  may read"
