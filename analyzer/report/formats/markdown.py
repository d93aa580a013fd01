"""From a document to Markdown: the parts of the text report as headings, tables and fences, all strings inert."""

from collections.abc import Iterator

from analyzer.report.document.keyed_rows import keyed_sentences, threshold_lines
from analyzer.report.document.routed import routing_sentences
from analyzer.report.document.types import Document
from analyzer.report.formats.text import IN_FULL, LISTED
from analyzer.report.formats.text_incident import EVIDENCE_LINES, action_summary, further, waiting_sentence
from analyzer.report.sentences.actions import HEADS, action_rows
from analyzer.report.sentences.cells import is_safe, visible
from analyzer.report.sentences.commands import UNSAFE, action_steps
from analyzer.report.sentences.expiry_lines import expiry_sentences
from analyzer.report.sentences.folds import ORPHANED, folded_elsewhere, orphan_lines
from analyzer.report.sentences.gaps import checks_not_run, gaps, next_to_fetch, open_words
from analyzer.report.sentences.inert import code, fence, inert, table
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.quotes import lettered
from analyzer.report.sentences.strip import strip_lines
from analyzer.report.sentences.triage import Incident, Triage, triage, where
from analyzer.report.sentences.verdict import capture_sentences, checks_sentence, verdict_sentences

_QUOTE_CELLS = 2000


def markdown_report(document: Document) -> str:
    """Return the report as Markdown; no foreign string can become a link, a mention, an image or HTML."""
    triaged = triage(document)
    blocks = [block for block in _blocks(document, triaged) if block]
    return "\n\n".join(blocks) + "\n"


def _blocks(document: Document, triaged: Triage) -> Iterator[str]:
    """Yield the parts of the report in their order."""
    first, second = capture_sentences(document)
    yield f"# txn-forensics {inert(first)}"
    yield inert(second)
    for sentence in verdict_sentences(document, triaged):
        yield f"**{inert(sentence)}**"
    if triaged.incidents:
        rows = action_rows(triaged.incidents[:LISTED], document["capture"]["captured_at"])
        body = [
            (row.action, row.place, row.lso, f"{row.records} {row.bytes}".strip(), row.since, row.owner) for row in rows
        ]
        yield table(("#", *HEADS), [(str(number), *row) for number, row in enumerate(body, 1)])
    for incident in triaged.incidents[:IN_FULL]:
        yield from _incident(incident)
    omitted = document.get("omitted") or {"findings": 0, "open_transactions": 0}
    yield from _listed("More incidents", triaged.incidents[IN_FULL:], omitted["findings"])
    yield from _listed("Also seen, nothing to do", triaged.asides, 0)
    yield from _section(ORPHANED.capitalize(), [inert(line) for line in orphan_lines(document)][:LISTED])
    yield from _open(triaged, omitted["open_transactions"])
    yield from _section("Keyed topics", [inert(text) for text in keyed_sentences(document.get("keyed_topics") or [])])
    shown = threshold_lines(document.get("thresholds") or [])
    yield fence("\n".join(shown)) if shown else ""
    yield from _section("Ids that expired", [inert(text) for text in expiry_sentences(document)])
    yield from _section("Where coordinator state lies", [inert(text) for text in routing_sentences(document)])
    yield from _section("Not shown by this capture", list(_gaps(document)))
    yield from _section("Lines not understood", _unparsed(document))
    yield inert(checks_sentence(document))
    yield inert(next_to_fetch(triaged.undecided))


def _incident(incident: Incident) -> Iterator[str]:
    """Yield one incident in full."""
    finding = incident.finding
    yield f"## {incident.number}. {inert(where(finding))}: {inert(finding['headline'])}"
    folded = dict.fromkeys(f"{code(one['name'])} {inert(one['code'])}" for one in incident.folded)
    words = f"{inert(finding['code'])}, {finding['severity']}, {finding['confidence']}, {code(finding['id'])}"
    yield f"{code(finding['name'])} {words}" + (f"; folded: {', '.join(folded)}" if folded else "")
    yield f"**{inert(action_summary(incident))}**"
    for number, (text, command, expect) in enumerate(action_steps(incident), 1):
        wanted = f" (want: {code(expect)})" if expect else ""
        yield f"{number}. {inert(text)}{wanted}"
        if command:
            yield fence(command, "sh", indent="   ") if is_safe(command) else f"   {UNSAFE}"
    warning = finding["action"].get("warning")
    yield f"**Mind:** {inert(warning)}" if warning else ""
    strip = finding.get("strip")
    lines = strip_lines(strip, indent=0) if strip else []
    yield fence("\n".join(line.rstrip() for line in lines)) if lines else ""
    sentence = waiting_sentence(incident)
    yield f"**Waiting:** {inert(sentence)}" if sentence else ""
    yield from _why(incident)


def _why(incident: Incident) -> Iterator[str]:
    """Yield the steps, the evidence whole, and what else."""
    steps, quotes = lettered(incident.finding)
    told = [f"- {inert(text)} {' '.join(f'({letter})' for letter in letters)}".rstrip() for text, letters in steps]
    yield "**Why**\n\n" + "\n".join(told)
    for quote in quotes[:EVIDENCE_LINES]:
        label = f" {inert(quote.label)}" if quote.label else ""
        yield f"({quote.letter}) {code(quote.place)}{label}\n\n{fence(visible(quote.text)[:_QUOTE_CELLS])}"
    shown, more = folded_elsewhere(incident)
    with_it = [*shown, *([f"and {more} more in the JSON report"] if more > 0 else [])]
    yield "**With it**\n\n" + "\n".join(f"- {inert(line)}" for line in with_it) if with_it else ""
    hidden = len(quotes) - EVIDENCE_LINES
    yield f"and {counted(hidden, 'line')} more in the JSON report" if hidden > 0 else ""
    for label, text in further(incident):
        yield f"**{label.capitalize()}:** {inert(text)}"


def _listed(title: str, incidents: tuple[Incident, ...], omitted: int) -> Iterator[str]:
    """Yield a line for each incident under a heading."""
    lines = [
        f"{inert(one.action)}, {inert(where(one.finding))}: {inert(one.finding['headline'])} {code(one.finding['id'])}"
        for one in incidents[:LISTED]
    ]
    hidden = len(incidents) - len(lines) + omitted
    yield from _section(title, [*lines, *([f"and {hidden} more, not written out"] if hidden else [])])


def _open(triaged: Triage, omitted: int) -> Iterator[str]:
    """Yield the transactions that are undecided, and those under way."""
    lines = [
        ". ".join(
            inert(part) for part in (open_words(one), one.get("why"), f"fetch: {one.get('fetch') or '-'}") if part
        )
        for one in triaged.undecided[:LISTED]
    ]
    hidden = len(triaged.undecided) - len(lines)
    yield from _section(
        "Undecided: do not abort these on this report alone",
        [*lines, *([f"and {hidden} more, not written out"] if hidden else [])],
    )
    lines = [f"{inert(open_words(one))} {inert(one['verdict'])}" for one in triaged.in_flight[:LISTED]]
    hidden = len(triaged.in_flight) - len(lines) + omitted
    yield from _section("In flight, nothing to do", [*lines, *([f"and {hidden} more"] if hidden else [])])


def _gaps(document: Document) -> Iterator[str]:
    """Yield what the capture lacks, and the checks that did not run for it."""
    for gap in gaps(document)[:LISTED]:
        places = f" ({inert(gap.places)})" if gap.places else ""
        yield inert(gap.note) + places + (f"; fetch: {inert(gap.fetch)}" if gap.fetch else "")
    for reason, codes in checks_not_run(document):
        yield f"checks not run: {inert(codes)}: {inert(reason)}"


def _unparsed(document: Document) -> list[str]:
    """Return the first lines that no grammar took."""
    return [
        f"{code(run['file'] + ':' + str(run['line']))} {counted(run['lines'], 'line')}: {inert(run['reason'])} "
        f"{code(run['text'][:_QUOTE_CELLS])}"
        for run in document["unparsed"]["files"][:LISTED]
    ]


def _section(title: str, lines: list[str]) -> Iterator[str]:
    """Yield a heading and a list, or nothing."""
    if lines:
        yield f"## {title}"
        yield "\n".join(f"- {line}" for line in lines)
