"""The concise report: a line for each finding that stands for itself, for grep, mail and chat."""

from collections.abc import Iterator

from analyzer.report.document.types import Document, Finding, OpenTransaction
from analyzer.report.formats.look import Look
from analyzer.report.outline.folds import timeout_words
from analyzer.report.sentences.action_words import action_word
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.open_for_long import endless, long_running
from analyzer.report.sentences.quantities import span
from analyzer.report.sentences.quotes import place_of
from analyzer.report.triage.incident import subject, where
from analyzer.report.triage.triage import triage


def concise_report(document: Document, look: Look) -> str:
    """Return `file:line: CODE severity place offsets owner: what, action [id]`, most dangerous first."""
    return "".join(line + "\n" for line in _lines(look.clock.document(document)))


def _lines(document: Document) -> Iterator[str]:
    error = document.get("error")
    if error is not None:
        yield f"{name(document['capture']['name'])}: unusable: {visible(error['found'])}"
    triaged = triage(document)
    for one in (*triaged.incidents, *triaged.asides):
        words = ", also ".join([one.action, *map(action_word, one.also)])
        place = place_of(one.finding["evidence"][0]) if one.finding["evidence"] else "-"
        yield f"{place}: {_what(one.finding)}, {words} [{name(one.finding['id'])}]"
    for opened in triaged.undecided:
        yield f"-: undecided {_data(opened)} producer {opened['producer_id']}: do not abort on this report alone"
    for opened in endless(document):
        yield f"-: in_flight {_data(opened)} {_owner(opened)}: open without a timeout, ask its owner"
    for opened in long_running(document):
        ends = timeout_words(opened, document["capture"]["captured_at"])
        yield f"-: in_flight {_data(opened)} {_owner(opened)}: readers wait{ends}"


def _data(opened: OpenTransaction) -> str:
    place = name(f"{opened['topic']}-{opened['partition']}")
    return f"{place} {span(opened['first_offset'], opened['last_offset'])}"


def _owner(opened: OpenTransaction) -> str:
    return name(opened.get("transactional_id") or f"producer {opened['producer_id']}")


def _what(finding: Finding) -> str:
    offsets = "" if finding["first_offset"] is None else f" {span(finding['first_offset'], finding['last_offset'])}"
    owner = subject(finding)
    whose = "" if owner is None else f" {name(owner)}"
    told = visible(finding.get("label") or finding["headline"])
    return f"{finding['code']} {finding['severity']} {name(where(finding))}{offsets}{whose}: {told}"
