"""The outline of a document: which sections a report has, and in which order."""

from collections.abc import Iterator, Mapping

from analyzer.report.actions.plan import plan
from analyzer.report.actions.reached import reach_of
from analyzer.report.document.types import Document
from analyzer.report.outline import sections
from analyzer.report.outline.actions import action_table, together
from analyzer.report.outline.collecting import to_collect
from analyzer.report.outline.controller import controllers_log
from analyzer.report.outline.incident import incident_section
from analyzer.report.outline.log_lines import log_lines
from analyzer.report.outline.parts import Outline, Part, Section, Text
from analyzer.report.outline.without_timeout import without_timeout
from analyzer.report.sentences.commands import before_commands
from analyzer.report.sentences.gaps import next_to_fetch
from analyzer.report.sentences.times import Clock, took_sentence
from analyzer.report.sentences.triage import Triage, triage
from analyzer.report.sentences.verdict import capture_sentences, checks_sentence, reach_sentence, verdict_sentences

IN_FULL = 5
"""Incidents told in full; the others get a line each."""
PLANS = 20
"""Plans that are looked through for a command that asks the cluster: the first has one, as a rule."""


def outline(document: Document, clock: Clock, took: Mapping[str, float] | None = None) -> Outline:
    """Return what a report of the document says, its moments in the clock's zone; foreign strings are not escaped.

    `took`: seconds of each stage of the command, if they are to be told.
    """
    clock = clock.of(document)
    told = clock.document(document)
    title, read = capture_sentences(told, clock)
    sections = _sections(told, triage(told), read, clock, took or {})
    return Outline(f"txn-forensics  {title}", tuple(filled(sections)))


def finding_outline(document: Document, finding_id: str, clock: Clock) -> Outline | None:
    """Return what a report says of one finding, as the incident that tells it; None if there is none of this id.

    A finding that is folded under another one is told there, with its own words first.
    """
    clock = clock.of(document)
    told = clock.document(document)
    triaged = triage(told)
    for incident in (*triaged.incidents, *triaged.asides):
        found = next((one for one in (incident.finding, *incident.folded) if one["id"] == finding_id), None)
        if found is not None:
            break
    else:
        return None
    title, _ = capture_sentences(told, clock)
    own = incident.finding["id"] == finding_id
    folded = () if own else (Text(f"{finding_id}: {found['headline']}. It is told with {incident.finding['id']}:"),)
    steps = [command.text or "" for step in plan(incident.finding, told) for command in step.commands]
    before = tuple(Text(sentence) for sentence in before_commands(steps, reach_of(told)))
    section = incident_section(incident, told, clock, set())
    return Outline(f"txn-forensics  {title}", tuple(filled(iter((Section("", (folded, before)), section)))))


def _sections(
    document: Document, triaged: Triage, read: str, clock: Clock, took: Mapping[str, float]
) -> Iterator[Section]:
    """Yield the sections in their order, empty ones too."""
    verdict = tuple(Text(sentence, "title") for sentence in verdict_sentences(document, triaged))
    reach = () if document.get("error") else (Text(reach_sentence(document, clock)),)
    yield Section(
        "", ((Text(read), *reach), verdict, actions(document, triaged, clock), before_plans(document, triaged))
    )
    legends = set[str]()
    for incident in triaged.incidents[:IN_FULL]:
        yield incident_section(incident, document, clock, legends)
    omitted = document.get("omitted") or {"findings": 0, "open_transactions": 0}
    yield sections.briefs("More incidents", triaged.incidents[IN_FULL:], omitted["findings"])
    yield sections.briefs("Also seen, no action needed", triaged.asides, 0)
    yield from ending(document, triaged, clock, took)


def ending(document: Document, triaged: Triage, clock: Clock, took: Mapping[str, float]) -> Iterator[Section]:
    """Yield the sections after the incidents, empty ones too: what is open, fine, not visible, and how it was made."""
    omitted = document.get("omitted") or {"findings": 0, "open_transactions": 0}
    yield log_lines(document, clock)
    yield sections.orphans(document)
    yield sections.undecided(triaged)
    yield without_timeout(document, clock)
    yield sections.in_flight(triaged, document, omitted["open_transactions"])
    yield sections.checked(document)
    yield from controllers_log(document, clock)
    yield sections.keyed(document, clock)
    yield sections.expired(document, clock)
    yield sections.routing(document)
    yield sections.not_visible(document)
    yield to_collect(document)
    yield sections.not_read(document)
    yield sections.unparsed(document)
    last = (checks_sentence(document), took_sentence(took), next_to_fetch(triaged.undecided))
    yield Section("", (tuple(Text(sentence) for sentence in last if sentence),))


def actions(document: Document, triaged: Triage, clock: Clock) -> tuple[Part, ...]:
    """Return the table of actions; nothing where there are no incidents."""
    groups = together(triaged.rows)
    shown = groups[: sections.ROWS]
    if not shown:
        return ()
    return (action_table(shown, document, clock), *sections.more(len(groups) - len(shown), "listed below"))


def before_plans(document: Document, triaged: Triage) -> tuple[Part, ...]:
    """Return what every command of the plans below needs, once."""
    steps = (step for one in triaged.incidents[:PLANS] for step in plan(one.finding, document))
    told = before_commands((command.text or "" for step in steps for command in step.commands), reach_of(document))
    return tuple(Text(sentence) for sentence in told)


def filled(every: Iterator[Section]) -> Iterator[Section]:
    """Yield the sections that say something, without their empty blocks."""
    for section in every:
        blocks = tuple(block for block in section.blocks if block)
        if blocks:
            yield Section(section.title, blocks, section.number)
