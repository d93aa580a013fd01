"""The report as it is printed by default: the first screen, then each thing once; `--full` has the whole."""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from analyzer.report.actions.steps import steps_of
from analyzer.report.document.types import Document
from analyzer.report.outline.build import before_plans, ending, filled, first_section, limited
from analyzer.report.outline.incident import reasons_with_places, summary_of, title_of
from analyzer.report.outline.parts import Item, Outline, Section
from analyzer.report.outline.sections import briefs, omitted
from analyzer.report.outline.verdict import read_sentence, title_sentence
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
    left_out = omitted(told, "findings")
    sections = [
        first_section(told, triaged, read, clock),
        _rules(shown, told),
        *(_planned(one, told, clock, alone=len(shown) == 1) for one in shown),
        briefs("More", triaged.incidents[len(shown) :], left_out, told, LISTED),
        *(limited(section, ENTRIES) for section in ending(told, triaged, clock, took or {}, read)),
    ]
    return Outline(f"txn-forensics  {title_sentence(told, clock)}", filled(sections))


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
    findings = [one.finding for one in shown]
    told = [dict.fromkeys(answer for step in steps_of(one) for answer in step.answers) for one in findings]
    counts = Counter(answer for answers in told for answer in answers)
    several = tuple(Item(answer) for answer, number in counts.items() if number > 1)
    return Section("For every step below", (before_plans(findings, document), several))


def _planned(incident: Incident, document: Document, clock: Clock, *, alone: bool) -> Section:
    """Return the steps of an incident without what the rules say, and why, each sentence with the place of its line."""
    steps = steps_of(incident.finding)
    shown = steps if alone else tuple(dataclasses.replace(step, answers=()) for step in steps)
    told = reasons_with_places(incident, document, clock)
    return Section(title_of(incident.finding), (summary_of(incident), shown, told), incident.number)
