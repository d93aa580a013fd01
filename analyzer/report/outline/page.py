"""What the HTML page shows, in its order: actions, incidents with their cards, rows for the rest, endings."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from analyzer.report.document.timelines import Incident as Happening
from analyzer.report.document.types import Document, Finding
from analyzer.report.outline import sections
from analyzer.report.outline.actions import action_table, together
from analyzer.report.outline.build import before_plans, ending, filled, first_plans
from analyzer.report.outline.causes import cause_sentence
from analyzer.report.outline.incident import incident_section
from analyzer.report.outline.parts import Actions, Part, Section
from analyzer.report.outline.verdict import read_sentence, taken_sentence, verdict_sentences
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident, subject, where
from analyzer.report.triage.triage import Triage, triage

MOST_CARDS = 100
"""Findings told in full; the others are rows."""
MOST_BYTES = 9_000_000
"""Rows are left out where the page would become larger than this, with a line that says how many."""
_CARD_BYTES, _ROW_BYTES = 5_000, 150


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A finding on one line: what to do, where, and whose it is."""

    finding: Finding
    action: str
    place: str
    owner: str

    @property
    def words(self) -> str:
        """The words by which it is found."""
        one = self.finding
        words = (self.action, self.place, self.owner, one["code"], one["name"], one["id"], one["severity"])
        return visible(" ".join(words)).lower()


@dataclasses.dataclass(frozen=True, slots=True)
class Card:
    """A finding told in full, and what is folded under it."""

    incident: Incident
    row: Row
    blocks: tuple[tuple[Part, ...], ...]
    folded: tuple[Row, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Findings of one cause: what the document says of the incident (None: nothing), and their cards."""

    happening: Happening | None
    cards: tuple[Card, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the cards are about."""
        return tuple(card.row.finding for card in self.cards)

    @property
    def cause(self) -> str:
        """Their cause in a sentence, as sure as the first card tells it."""
        return cause_sentence(self.findings[0])


@dataclasses.dataclass(frozen=True, slots=True)
class Contents:
    """The page."""

    verdict: tuple[str, ...]
    taken: str
    read: str
    actions: tuple[Actions | Part, ...]
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    left_out: int
    endings: tuple[Section, ...]

    @property
    def numbered(self) -> dict[str, Finding]:
        """The findings told in full by their number, as the table of actions names them."""
        cards = (card for group in self.groups for card in group.cards)
        return {str(card.incident.number): card.row.finding for card in cards}


def contents(document: Document, clock: Clock, took: Mapping[str, float]) -> Contents:
    """Return what the page shows; `document` has its moments in the clock's zone. `took`: seconds of each stage."""
    triaged = triage(document)
    full, brief = triaged.incidents[:MOST_CARDS], triaged.incidents[MOST_CARDS:]
    groups = tuple(_groups(document, full, clock))
    rows = [*_rows([*brief, *triaged.asides])]
    used = sum(_CARD_BYTES + len(str(card.blocks)) for group in groups for card in group.cards)
    shown = tuple(_fitting(rows, MOST_BYTES - used))
    return Contents(
        tuple(verdict_sentences(document, triaged)),
        taken_sentence(document, clock),
        read_sentence(document),
        _actions(document, triaged, clock),
        groups,
        shown,
        len(rows) - len(shown) + sections.omitted(document, "findings"),
        filled(ending(document, triaged, clock, took)),
    )


def _actions(document: Document, triaged: Triage, clock: Clock) -> tuple[Actions | Part, ...]:
    """Return the table of actions, with nothing that would be listed below; no table where there are no incidents."""
    groups = together(triaged.rows)
    shown = groups[: sections.ROWS]
    left = sections.more(len(groups) - len(shown), "listed below")
    table = (action_table(shown, document, clock), *left) if shown else ()
    return (*table, *before_plans(first_plans(triaged), document))


def _groups(document: Document, incidents: Sequence[Incident], clock: Clock) -> Iterator[Group]:
    """Yield the incidents by the cause that the document names for them, in the order of their first."""
    happenings = {head: one for one in document.get("incidents") or [] for head in one["heads"]}
    together: dict[str, list[Card]] = {}
    for one in incidents:
        found = happenings.get(one.finding["id"])
        section = incident_section(one, document, clock, set())
        row, *folded = _rows([one])
        card = Card(one, row, section.blocks, tuple(folded))
        together.setdefault(found["id"] if found else one.finding["id"], []).append(card)
    for first, cards in together.items():
        yield Group(happenings.get(first), tuple(cards))


def _rows(incidents: Sequence[Incident]) -> Iterator[Row]:
    for one in incidents:
        yield _row(one.finding, one.action)
        yield from (_row(folded, "folded under " + one.finding["id"]) for folded in one.folded)


def _fitting(rows: Sequence[Row], room: int) -> Iterator[Row]:
    """Yield the rows that fit into so many bytes."""
    for row in rows:
        file = row.finding["evidence"][0]["file"] if row.finding["evidence"] else ""
        room -= _ROW_BYTES + len(row.action + row.place + row.owner + row.finding["headline"] + file)
        if room < 0:
            return
        yield row


def _row(finding: Finding, action: str) -> Row:
    return Row(finding, action, where(finding), subject(finding) or "")
