"""From the rows on partition counts of internal topics to the document's `routing`, and from there to sentences."""

from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.report.document.routing_types import RoutingTopic
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted

SHOWN_RIVALS = 5


def routing_part(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `routing`: each count that was named with whether it explains every record, and a row for each topic."""
    topics = [_topic(row) for row in sorted(rows, key=lambda row: row["topic"])]
    return {"counts": [count for row in topics for count in _counts(row)], "topics": topics}


def _topic(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("topic", "how", "old_count", "new_count", "new_exact", "ids", "unexplained", "bound", "told_count")
    told = {name: row[name] for name in names if row.get(name) is not None}
    told["confidence"] = row["counts_confidence"]
    told["records"] = row["records_held"]
    return told | {"rivals": list(row["rivals"])}


def _counts(topic: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the counts of a topic; where it was expanded, none explains everything but an old one not left yet."""
    fits = {"new_count": topic["how"] == "one", "old_count": topic["how"] == "unused"}
    return [
        {"topic": topic["topic"], "count": topic[name], "fits": fits[name], "records": topic["records"]}
        for name in ("old_count", "new_count")
        if topic.get(name) is not None
    ]


def routing_sentences(document: Document) -> list[str]:
    """Return what the counts say: a sentence for each topic, or for each count that was tried."""
    topics = document["routing"].get("topics")
    if topics:
        return [_sentence(one) for one in topics]
    return [
        f"{visible(one['topic'])}: {counted(one['count'], 'partition')} "
        f"{'explain all' if one['fits'] else 'do not explain all'} of its {counted(one['records'], 'record')}"
        for one in document["routing"]["counts"]
    ]


def _sentence(one: RoutingTopic) -> str:
    """Return one topic's sentence: counts, how many ids they rest on, how sure that is."""
    ids, name = counted(one["ids"], "id"), visible(one["topic"]).strip().strip()
    rivals = one["rivals"]
    others = ", ".join(map(visible, rivals[:SHOWN_RIVALS])) + (", ..." if len(rivals) > SHOWN_RIVALS else "")
    also = f"; as many ids would fit {others}" if rivals else ""
    old, new = one.get("old_count"), one.get("new_count")
    if one["how"] == "one":
        return f"{name}: {counted(new or 0, 'partition')} explain where its {ids} lie ({one['confidence']}{also})"
    if one["how"] == "unexplained":
        return f"{name}: no partition count, and no two of them, explain where its {ids} lie"
    if one["how"] == "unused":
        least = "" if one.get("new_exact") else "at least "
        return f"{name}: its {ids} lie by {old} partitions, it has {least}{new} ({one['confidence']}{also})"
    return f"{name}: its {ids} lie by {old} and by {new} partitions: it was expanded ({one['confidence']}{also})"
