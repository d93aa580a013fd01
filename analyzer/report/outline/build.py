"""The outline of a document: which sections a report has, and in which order."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from analyzer.report.actions.reached import reach_of
from analyzer.report.actions.steps import steps_of
from analyzer.report.document.types import Document, Finding
from analyzer.report.outline import sections, verdict
from analyzer.report.outline.controller import controllers_log
from analyzer.report.outline.incident import incident_section
from analyzer.report.outline.log_lines import log_lines
from analyzer.report.outline.parts import Item, Outline, Part, Section, Text
from analyzer.report.outline.short.screen import screen
from analyzer.report.outline.to_collect import to_collect
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.commands import before_commands
from analyzer.report.sentences.gaps import next_to_fetch
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.triage import Triage, triage

IN_FULL = 5
"""Incidents told in full; the others get a line each."""
PLANS = 20
"""Plans that are looked through for a command that asks the cluster: the first has one, as a rule."""


def outline(document: Document, clock: Clock, took: Mapping[str, float] | None = None) -> Outline:
    """Return what a report of the document says, its moments in the clock's zone; foreign strings are not escaped.

    `took`: seconds of each stage of the command, if they are to be told.
    """
    told = clock.document(document)
    read = verdict.read_sentence(told)
    sections = _sections(told, triage(told), read, clock, took or {})
    return Outline(f"txn-forensics  {verdict.title_sentence(told, clock)}", filled(sections))


def finding_outline(document: Document, finding_id: str, clock: Clock) -> Outline | None:
    """Return what a report says of one finding, as the incident that tells it; None if there is none of this id.

    A finding that is folded under another one is told there, with its own words first.
    """
    told = clock.document(document)
    triaged = triage(told)
    for incident in (*triaged.incidents, *triaged.asides):
        found = next((one for one in (incident.finding, *incident.folded) if one["id"] == finding_id), None)
        if found is not None:
            break
    else:
        return None
    title = f"{visible(told['capture']['name'])}  {verdict.taken_sentence(told, clock)}"
    own = incident.finding["id"] == finding_id
    folded = () if own else (Text(f"{finding_id}: {found['headline']}. It is told with {incident.finding['id']}:"),)
    before = Section("", (folded, before_plans([incident.finding], told)))
    section = incident_section(incident, told, clock, set())
    return Outline(f"txn-forensics  {title}", filled((before, section)))


def _sections(
    document: Document, triaged: Triage, read: str, clock: Clock, took: Mapping[str, float]
) -> Iterator[Section]:
    """Yield the sections in their order, empty ones too."""
    first = first_section(document, triaged, read, clock)
    yield Section("", (*first.blocks, before_plans(first_plans(triaged), document)))
    legends = set[str]()
    for incident in triaged.incidents[:IN_FULL]:
        yield incident_section(incident, document, clock, legends)
    left_out = sections.omitted(document, "findings")
    yield sections.briefs("More incidents", triaged.incidents[IN_FULL:], left_out, document)
    yield from ending(document, triaged, clock, took, read)


def first_section(document: Document, triaged: Triage, read: str, clock: Clock) -> Section:
    """Return the verdict, then the first screen of its findings; where there are none, what the verdict rests on."""
    if triaged.incidents:
        words = tuple(Text(sentence, "title") for sentence in verdict.headline_sentences(document, triaged))
        return Section("", (words, *screen(document, triaged, clock)))
    words = tuple(Text(sentence, "title") for sentence in verdict.verdict_sentences(document, triaged))
    return Section("", (_read(document, read, clock), words))


def _read(document: Document, read: str, clock: Clock) -> tuple[Text, ...]:
    if document.get("error"):
        return (Text(read),)
    capture = document["capture"]
    at, source = capture["captured_at"], visible(capture["captured_at_source"] or "no source")
    moment = [] if at is None else [f"Taken {clock.moment(at)} ({source})."]
    return (Text(" ".join([f"{read}.", *moment, verdict.reach_sentence(document, clock)])),)


def limited(section: Section, entries: int) -> Section:
    """Return the section with at most so many entries of each of its lists, and how many it leaves out."""
    return dataclasses.replace(section, blocks=tuple(tuple(_limited(block, entries)) for block in section.blocks))


def _limited(block: Sequence[Part], entries: int) -> Iterator[Part]:
    items = [part for part in block if isinstance(part, Item)]
    kept = set(map(id, items[:entries]))
    left = len(items) - len(kept)
    for part in block:
        if not isinstance(part, Item) or id(part) in kept:
            yield part
        elif left:
            yield Text(f"and {left} more: report --full lists them", "quiet")
            left = 0


def ending(
    document: Document, triaged: Triage, clock: Clock, took: Mapping[str, float], read: str = ""
) -> Iterator[Section]:
    """Yield the sections after the incidents, empty ones too: what is open, fine, not visible, and how it was made.

    `read`: what was read, if the report has not begun with it.
    """
    yield sections.briefs(sections.aside_title(triaged.asides), triaged.asides, 0, document)
    yield log_lines(document, clock)
    yield sections.orphans(document)
    yield sections.undecided(triaged)
    yield sections.contested(document, triaged)
    yield sections.without_timeout(document, clock)
    yield sections.in_flight(triaged, document)
    yield sections.checked(document)
    yield controllers_log(document, clock)
    yield sections.keyed(document, clock)
    yield sections.expired(document, clock)
    yield sections.routing(document)
    yield sections.not_visible(document)
    yield to_collect(document)
    yield sections.not_read(document)
    yield sections.unparsed(document)
    yield Section("What was read", (_read(document, read, clock) if read and triaged.incidents else (),))
    seconds = ", ".join(f"{name} {number:.1f} s" for name, number in took.items())
    last = (verdict.checks_sentence(document), seconds and f"Took: {seconds}", next_to_fetch(triaged.undecided))
    yield Section("", (tuple(Text(sentence) for sentence in last if sentence),))


def first_plans(triaged: Triage) -> list[Finding]:
    """Return the findings whose plans are looked through for a command that asks the cluster."""
    return [one.finding for one in triaged.incidents[:PLANS]]


def before_plans(findings: Iterable[Finding], document: Document) -> tuple[Part, ...]:
    """Return what every command of these findings' plans needs, once."""
    steps = (step for one in findings for step in steps_of(one))
    told = before_commands((command.text or "" for step in steps for command in step.commands), reach_of(document))
    return tuple(map(Text, told))


def filled(every: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections that say something, without their empty blocks."""
    told = (dataclasses.replace(one, blocks=tuple(filter(None, one.blocks))) for one in every)
    return tuple(one for one in told if one.blocks)
