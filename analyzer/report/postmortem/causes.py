"""Root causes, what set them off, what contributed, and what to change: each cause once, with all that it made."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from analyzer.report.document.confidence import least
from analyzer.report.document.parts import grouped
from analyzer.report.document.types import Finding
from analyzer.report.outline.causes import causes_of, either
from analyzer.report.postmortem.events import Event
from analyzer.report.postmortem.impact import named
from analyzer.report.postmortem.plain_words import PLAIN
from analyzer.report.sentences.action_words import action_word
from analyzer.report.sentences.cells import visible
from analyzer.report.triage.incident import Incident, where
from analyzer.report.triage.triage import Triage
from analyzer.tables.action_words import CALM

_SETS_OFF = {"TXN008": "election", "LOG001": "election", "RTE003": "expansion"}
"""Codes of findings, and the kind of event in their partition or topic that sets them off."""
MOST_WORDS = 5
"""Sentences in plain words about one cause: its own, and of what it made in other places."""
MOST_INCIDENTS = 20
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


@dataclasses.dataclass(frozen=True, slots=True)
class Cause:
    """A root cause: in plain words and in Kafka's, how sure, the alternatives, what contributed, where it shows.

    `prevention`: what keeps it from happening again.
    """

    plain: tuple[str, ...]
    cause: str
    sure: str
    alternatives: tuple[str, ...]
    contributed: tuple[str, ...]
    findings: tuple[Finding, ...]
    prevention: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """Where it shows, without repeats."""
        return tuple(dict.fromkeys(where(one) for one in self.findings))


def causes(incidents: Iterable[Incident]) -> list[Cause]:
    """Return the causes of the incidents in their order; incidents of one first cause and code are one.

    A cause that names its partition is the same in each of them.
    """

    def kind(one: Incident) -> tuple[str, str]:
        return one.finding["code"], "".join(one.finding["cause"][:1]).replace(where(one.finding), "")

    return [_cause(some) for some in grouped(incidents, kind).values()]


def _cause(incidents: Sequence[Incident]) -> Cause:
    heads = tuple(one.finding for one in incidents)
    (first, *others), *further = causes_of(heads[0]) or [["not known"]]
    under = [folded["code"] for one in incidents for folded in one.folded]
    codes = [one["code"] for one in heads] + [code for code, _ in Counter(under).most_common()]
    words = dict.fromkeys(PLAIN[code] for code in codes if code in PLAIN)
    prevented = dict.fromkeys(text for one in heads for text in one.get("prevention") or [])
    return Cause(
        tuple(words)[:MOST_WORDS],
        first,
        _sure(heads),
        tuple(others),
        tuple(map(either, further)),
        heads,
        tuple(map(visible, prevented)),
    )


def _sure(heads: Sequence[Finding]) -> str:
    """Return how sure the cause is, the least sure of them."""
    answers = [sure["answer"] for one in heads for sure in one.get("certainty") or [] if sure["question"] == "why"]
    return least(["certain", *(answers or [one["confidence"] for one in heads])])


def trigger(told: Sequence[Event], found: Iterable[Cause]) -> Event | None:
    """Return the event that the first cause names as what set it off, None where no event is that one.

    An election, where a marker was cut off in that partition; the expansion, where ids are routed by two counts. What
    else changed in the cluster may have nothing to do with it.
    """
    for cause in found:
        kind = _SETS_OFF.get(cause.findings[0]["code"])
        events = [one for one in told if one.kind == kind and set(one.places) & set(cause.places)]
        if events:
            return min(events, key=lambda one: (one.source != "controllers' log", one.at))
    return None


def action_items(triaged: Triage, found: Iterable[Cause]) -> Iterator[tuple[str, str]]:
    """Yield each item: its kind (repair, prevent, detect), and what is to be done."""
    yield from _repairs(triaged)
    prevented = dict.fromkeys(text for one in found for text in one.prevention)
    yield from (("prevent", text) for text in prevented)
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
        which = f"{'incident' if len(numbers) == 1 else 'incidents'} {', '.join(numbers[:MOST_INCIDENTS])}"
        places = named(tuple(dict.fromkeys(place for place, _ in those)))
        if action not in CALM or action == "wait":
            yield "repair", f"{REPAIRS.get(action, action)}: {places} ({which} of the report)"
