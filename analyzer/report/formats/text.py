"""From a document to the text report: 80 columns, ASCII apart from foreign names, the action first."""

import re
from collections.abc import Iterator

from analyzer.report.document.keyed_rows import keyed_sentences, threshold_lines
from analyzer.report.document.routed import routing_sentences
from analyzer.report.document.types import Document
from analyzer.report.formats.text_incident import Styled, incident_lines
from analyzer.report.sentences.actions import action_rows, action_table
from analyzer.report.sentences.cells import WIDTH, cut, name, pad, visible, width, wrap
from analyzer.report.sentences.expiry_lines import expiry_sentences
from analyzer.report.sentences.folds import ORPHANED, orphan_lines
from analyzer.report.sentences.gaps import checks_not_run, gaps, next_to_fetch, open_words
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.quotes import quoted
from analyzer.report.sentences.triage import Incident, Triage, triage, where
from analyzer.report.sentences.verdict import capture_sentences, checks_sentence, verdict_sentences

IN_FULL = 5
"""Incidents told in full; the others get a line each."""
LISTED = 100
"""Lines a list has at most; what is left out is counted."""
_ROWS, _BRIEF = 20, 10
_STYLES = {"head": "1", "danger": "1;31", "action": "1;33", "quiet": "2", "title": "1"}


def text_report(document: Document, *, color: bool = False) -> str:
    """Return the report; with `color` the same text with ANSI styles round whole lines."""
    triaged = triage(document)
    lines: list[Styled] = []
    for block in _blocks(document, triaged):
        lines += [*block, ("", "")] if block else []
    return "\n".join(_painted(style, line) if color else line for style, line in lines[:-1]) + "\n"


def _blocks(document: Document, triaged: Triage) -> Iterator[list[Styled]]:
    """Yield the parts of the report in their order."""
    first, second = capture_sentences(document)
    yield [("", line) for text in (f"txn-forensics  {first}", second) for line in wrap(text, rest="  ")]
    sentences = verdict_sentences(document, triaged)
    yield [("title", line) for sentence in sentences for line in wrap(sentence)]
    if triaged.incidents:
        shown = action_rows(triaged.incidents[:_ROWS], document["capture"]["captured_at"])
        yield [("", line) for line in action_table(shown)] + _more(len(triaged.incidents) - len(shown), "listed below")
    for incident in triaged.incidents[:IN_FULL]:
        yield incident_lines(incident)
    omitted = document.get("omitted") or {"findings": 0, "open_transactions": 0}
    rest = triaged.incidents[IN_FULL:]
    yield _listed("MORE INCIDENTS", rest, omitted["findings"])
    yield _listed("ALSO SEEN, NOTHING TO DO", triaged.asides, 0)
    yield _section(ORPHANED, _orphaned(document))
    yield list(_undecided(triaged))
    yield list(_in_flight(triaged, omitted["open_transactions"]))
    if document["verdict"] == "clean":
        yield _section("CHECKED", _checked(document))
    yield _section("KEYED TOPICS", _keyed(document))
    yield _section("IDS THAT EXPIRED", _expired(document))
    yield _section("WHERE COORDINATOR STATE LIES", _routing(document))
    yield _section("NOT SHOWN BY THIS CAPTURE", _gaps(document))
    yield _section("LINES NOT UNDERSTOOD", _unparsed(document))
    yield [
        ("", line)
        for text in (checks_sentence(document), next_to_fetch(triaged.undecided))
        if text
        for line in wrap(text)
    ]


def _keyed(document: Document) -> list[str]:
    """Return what the keys say of each topic's counts, and the threshold map of those that were expanded."""
    told = [
        line
        for text in keyed_sentences(document.get("keyed_topics") or [])
        for line in wrap(text, first="  ", rest="    ")
    ]
    return told + [cut(f"  {line}", WIDTH) for line in threshold_lines(document.get("thresholds") or [])]


def _listed(title: str, incidents: tuple[Incident, ...], omitted: int) -> list[Styled]:
    """Return a line for each incident: number, action, place, headline, id."""
    shown = incidents[:LISTED]
    widest = max((width(incident.action) for incident in shown), default=0)
    lines = [_brief(incident, widest) for incident in shown]
    hidden = len(incidents) - len(lines) + omitted
    return _section(title, lines) + (_more(hidden, "not written out") if lines or omitted else [])


def _brief(incident: Incident, widest: int) -> str:
    """Return one incident on one line; `widest` is the width of the column of actions."""
    finding = incident.finding
    identity = name(finding["id"], 24)
    begin = f"[{incident.number}] {pad(incident.action, widest)}  "
    text = f"{name(where(finding), 24)}: {visible(finding['headline'])}"
    room = WIDTH - width(identity) - 2
    return pad(cut(begin + text, room), room) + "  " + identity


def _orphaned(document: Document) -> list[str]:
    """Return the open transactions of orphaned states, the offset to end each at first."""
    lines = list(orphan_lines(document))
    shown = [part for line in lines[:_ROWS] for part in wrap(line, first="  ", rest="    ")]
    return shown + [line for _, line in _more(len(lines) - _ROWS, "not written out")]


def _undecided(triaged: Triage) -> Iterator[Styled]:
    """Yield the transactions that the files cannot judge: why, and what to fetch."""
    if triaged.undecided:
        yield ("title", "UNDECIDED: do not abort these on this report alone")
    for one in triaged.undecided[:_ROWS]:
        yield from (("", line) for line in wrap(open_words(one), first="  ", rest="    "))
        for label, text in (("", one.get("why")), ("fetch: ", one.get("fetch"))):
            yield from (("", line) for line in (wrap(label + visible(text), first="    ") if text else []))
    yield from _more(len(triaged.undecided) - _ROWS, "not written out")


def _in_flight(triaged: Triage, omitted: int) -> Iterator[Styled]:
    """Yield the transactions that are simply under way."""
    if triaged.in_flight:
        yield ("title", f"IN FLIGHT, nothing to do: {counted(len(triaged.in_flight), 'transaction')}")
    for one in triaged.in_flight[:_BRIEF]:
        yield from (
            ("", line) for line in wrap(f"{open_words(one)}  {visible(one['verdict'])}", first="  ", rest="    ")
        )
    yield from _more(len(triaged.in_flight) - _BRIEF, "like these")
    yield from _more(omitted, "counted, in no list")


def _checked(document: Document) -> list[str]:
    """Return what a clean report rests on: the partitions with their bounds."""
    judged = [one for one in document["partitions"] if one["authority"]]
    lines = [f"  {counted(len(judged), 'partition')} judged"]
    for one in judged[:_BRIEF]:
        bounds = f"{one['log_start_offset']}..{one['log_end_offset']}  LSO {one['lso']}"
        lines.append(cut(f"    {name(one['topic'] + '-' + str(one['partition']))}  {bounds}", WIDTH))
    more = _more(len(judged) - _BRIEF, "like these")
    return lines + [line for _, line in more]


def _expired(document: Document) -> list[str]:
    """Return the ids that are gone or due, those with open transactions first."""
    return [line for text in expiry_sentences(document) for line in wrap(text, first="  ", rest="    ")]


def _routing(document: Document) -> list[str]:
    """Return the tried partition counts, unless every one of them simply fits."""
    told = document["verdict"] == "clean" or not all(one["fits"] for one in document["routing"]["counts"])
    return [line for text in routing_sentences(document) for line in wrap(text, first="  ")] if told else []


def _gaps(document: Document) -> list[str]:
    """Return what the capture lacks, and the checks that did not run for it."""
    found = gaps(document)
    lines: list[str] = []
    for gap in found[:_ROWS]:
        lines += wrap(f"{gap.note} ({gap.places})" if gap.places else gap.note, first="  ", rest="    ")
        lines += wrap(f"fetch: {gap.fetch}", first="    ") if gap.fetch else []
    lines += [line for _, line in _more(len(found) - _ROWS, "not written out")]
    for reason, codes in checks_not_run(document):
        lines += wrap(f"checks not run: {codes}: {reason}", first="  ", rest="    ")
    return lines


def _unparsed(document: Document) -> list[str]:
    """Return the first lines that no grammar took."""
    runs = document["unparsed"]["files"]
    lines: list[str] = []
    for run in runs[:_BRIEF]:
        place = f"{visible(run['file'])}:{run['line']}  {counted(run['lines'], 'line')}: {visible(run['reason'])}"
        lines += [*wrap(place, first="  ", rest="    "), "      " + quoted(run["text"], WIDTH - 6)]
    told = sum(run["lines"] for run in runs[:_BRIEF])
    return lines + [line for _, line in _more(document["unparsed"]["lines"] - told, "lines, not written out")]


def _section(title: str, lines: list[str]) -> list[Styled]:
    """Return the lines under their title, or nothing."""
    return [("title", title), *(("", line) for line in lines)] if lines else []


def _more(number: int, what: str) -> list[Styled]:
    """Return the line that says how many were left out, if any."""
    return [("quiet", f"  and {number} more, {what}")] if number > 0 else []


def _painted(style: str, line: str) -> str:
    """Return the line in its ANSI style; blanks before it stay plain."""
    if style not in _STYLES or not line:
        return line
    blank = re.match(" *", line)
    indent = blank[0] if blank else ""
    return f"{indent}\x1b[{_STYLES[style]}m{line[len(indent) :]}\x1b[0m"
