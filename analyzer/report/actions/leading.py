"""What comes before all else where a partition has no leader: nobody answers for it there, and no abort is taken."""

from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.kafka import admin_tools as tools
from analyzer.report.actions.steps import Step, commands
from analyzer.report.actions.targets import Target, opened_of
from analyzer.report.document.types import Document, OpenTransaction
from analyzer.report.sentences.cells import name, visible

UNCLEAN = (
    "if none of these can come back: an unclean election of another replica discards what it lacks, committed records "
    "and markers too. Copy the partition's folder from every broker first, and take a new capture afterwards"
)


def leaders_first(targets: Sequence[Target], document: Document) -> tuple[Step, ...]:
    """Return a step for each partition of these that has no leader (RULES F 9)."""
    opened = opened_of(document)
    places = dict.fromkeys((one.topic, one.partition) for one in targets)
    rows = [next(iter(_unled(opened.beside(*place))), None) for place in places]
    return tuple(_bring_back(row) for row in rows if row is not None)


def summarized(finding: dict[str, Any], targets: Sequence[Target], document: Document) -> dict[str, Any]:
    """Return the finding with a summary that begins with its partition's leader, where that has none."""
    first = finding["action"].get("summary")
    unled = [one.place for one in targets if any(_unled(opened_of(document).beside(one.topic, one.partition)))]
    if not first or not unled:
        return finding
    before = f"{name(unled[0])} has no leader: bring one back first. "
    moments = [
        {**one, "start": one["start"] + len(before)} if one["sentence"] == "/action/summary" else one
        for one in finding.get("moments") or ()
    ]
    told = finding | {"action": finding["action"] | {"summary": before + first}}
    return told | {"moments": moments} if moments else told


def _unled(rows: Sequence[OpenTransaction]) -> Iterator[OpenTransaction]:
    return (one for one in rows if one.get("unled_by"))


def _bring_back(row: OpenTransaction) -> Step:
    place = f"{name(row['topic'])}-{row['partition']}"
    sound, held = row.get("may_lead") or (), row.get("held_by") or ()
    if sound:
        start = f"start broker {_any(sound)}: in sync last, it leads again by itself and loses nothing"
    else:
        holds = f"broker {_any(held)} holds a copy; " if held else ""
        start = f"{holds}one that was in sync last leads again by itself and loses nothing"
    return Step(
        "look",
        f"bring back a leader of {place}, which has none ({visible(row['unled_by'] or '')}): before that no broker "
        "lists what is open there, and no abort is taken",
        commands((tools.describe_topic(row["topic"]), "")),
        expect=f"a broker as Leader of Partition {row['partition']}",
        answers=(start, UNCLEAN),
    )


def _any(brokers: Sequence[str]) -> str:
    return " or ".join(map(visible, brokers))
