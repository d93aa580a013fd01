"""What a reader must know first: incidents by the danger of the wrong action, and what is undecided."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import cast

from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.parts import grouped
from analyzer.report.document.types import SEVERITIES, UNDER_WAY, Document, Finding, OpenTransaction, Partition
from analyzer.report.sentences.action_words import action_word, impact_of, said_upwards
from analyzer.report.triage.causes import Cause, by_cause
from analyzer.report.triage.incident import NOT_OPEN, Incident, folds, is_open, where
from analyzer.tables.action_words import DANGER, Impact

_CALM = UNDER_WAY | {"undecided"}
_NEVER = 1 << 62
_OF_A_PLACE = (
    "topic", "partition", "replica", "transactional_id", "producer_id", "producer_epoch", "first_offset", "last_offset",
)  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Triage:
    """The document in the order of a report; `asides` are findings of severity info.

    `causes` have a row for each incident, and one more for each stuck partition that none of them is about. `impacts`:
    of how many incidents readers were given that. `rescues` are findings of committed records that one copy has,
    and not for long. `contested`: partitions that are stuck only if one of several replicas leads, and nobody knows
    which one does. `groups`: those that wait in what is stuck.
    """

    causes: tuple[Cause, ...]
    incidents: tuple[Incident, ...]
    asides: tuple[Incident, ...]
    stuck: frozenset[tuple[str, int]]
    undecided: tuple[OpenTransaction, ...]
    in_flight: tuple[OpenTransaction, ...]
    to_end: int
    not_to_abort: int
    impacts: Mapping[Impact, int]
    rescues: tuple[Finding, ...] = ()
    contested: frozenset[tuple[str, int]] = frozenset()
    groups: tuple[str, ...] = ()

    @property
    def stuck_by_topic(self) -> dict[str, list[int]]:
        """The partitions that are stuck, in their order."""
        places: dict[str, list[int]] = {}
        for topic, partition in sorted(self.stuck):
            places.setdefault(topic, []).append(partition)
        return places

    @property
    def rows(self) -> tuple[Incident, ...]:
        """The rows of all causes."""
        return tuple(one for cause in self.causes for one in cause.rows)


def triage(document: Document) -> Triage:
    """Return the incidents of a document, most dangerous first, and its open transactions by verdict.

    Severity is not the order, the danger of the wrong action is: what must not be aborted yet comes before what may
    be. What has one cause stands together, and what caused the hang of others comes first. Only the replica that is
    judged (`authority`) counts as open.
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
    grave = [dataclasses.replace(one, apart=_is_apart(one, stuck)) for one in grave]
    planned = {one["id"]: head.finding for head in grave for one in (head.finding, *head.folded)}
    held = [dataclasses.replace(one, head=planned.get(one.finding["id"]))
            for one in _held(opened, grave, document["findings"], bounds)]  # fmt: skip
    causes = by_cause(_holding(sorted([*grave, *held], key=_order), opened))
    numbered = tuple(one for cause in causes for one in cause.rows if one.head is None)
    last = sum(len(cause.transactions) for cause in causes)
    return Triage(
        causes=causes,
        incidents=numbered,
        asides=tuple(dataclasses.replace(one, number=str(place)) for place, one in enumerate(light, last + 1)),
        stuck=stuck,
        undecided=tuple(one for one in opened if one["verdict"] == "undecided"),
        in_flight=tuple(one for one in opened if one["verdict"] in UNDER_WAY),
        to_end=sum(one.finding["action"]["kind"] in ENDS_IT for one in numbered),
        not_to_abort=sum(one.finding["action"]["kind"] == "save_then_abort" for one in numbered),
        impacts=Counter(impact for one in numbered for impact in one.impacts),
        rescues=tuple(one.finding for one in numbered if one.finding["action"]["kind"] == "rescue"),
        contested=frozenset(contested) - stuck,
        groups=tuple(
            one["group"] for one in document.get("group_impact") or [] if (one["topic"], one["partition"]) in stuck
        ),
    )


def _incident(finding: Finding, folded: list[Finding], bounds: dict[tuple[str, int], Partition]) -> Incident:
    """Return the finding with the numbers of what waits: its own, or those of its partition."""
    waiting, strip = finding.get("waiting"), finding.get("strip")
    bound = bounds.get((finding["topic"] or "", -1 if finding["partition"] is None else finding["partition"]))
    lso = strip["lso"] if strip else bound["lso"] if bound else None
    records = waiting["records"] if waiting else bound["blocked_records"] if bound else None
    blocked_bytes = waiting["bytes"] if waiting else bound["blocked_bytes"] if bound else None
    since = waiting["since"] if waiting else bound.get("blocked_since") if bound else None
    if finding["action"]["kind"] in NOT_OPEN:
        lso = records = blocked_bytes = since = None
    impacts = frozenset(impact for one in (finding, *folded) if (impact := impact_of(one)) is not None)
    also = said_upwards(finding, folded)
    word = action_word(finding)
    return Incident("", finding, word, impacts, lso, records, blocked_bytes, since, tuple(folded), also)


def _held(
    opened: list[OpenTransaction],
    incidents: list[Incident],
    findings: list[Finding],
    bounds: dict[tuple[str, int], Partition],
) -> Iterator[Incident]:
    """Yield an incident for each stuck partition whose first open transaction has none: its cause is elsewhere.

    It has the most dangerous action of all that hold the partition back.
    """
    told = {_whose(one.finding) for one in incidents if one.lso is not None or is_open(one.finding)}
    known = {one["id"]: one for one in findings}
    wrong = [one for one in opened if one["verdict"] not in _CALM]
    holding = grouped(wrong, lambda one: (one["topic"], one["partition"]))
    for rows in holding.values():
        first = min(rows, key=lambda one: one["first_offset"])
        causes = [known[name] for one in rows if (name := one.get("finding")) is not None and name in known]
        if causes and _whose(first) not in told:
            worst = min(causes, key=lambda cause: DANGER[action_word(cause)])
            here = {name: first.get(name) for name in _OF_A_PLACE} | {"strip": None, "waiting": None}
            yield _incident(cast("Finding", {**worst, **here}), [], bounds)


def _whose(one: Finding | OpenTransaction) -> tuple[str | None, int | None, int | None]:
    """Return the place and the producer: what has one open transaction at most."""
    return one["topic"], one["partition"], one["producer_id"]


def _holding(rows: list[Incident], opened: list[OpenTransaction]) -> Iterator[Incident]:
    """Yield the rows, each with whether it is the first that is open in its partition, and what is there before it."""
    firsts: dict[str, int] = {}
    before: dict[str, OpenTransaction] = {}
    for one in rows:
        if one.lso is not None:
            firsts[where(one.finding)] = min(firsts.get(where(one.finding), _NEVER), _first(one))
    for other in opened:
        place = f"{other['topic']}-{other['partition']}"
        if place in firsts and other["first_offset"] < firsts[place]:
            firsts[place] = other["first_offset"]
        if other["first_offset"] <= firsts.get(place, -1):
            before[place] = other
    for one in rows:
        place = where(one.finding)
        holds = _first(one) == firsts.get(place)
        yield dataclasses.replace(one, holds=holds, after=None if holds else before.get(place))


def _first(one: Incident) -> int:
    offset = one.finding["first_offset"]
    return _NEVER if offset is None else offset


def _is_apart(one: Incident, stuck: frozenset[tuple[str, int]]) -> bool:
    """Return whether a finding has done nothing to readers and is about no stuck partition."""
    place = (one.finding["topic"] or "", -1 if one.finding["partition"] is None else one.finding["partition"])
    return not one.impacts and one.finding["action"]["kind"] not in ENDS_IT and place not in stuck


def _order(one: Incident) -> tuple[int, int, int, str, int, int]:
    """Return the key that sorts by danger, severity, age, place."""
    finding = one.finding
    since = _NEVER if one.since is None else one.since
    place = (finding["topic"] or "", finding["partition"] or 0, finding["first_offset"] or 0)
    return (DANGER[one.action], SEVERITIES[finding["severity"]], since, *place)


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
        if incident.finding["action"]["kind"] in ENDS_IT and topic is not None and partition is not None:
            held.add((topic, partition))
    return frozenset(held)
