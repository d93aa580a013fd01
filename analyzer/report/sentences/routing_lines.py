"""What the partition counts of the internal topics explain, as sentences."""

from analyzer.report.document.routed import RoutingTopic
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted

SHOWN_RIVALS = 5


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
