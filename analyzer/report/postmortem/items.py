"""The action items of a post-mortem: what ends the incident, what prevents the next one, what would tell of it."""

from collections.abc import Iterable, Iterator

from analyzer.report.postmortem.causes import Cause
from analyzer.report.postmortem.impact import named
from analyzer.report.sentences.action_words import action_word
from analyzer.report.triage.incident import where
from analyzer.report.triage.triage import Triage
from analyzer.tables.action_words import CALM

MOST = 20
"""Incidents that an item names."""
REPAIRS = {
    "do not abort yet": "save the records and ask their owners, then end the transaction",
    "abort": "end the transaction once its checks match",
    "check first": "end the transaction if the checks say that it hangs",
    "end the orphans": "end the orphaned transactions as the plan of the report says",
    "copy files first": "copy the files of a deposed broker before it starts again",
    "notify consumers": "tell the owners of the readers which records were wrong",
    "notify the producer": "tell the owners of the producer which records are lost",
}
"""What the words of actions ask for, as tasks."""


def action_items(triaged: Triage, found: Iterable[Cause]) -> Iterator[tuple[str, str]]:
    """Yield each item: its kind (repair, prevent, detect), and what is to be done."""
    yield from _repairs(triaged)
    yield from _preventions(found)
    yield "detect", "alert on partitions whose LSO does not move: txn-forensics run on a schedule with --metrics"


def _repairs(triaged: Triage) -> Iterator[tuple[str, str]]:
    """Yield what ends the incident, the same action once, what folded findings add to it first."""
    together: dict[str, list[tuple[str, str]]] = {}
    for one in triaged.incidents:
        for also in one.also:
            place = where(also) + (f" on broker {also['replica']}" if action_word(also) == "copy files first" else "")
            together.setdefault(action_word(also), []).append((place, one.number))
    for one in triaged.incidents:
        together.setdefault(one.action, []).append((where(one.finding), one.number))
    for action, those in together.items():
        numbers = list(dict.fromkeys(number for _, number in those))
        which = f"{'incident' if len(numbers) == 1 else 'incidents'} {', '.join(numbers[:MOST])}"
        places = named(tuple(dict.fromkeys(place for place, _ in those)))
        if action not in CALM or action == "wait":
            yield "repair", f"{REPAIRS.get(action, action)}: {places} ({which} of the report)"


def _preventions(found: Iterable[Cause]) -> Iterator[tuple[str, str]]:
    for text in dict.fromkeys(text for one in found for text in one.prevention):
        yield "prevent", text
