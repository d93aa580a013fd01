"""What a reader must know first: incidents by the danger of the wrong action, and what is undecided."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.report.document.heads import folds
from analyzer.report.document.types import Document, Finding, OpenTransaction, Partition
from analyzer.report.sentences.action_words import action_word, impact_of, said_upwards
from analyzer.tables.action_words import DANGER, Impact

_CALM = frozenset({"in_flight", "completing", "undecided"})
_ENDS_IT = frozenset({"abort", "save_then_abort"})
_NOT_OPEN = frozenset({"none", "rescue"})
"""Actions of findings that hold nothing back."""
_SEVERITIES = {"critical": 0, "warning": 1, "info": 2}
_NEVER = 1 << 62


@dataclasses.dataclass(frozen=True, slots=True)
class Incident:
    """A head finding with its number in the report, its action in words, and what waits for it (None: not known).

    `impacts`: what readers were given, by the finding and by what is folded under it; `also`: of the latter, those
    whose action comes beside its own. `apart`: it has no impact and is not about a stuck partition. `head`: where
    another incident's plan ends it, that one's finding; `number` is then the other's. `holds`: of all that is open in
    its partition, it is the first: the LSO stands there, and all that waits waits for it.
    """

    number: int
    finding: Finding
    action: str
    impacts: frozenset[Impact]
    lso: int | None
    records: int | None
    bytes: int | None
    since: int | None
    folded: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()
    apart: bool = False
    head: Finding | None = None
    holds: bool = True

    @property
    def discards(self) -> int | None:
        """Records that the abort which it asks for discards; None if it asks for none, or the number is not known."""
        action = self.finding["action"]
        return action.get("discards") if action["kind"] in _ENDS_IT else None


@dataclasses.dataclass(frozen=True, slots=True)
class Triage:
    """The document in the order of a report; `asides` are findings of severity info.

    `rows` are the incidents, and one more for each stuck partition that none of them is about. `impacts`: of how many
    incidents readers were given that. `rescues` are findings of committed records that one copy has, and not for long.
    `contested`: partitions that are stuck only if one of several replicas leads, and nobody knows which one does.
    """

    incidents: tuple[Incident, ...]
    asides: tuple[Incident, ...]
    rows: tuple[Incident, ...]
    stuck: frozenset[tuple[str, int]]
    undecided: tuple[OpenTransaction, ...]
    in_flight: tuple[OpenTransaction, ...]
    to_end: int
    not_to_abort: int
    impacts: Mapping[Impact, int]
    rescues: tuple[Finding, ...] = ()
    contested: frozenset[tuple[str, int]] = frozenset()


def triage(document: Document) -> Triage:
    """Return the incidents of a document, most dangerous first, and its open transactions by verdict.

    Severity is not the order, the danger of the wrong action is: what must not be aborted yet comes before what may
    be. Only the replica that is judged (`authority`) counts as open.
    """
    heads, folded = folds(document["findings"])
    bounds = {(one["topic"], one["partition"]): one for one in document["partitions"] if one["authority"]}
    judged = [_incident(head, folded[head["id"]], bounds) for head in heads]
    judged.sort(key=_order)
    grave = [one for one in judged if one.finding["severity"] != "info"]
    light = [one for one in judged if one.finding["severity"] == "info"]
    opened = [one for one in document["open_transactions"] if one["authority"]]
    stuck = _stuck(opened, grave)
    contested = {(one["topic"], one["partition"]) for one in document["partitions"] if one.get("contested")}
    numbered = tuple(_numbered(grave, 1, stuck))
    held = _held(opened, grave, document["findings"], bounds)
    planned = {one["id"]: head for head in numbered for one in (head.finding, *head.folded)}
    return Triage(
        incidents=numbered,
        asides=tuple(_numbered(light, len(grave) + 1, stuck)),
        rows=tuple(_holding(sorted([*numbered, *(_planned(one, planned) for one in held)], key=_order))),
        stuck=stuck,
        undecided=tuple(one for one in opened if one["verdict"] == "undecided"),
        in_flight=tuple(one for one in opened if one["verdict"] in {"in_flight", "completing"}),
        to_end=sum(one.finding["action"]["kind"] in _ENDS_IT for one in numbered),
        not_to_abort=sum(one.finding["action"]["kind"] == "save_then_abort" for one in numbered),
        impacts=Counter(impact for one in numbered for impact in one.impacts),
        rescues=tuple(one.finding for one in numbered if one.finding["action"]["kind"] == "rescue"),
        contested=frozenset(contested) - stuck,
    )


def where(finding: Finding) -> str:
    """Return `topic-partition`, or the group or the code's name where a finding has no partition."""
    if finding["topic"] is None:
        return finding.get("group") or finding["name"]
    return finding["topic"] if finding["partition"] is None else f"{finding['topic']}-{finding['partition']}"


def names_its_place(finding: Finding) -> bool:
    """Return whether the headline begins with the place, so that a title need not."""
    return finding["headline"].startswith(where(finding))


def _incident(finding: Finding, folded: list[Finding], bounds: dict[tuple[str, int], Partition]) -> Incident:
    """Return the finding with the numbers of what waits: its own, or those of its partition."""
    waiting, strip = finding.get("waiting"), finding.get("strip")
    bound = bounds.get((finding["topic"] or "", -1 if finding["partition"] is None else finding["partition"]))
    lso = strip["lso"] if strip else bound["lso"] if bound else None
    records = waiting["records"] if waiting else bound["blocked_records"] if bound else None
    blocked_bytes = waiting["bytes"] if waiting else bound["blocked_bytes"] if bound else None
    since = waiting["since"] if waiting else bound.get("blocked_since") if bound else None
    if finding["action"]["kind"] in _NOT_OPEN:
        lso = records = blocked_bytes = since = None
    impacts = frozenset(impact for one in (finding, *folded) if (impact := impact_of(one)) is not None)
    also = said_upwards(finding, folded)
    word = action_word(finding)
    return Incident(0, finding, word, impacts, lso, records, blocked_bytes, since, tuple(folded), also)


def _held(
    opened: list[OpenTransaction],
    incidents: list[Incident],
    findings: list[Finding],
    bounds: dict[tuple[str, int], Partition],
) -> Iterator[Incident]:
    """Yield an incident for each stuck partition whose first open transaction has none: its cause is elsewhere.

    It has the most dangerous action of all that hold the partition back.
    """
    told = {_whose(one.finding) for one in incidents if one.lso is not None or _is_open(one.finding)}
    known = {one["id"]: one for one in findings}
    holding: dict[tuple[str, int], list[OpenTransaction]] = {}
    for one in opened:
        if one["verdict"] not in _CALM:
            holding.setdefault((one["topic"], one["partition"]), []).append(one)
    for rows in holding.values():
        first = min(rows, key=lambda one: one["first_offset"])
        causes = [known[name] for one in rows if (name := one.get("finding")) is not None and name in known]
        if causes and _whose(first) not in told:
            worst = min((_incident(cause, [], bounds) for cause in causes), key=lambda one: DANGER[one.action])
            yield _at(first, worst.finding, bounds)


def _is_open(finding: Finding) -> bool:
    """Return whether the finding is about data that is open, also where no file of its partition is here."""
    return finding["first_offset"] is not None and finding["action"]["kind"] not in _NOT_OPEN


def _whose(one: Finding | OpenTransaction) -> tuple[str | None, int | None, int | None]:
    """Return the place and the producer: what has one open transaction at most."""
    return one["topic"], one["partition"], one["producer_id"]


def _holding(rows: list[Incident]) -> Iterator[Incident]:
    """Yield the rows, each with whether it is the first that is open in its partition."""
    firsts: dict[str, int] = {}
    for one in rows:
        if one.lso is not None:
            firsts[where(one.finding)] = min(firsts.get(where(one.finding), _NEVER), _first(one))
    for one in rows:
        yield dataclasses.replace(one, holds=_first(one) == firsts.get(where(one.finding)))


def _first(one: Incident) -> int:
    offset = one.finding["first_offset"]
    return _NEVER if offset is None else offset


def _at(one: OpenTransaction, cause: Finding, bounds: dict[tuple[str, int], Partition]) -> Incident:
    """Return the cause as an incident of the place of this open transaction."""
    place: Any = {name: one.get(name) for name in ("topic", "partition", "replica", "transactional_id", "producer_id")}
    offsets: Any = {"first_offset": one["first_offset"], "last_offset": one["last_offset"]}
    return _incident({**cause, **place, **offsets, "strip": None, "waiting": None}, [], bounds)


def _planned(held: Incident, planned: dict[str, Incident]) -> Incident:
    """Return the incident of a place with the number and the finding of the one whose plan ends it."""
    head = planned.get(held.finding["id"])
    return dataclasses.replace(held, number=head.number, head=head.finding) if head else held


def _numbered(incidents: list[Incident], start: int, stuck: frozenset[tuple[str, int]]) -> Iterator[Incident]:
    """Yield the incidents with their numbers, and whether each is apart from what is stuck."""
    for number, one in enumerate(incidents, start):
        place = (one.finding["topic"] or "", -1 if one.finding["partition"] is None else one.finding["partition"])
        apart = not one.impacts and one.finding["action"]["kind"] not in _ENDS_IT and place not in stuck
        yield dataclasses.replace(one, number=number, apart=apart)


def _order(one: Incident) -> tuple[int, int, int, str, int, int]:
    """Return the key that sorts by danger, severity, age, place."""
    finding = one.finding
    since = _NEVER if one.since is None else one.since
    place = (finding["topic"] or "", finding["partition"] or 0, finding["first_offset"] or 0)
    return (DANGER[one.action], _SEVERITIES[finding["severity"]], since, *place)


def _stuck(opened: list[OpenTransaction], incidents: list[Incident]) -> frozenset[tuple[str, int]]:
    """Return the partitions whose last stable offset a finding holds back, whichever replica leads."""
    held = {
        (one["topic"], one["partition"]) for one in opened if one["verdict"] not in _CALM and not one.get("disputed")
    }
    disputed = {_whose(one) for one in opened if one.get("disputed")}
    for incident in incidents:
        topic, partition = incident.finding["topic"], incident.finding["partition"]
        if _whose(incident.finding) in disputed:
            continue
        if incident.finding["action"]["kind"] in _ENDS_IT and topic is not None and partition is not None:
            held.add((topic, partition))
    return frozenset(held)
