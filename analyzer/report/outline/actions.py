"""The rows of the table of actions: what to do where, what waits, since when, whose transaction it is."""

from collections.abc import Iterable, Sequence

from analyzer.report.actions.steps import steps_of
from analyzer.report.document.parts import grouped
from analyzer.report.document.types import Document
from analyzer.report.outline.parts import Actions, Row
from analyzer.report.sentences.action_words import also
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import size, span
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident, where

Together = Sequence[Incident]
"""Incidents with the same thing to do in the same place, most dangerous first."""


def together(incidents: Iterable[Incident]) -> Sequence[Together]:
    """Return the incidents by what to do and where, in the order of the first of each."""
    return list(grouped(incidents, lambda one: (one.action, where(one.finding))).values())


def action_table(groups: Sequence[Together], document: Document, clock: Clock) -> Actions:
    """Return a row for each action in a place, in their order, and a caption that dates the times without a date.

    That is the day of the capture, or of the earliest time where the capture has none.
    """
    captured_at = document["capture"]["captured_at"]
    times = [one[0].since for one in groups if one[0].since is not None]
    head = captured_at if captured_at is not None else min(times, default=0)
    return Actions(tuple(_row(one, head, clock) for one in groups), _caption(times, head, clock) if times else "")


def _caption(times: list[int], head_ms: int, clock: Clock) -> str:
    """Return the day and zone of the times, or the zone alone where each time has its date."""
    days, head = {clock.day(time_ms) for time_ms in times}, clock.day(head_ms)
    if head not in days:
        return f"Times in this table: {clock.offset(head_ms)}"
    return f"Times in this table: {head}" + (", where no other date is shown" if len(days) > 1 else "")


def _row(group: Together, head_ms: int, clock: Clock) -> Row:
    """Return one row; what waits is in the row of the transaction that it waits for, the first of its partition."""
    incident = min(group, key=lambda one: not one.holds)
    finding = incident.finding
    holds = incident.holds and incident.lso is not None
    return Row(
        number=incident.head_number or incident.number,
        action=incident.action,
        place=name(where(finding)),
        lso=str(incident.lso) if holds else "-",
        records="-" if not holds or incident.records is None else f"{incident.records} rec",
        bytes=size(incident.bytes) if holds and incident.bytes is not None else "",
        since=clock.under(incident.since, head_ms) if holds and incident.since is not None else "-",
        owner=_owner(incident, at=not holds),
        step=step_about(incident),
        more=tuple((one.number, _owner(one, at=True)) for one in group if one is not incident),
        discards=_discards(group),
        also=tuple(dict.fromkeys(also(one) for incident in group if incident.head is None for one in incident.also)),
    )


def _owner(incident: Incident, *, at: bool) -> str:
    """Return whose it is and what is wrong; `at`: with its offsets, which no other cell of the row tells."""
    finding = incident.finding
    owner, producer = finding["transactional_id"], finding["producer_id"]
    whose = name(owner) if owner is not None else "" if producer is None else f"producer {producer}"
    if whose and at and finding["first_offset"] is not None:
        whose += f" {span(finding['first_offset'], finding['last_offset'])}"
    return ": ".join(filter(None, (whose, finding.get("label")))) or "-"


def _discards(group: Together) -> str:
    """Return how many records the aborts of a row discard; a plan for several partitions does not tell for each."""
    known = [one.discards for one in group if one.head is None]
    number = sum(one for one in known if one is not None)
    return f"{number} rec" if number else ""


def step_about(incident: Incident) -> int | None:
    """Return which of the steps of another incident's plan is the first about this partition; None for no such plan."""
    steps = steps_of(incident.head) if incident.head else ()
    return next((number for number, one in enumerate(steps, 1) if one.place == where(incident.finding)), None)
