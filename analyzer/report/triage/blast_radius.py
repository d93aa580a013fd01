"""Who is held up: topics with stuck partitions against the groups that are known to wait."""

import dataclasses
from collections.abc import Sequence

from analyzer.report.document.types import Document
from analyzer.report.sentences.quantities import few
from analyzer.report.triage.triage import triage

MOST_GROUPS, MOST_TOPICS, MOST_PARTITIONS = 12, 30, 12
PENDING, STOPPED = "positions pending", "stopped"


@dataclasses.dataclass(frozen=True, slots=True)
class Topic:
    """A row: the partitions of a topic that are stuck, and for each group what holds it up there, empty for nothing."""

    topic: str
    partitions: str
    cells: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Blast:
    """The matrix, and what it does not show."""

    groups: tuple[str, ...]
    rows: tuple[Topic, ...]
    note: str


def blast_radius(document: Document) -> Blast | None:
    """Return the matrix; None where no partition is stuck."""
    triaged = triage(document)
    if not triaged.stuck:
        return None
    held = _held(document)
    for one in triaged.rows:
        waiting = one.finding.get("waiting")
        for group in (waiting["groups"] if waiting else None) or ():
            held.setdefault(((one.finding["topic"] or ""), group), set()).add(STOPPED)
    topics = triaged.stuck_by_topic
    groups = tuple(dict.fromkeys(group for topic, group in sorted(held) if topic in topics))
    shown = groups[:MOST_GROUPS]
    rows = [
        Topic(topic, _numbers(numbers), tuple(_cell(held.get((topic, group), set())) for group in shown))
        for topic, numbers in list(topics.items())[:MOST_TOPICS]
    ]
    return Blast(shown, tuple(rows), _note(groups, len(topics) - len(rows)))


def _cell(how: set[str]) -> str:
    """Return what holds a group up in a topic: of both, that its own positions are pending."""
    return PENDING if PENDING in how else STOPPED if how else ""


def _held(document: Document) -> dict[tuple[str, str], set[str]]:
    held: dict[tuple[str, str], set[str]] = {}
    for one in document.get("group_impact") or []:
        held.setdefault((one["topic"], one["group"]), set()).add(PENDING if one["pending"] else STOPPED)
    return held


def _numbers(partitions: list[int]) -> str:
    word = "partition" if len(partitions) == 1 else "partitions"
    return f"{word} {few([*map(str, partitions)], MOST_PARTITIONS)}"


def _note(groups: Sequence[str], topics: int) -> str:
    told = [f"{len(groups) - MOST_GROUPS} more groups"] if len(groups) > MOST_GROUPS else []
    told += [f"{topics} more topics"] if topics > 0 else []
    left = f" Not shown: {', '.join(told)}." if told else ""
    if not groups:
        return (
            "Every reader with isolation.level=read_committed stops there. Which groups these are is not in this "
            f"capture: a dump of __consumer_offsets, or kafka-consumer-groups.sh --describe, shows it.{left}"
        )
    return f"Every other reader with isolation.level=read_committed stops there, too; this capture names these.{left}"
