"""The report as it is printed by default: the first screen, then each thing once; `--full` has the whole."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from analyzer.report.actions.reached import reach_of
from analyzer.report.actions.steps import Step, steps_of
from analyzer.report.document.types import Document
from analyzer.report.outline.build import ending, filled, first_section, limited
from analyzer.report.outline.incident import numbered, reasons_with_places, summary_of, title_of
from analyzer.report.outline.parts import Item, Outline, Section, Text
from analyzer.report.outline.sections import briefs
from analyzer.report.outline.verdict import read_sentence, title_sentence
from analyzer.report.sentences.commands import before_commands
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident
from analyzer.report.triage.triage import triage

PLANS, LINES = 3, 44
"""Incidents whose steps are printed, and lines that they take at most, about: at least one is printed."""
LISTED, ENTRIES = 30, 8
"""Incidents that have a line, and entries of each later list."""


def brief(document: Document, clock: Clock, took: Mapping[str, float] | None = None) -> Outline:
    """Return what a report says first; `took`: seconds of each stage of the command, if they are to be told."""
    told = clock.document(document)
    triaged = triage(told)
    read = read_sentence(told)
    shown = _shown(triaged.incidents)
    omitted = told.get("omitted") or {"findings": 0}
    sections = [
        first_section(told, triaged, read, clock),
        _rules(shown, told),
        *(_planned(one, told, clock, alone=len(shown) == 1) for one in shown),
        briefs("More", triaged.incidents[len(shown) :], omitted["findings"], told["case"], LISTED),
        *(limited(section, ENTRIES) for section in ending(told, triaged, clock, took or {}, read)),
    ]
    return Outline(f"txn-forensics  {title_sentence(told, clock)}", tuple(filled(iter(sections))))


def _shown(incidents: Sequence[Incident]) -> list[Incident]:
    """Return the incidents whose steps are printed: the first, one of each transaction, as far as there is room."""
    shown: list[Incident] = []
    used = 0
    for one in incidents[:PLANS]:
        used += sum(3 + len(step.commands) for step in steps_of(one.finding))
        if shown and used > LINES:
            break
        shown.append(one)
    return shown


def _rules(shown: Sequence[Incident], document: Document) -> Section:
    """Return what holds for every plan below: what commands need, and what several of them say alike."""
    plans = [steps_of(one.finding) for one in shown]
    commands = (command.text or "" for steps in plans for step in steps for command in step.commands)
    before = before_commands(commands, reach_of(document))
    several = [*_common(plans)] if len(plans) > 1 else []
    return Section("For every step below", (tuple(map(Text, before)), tuple(map(Item, several))))


def _common(plans: Sequence[Sequence[Step]]) -> Iterator[str]:
    """Yield the answers that more than one plan explains, in their order."""
    told = [dict.fromkeys(answer for step in steps for answer in step.answers) for steps in plans]
    counts = Counter(answer for answers in told for answer in answers)
    yield from (answer for answer, number in counts.items() if number > 1)


def _planned(incident: Incident, document: Document, clock: Clock, *, alone: bool) -> Section:
    """Return the steps of an incident without what the rules say, and why, each sentence with the place of its line."""
    steps = numbered(incident.finding)
    shown = steps if alone else tuple(dataclasses.replace(step, answers=()) for step in steps)
    told = reasons_with_places(incident, document, clock)
    return Section(title_of(incident.finding), (summary_of(incident), shown, told), incident.number)
