"""Some rows of a report alone: their steps, or why they are so, with the lines that show it."""

from collections.abc import Callable, Iterator, Sequence
from string import ascii_uppercase

from analyzer.report.document.types import Document, Finding
from analyzer.report.outline.build import before_plans, filled
from analyzer.report.outline.incident import evidence_blocks, identity_of, step_blocks, summary_of, title_of
from analyzer.report.outline.parts import Outline, Section, Text
from analyzer.report.outline.verdict import title_sentence
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident
from analyzer.report.triage.triage import Triage, triage

Told = Callable[[Sequence[Incident], Document, Clock], Iterator[Section]]


def chosen_outline(document: Document, rows: Sequence[str], clock: Clock, told: Told) -> Outline | list[str]:
    """Return what `told` says of these rows: their numbers (`3`, `3.1`) or the letters of their causes (`A`).

    Where some are no rows of this document, those instead.
    """
    shown = clock.document(document)
    triaged = triage(shown)
    found = {row: _chosen(triaged, row) for row in rows}
    unknown = [row for row, incidents in found.items() if not incidents]
    if unknown:
        return unknown
    incidents = {one.number: one for some in found.values() for one in some}
    sections = told(tuple(incidents.values()), shown, clock)
    return Outline(f"txn-forensics  {title_sentence(shown, clock)}", filled(sections))


def numbers(document: Document) -> list[str]:
    """Return the numbers of all rows, in their order."""
    triaged = triage(document)
    return list(dict.fromkeys(one.number for one in (*triaged.rows, *triaged.asides)))


def plans(incidents: Sequence[Incident], document: Document, _: Clock) -> Iterator[Section]:
    """Yield what the commands need, then the steps of each row; a row whose steps are in another plan says so."""
    yield Section("", (before_plans(map(_planned, incidents), document),))
    written = set[str]()
    for one in incidents:
        pointer = () if one.head is None else (Text(f"Its steps are in plan {one.head_number}:"),)
        planned = _planned(one)
        blocks = [*step_blocks(planned)] if planned["id"] not in written else []
        written.add(planned["id"])
        none = () if blocks or one.head else (Text("No steps: the sentence above says it all.", "quiet"),)
        yield Section(title_of(one.finding), (summary_of(one), pointer, *blocks, none), one.number)


def evidence(incidents: Sequence[Incident], document: Document, clock: Clock) -> Iterator[Section]:
    """Yield what each row is, its offsets, why, and the lines of the files that show it."""
    legends = set[str]()
    for one in incidents:
        blocks = (identity_of(one.finding, one.folded), *evidence_blocks(one, document, clock, legends))
        yield Section(title_of(one.finding), blocks, one.number)


def _planned(incident: Incident) -> Finding:
    """Return the finding whose plan ends it."""
    return incident.head or incident.finding


def _chosen(triaged: Triage, row: str) -> list[Incident]:
    """Return the rows of a number, of both parts of a number, or of a letter."""
    lettered = [one for cause in triaged.causes if cause.letter == row.upper() for one in cause.rows]
    own = row.upper().lstrip(ascii_uppercase)
    every = (*triaged.rows, *triaged.asides)
    return lettered or [one for one in every if own in (one.number, one.number.partition(".")[0])]
