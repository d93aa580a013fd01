"""The table of the first screen: a row for each transaction, or for each finding that is about none."""

import itertools
from collections.abc import Iterator, Sequence

from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.confidence import least
from analyzer.report.document.types import UNDER_WAY, Document
from analyzer.report.outline.actions import step_about
from analyzer.report.outline.parts import Opened, Part, Transactions
from analyzer.report.sentences.action_words import also
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import few, span
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident, subject, where
from analyzer.report.triage.triage import Triage

_OWNER_CELLS = 120
PLACES, NOTES = 8, 3
"""Partitions of one transaction that are named, and notes of one row."""


def opened_rows(document: Document, triaged: Triage, clock: Clock) -> tuple[Part, ...]:
    """Return the table; nothing where there are no incidents."""
    if not triaged.causes:
        return ()
    captured_at = document["capture"]["captured_at"]
    times = [one.since for one in triaged.rows if one.since is not None and one.holds]
    head_ms = captured_at if captured_at is not None else min(times, default=0)
    rows = tuple(_row(some, cause.letter, head_ms, clock) for cause in triaged.causes for some in cause.transactions)
    signs = (
        f"times of {clock.day(head_ms)}" if times else "",
        "* the LSO: readers stop here" if any("*" in row.places for row in rows) else "",
    )
    return (Transactions(rows, "; ".join(filter(None, signs))),)


def _row(some: Sequence[Incident], letter: str, head_ms: int, clock: Clock) -> Opened:
    first = some[0]
    finding = first.finding
    holding = [one for one in some if one.holds and one.lso is not None]
    since = min((one.since for one in holding if one.since is not None), default=None)
    opened, decided = finding["first_offset"] is not None, finding["action"].get("decided")
    ends = opened and (decided is not None or finding["action"]["kind"] in ENDS_IT)
    held_first = sorted(some, key=lambda one: not one.holds)
    told = few([*map(_place, held_first)], PLACES, "more partitions")
    return Opened(
        letter=letter,
        number=first.number.partition(".")[0],
        owner=_owner(first),
        places=told if opened else _about(first),
        waiting=_waiting(holding),
        since="-" if since is None else clock.under(since, head_ms),
        decided=(decided or "unknown") if ends else "-",
        action=", ".join(dict.fromkeys(one.action for one in some)),
        discards=_discards(some),
        sure=least(one.finding["confidence"] for one in some),
        notes=tuple(itertools.islice(_notes(some), NOTES)),
    )


def _owner(one: Incident) -> str:
    """Return whose it is: the id, else the producer, else the group or the place."""
    finding = one.finding
    owner = subject(finding)
    if owner is not None:
        return name(owner, _OWNER_CELLS)
    return name(where(finding)) if finding["producer_id"] is None else f"producer {finding['producer_id']}"


def _place(one: Incident) -> str:
    """Return `orders-0 16..17*`; where the LSO stands elsewhere, its offset too."""
    finding = one.finding
    told = f"{name(where(finding), 60)} {span(finding['first_offset'], finding['last_offset'])}"
    if not one.holds or one.lso is None:
        return told
    return told + "*" + ("" if one.lso == finding["first_offset"] else f" (LSO {one.lso})")


def _about(one: Incident) -> str:
    """Return what a finding on no open data says, with its partition where the row's owner does not tell it."""
    finding = one.finding
    label = finding.get("label")
    if not label:
        return finding["headline"]
    if finding["partition"] is None or subject(finding) is None:
        return label
    return f"{label} ({name(where(finding), 60)})"


def _waiting(holding: Sequence[Incident]) -> str:
    if not holding:
        return "-"
    if any(one.records is None for one in holding):
        return "unknown"
    return f"{sum(one.records or 0 for one in holding)} rec"


def _discards(some: Sequence[Incident]) -> str:
    known = [one.discards for one in some if one.head is None and one.finding["action"]["kind"] in ENDS_IT]
    if not known:
        return "-"
    return "unknown" if None in known else f"{sum(one or 0 for one in known)} rec"


def _notes(some: Sequence[Incident]) -> Iterator[str]:
    """Yield what stands before it in its partition, where its steps are, and what folded findings add."""
    for one in some:
        if one.after is not None and one.after["verdict"] in UNDER_WAY | {"undecided"}:
            whose = name(one.after.get("transactional_id") or f"producer {one.after['producer_id']}")
            at = f"{whose} at {one.after['first_offset']} ({one.after['verdict']})"
            yield f"{name(where(one.finding))}: the LSO is held by {at}; ending this one frees no one before that ends"
        if one.head is not None:
            number = step_about(one)
            yield f"its steps are in plan {one.head_number}" + ("" if number is None else f", step {number}")
    yield from dict.fromkeys(also(one) for incident in some if incident.head is None for one in incident.also)
