"""Whom the incident touched: partitions that were held up, groups, what was lost or shown wrongly."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from analyzer.report.document.parts import grouped
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.action_words import impact_of
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted
from analyzer.report.triage.incident import Incident, where
from analyzer.report.triage.triage import Triage

HARM = {
    "lost_data": "Confirmed records that readers no longer get",
    "wrong_data": "Records that readers got although they should not have, or should have got and did not",
    "key_order": "Records of a key that were read in the wrong order",
}
NAMED = 8


@dataclasses.dataclass(frozen=True, slots=True)
class Held:
    """A partition whose readers stop: since when (epoch ms), what waits, which groups do (None: not known)."""

    place: str
    since: int | None
    records: int | None
    bytes: int | None
    groups: tuple[str, ...] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Harm:
    """What happened to records: in a word of `HARM`, at which places, how many where that is known."""

    impact: str
    places: tuple[str, ...]
    records: int | None


def held(triaged: Triage) -> list[Held]:
    """Return the stuck partitions, the longest stuck first; the transaction that comes first in each holds it up."""
    firsts: dict[str, Incident] = {}
    for one in triaged.rows:
        place = where(one.finding)
        stuck = (one.finding["topic"], one.finding["partition"]) in triaged.stuck
        if stuck and one.lso is not None and (one.holds or place not in firsts):
            firsts[place] = one
    rows = []
    for place, one in firsts.items():
        waiting = one.finding.get("waiting")
        known = waiting["groups"] if waiting else None
        rows.append(Held(place, one.since, one.records, one.bytes, None if known is None else tuple(known)))
    return sorted(rows, key=lambda row: (row.since is None, row.since or 0, row.place))


def groups(document: Document, rows: Sequence[Held]) -> tuple[str, ...]:
    """Return the groups that are known to be held up, without repeats."""
    named = (group for row in rows for group in row.groups or ())
    stored = (one["group"] for one in document.get("group_impact") or [] if one["group"] is not None)
    pending = (one.get("group") for one in document["findings"] if one["code"] == "GRP002")
    return tuple(dict.fromkeys(group for group in (*named, *stored, *pending) if group))


def harms(findings: Sequence[Finding]) -> list[Harm]:
    """Return what readers were given wrongly or not at all, by its kind."""
    told: Mapping[str | None, list[Finding]] = grouped(findings, impact_of)
    return [_harm(kind, told[kind]) for kind in HARM if kind in told]


def _harm(kind: str, findings: Sequence[Finding]) -> Harm:
    numbers = [readers.get("records") if (readers := one.get("readers")) else None for one in findings]
    known = [number for number in numbers if number is not None]
    places = tuple(dict.fromkeys(where(one) for one in findings))
    return Harm(kind, places, sum(known) if len(known) == len(numbers) else None)


def would_lose(triaged: Triage) -> Iterator[str]:
    """Yield what ending the transactions by hand would destroy: first those that were confirmed."""
    for kind, told in (
        ("save_then_abort", "would be discarded by an abort, and applications may believe that this data is confirmed"),
        ("abort", "would be discarded by an abort, and no application was told that this data is confirmed"),
    ):
        those = [one for one in triaged.incidents if one.finding["action"]["kind"] == kind]
        numbers = [one.discards for one in those]
        if those:
            places = tuple(dict.fromkeys(where(one.finding) for one in those))
            number = counted(sum(one or 0 for one in numbers), "record") if None not in numbers else "Records"
            yield f"{number} in {named(places)} {told}."


def named(places: Sequence[str], most: int = NAMED) -> str:
    """Return places in one phrase, the first few by name."""
    more = f" and {counted(len(places) - most, 'other')}" if len(places) > most else ""
    return ", ".join(visible(one) for one in places[:most]) + more
