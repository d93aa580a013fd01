"""The outline of an incident told in full: what to do, the picture, what waits, why, the evidence, what else."""

import itertools
from collections.abc import Iterator, Sequence

from analyzer.report.actions.steps import steps_of
from analyzer.report.actions.targets import stable, targets_of
from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.neighbours import Strip
from analyzer.report.document.types import Document, Finding
from analyzer.report.outline.causes import causes_of, either
from analyzer.report.outline.folds import folded_elsewhere, left_out
from analyzer.report.outline.parts import Drawing, Field, Group, Identity, Item, Part, Reason, Section, Text, Tone
from analyzer.report.sentences.action_words import action_word
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import counted, duration, size, span
from analyzer.report.sentences.quotes import Why, lettered, letters_of
from analyzer.report.sentences.strip import legend, strip_lines
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident, names_its_place, where
from analyzer.tables.action_words import FORBIDS

EVIDENCE = 8
"""More pieces of evidence than these are left to the JSON report."""
PICTURE_CELLS = 76
"""Cells that a picture takes at most."""
BLOCKS = {
    "stop": "before",
    "save": "before",
    "look": "check",
    "check": "check",
    "act": "act",
    "verify": "after",
    "restore": "after",
}
"""Which stages of a plan stand together; a blank line is between blocks."""
_ALSO = 5
"""Folded findings whose actions are told beside the head's; all are listed below."""


def incident_section(incident: Incident, document: Document, clock: Clock, told: set[str]) -> Section:
    """Return the incident in full; the meanings in `told` need no legend any more, and new ones are added."""
    blocks = (
        identity_of(incident.finding, incident.folded),
        summary_of(incident),
        *step_blocks(incident.finding),
        *evidence_blocks(incident, document, clock, told),
    )
    return Section(title_of(incident.finding), blocks, incident.number)


def title_of(finding: Finding) -> str:
    """Return the headline, after its place where it does not begin with it."""
    return finding["headline"] if names_its_place(finding) else f"{name(where(finding))}: {finding['headline']}"


def identity_of(finding: Finding, folded: Sequence[Finding]) -> tuple[Part, ...]:
    """Return what a finding is, and what is folded under it."""
    codes = dict.fromkeys((one["name"], one["code"]) for one in folded)
    kind = finding["name"], finding["code"], finding["severity"], finding["confidence"]
    return (Identity(*kind, finding["id"], tuple(codes)),)


def step_blocks(finding: Finding) -> Iterator[tuple[Part, ...]]:
    """Yield the steps in blocks, in their order: a check stands apart from what follows."""
    for _, block in itertools.groupby(steps_of(finding), key=lambda step: BLOCKS[step.stage]):
        yield tuple(block)


def evidence_blocks(
    incident: Incident, document: Document, clock: Clock, told: set[str]
) -> tuple[tuple[Part, ...], ...]:
    """Return the picture, then what waits, why, and the lines that show it."""
    return _picture(incident.finding.get("strip"), told), _why(incident, document, clock)


def _picture(strip: Strip | None, told: set[str]) -> tuple[Part, ...]:
    """Return the offsets around the finding, and a legend of signs that had none before."""
    lines = strip_lines(strip, indent=0, cells=PICTURE_CELLS) if strip else []
    if not strip or not lines:
        return ()
    signs = legend(strip, told)
    return (Drawing(tuple(lines)), *([Text(signs, "quiet")] if signs else []))


def summary_of(incident: Incident) -> tuple[Part, ...]:
    """Return what to do in a sentence, its warning, and what folded findings add."""
    tone: Tone = "danger" if incident.action in FORBIDS else "action"
    action = incident.finding["action"]
    summary, warning = action.get("summary") or f"{incident.action.upper()}.", action.get("warning")
    told = [Text(f"Warning: {warning}", tone)] if warning and warning.removeprefix("an abort ") not in summary else []
    for one in incident.also[:_ALSO]:  # what readers were given, and what else must be done
        beside = one["action"].get("summary") or f"{action_word(one).upper()}."
        told.append(Text(f"Also, {one['confidence']} ({name(one['name'])} {name(one['code'])}): {beside}", "action"))
    return (Text(summary, tone), *told)


def reasons_with_places(incident: Incident, document: Document, clock: Clock) -> tuple[Part, ...]:
    """Return what waits and why it hangs, each sentence with the file and line that show it."""
    why = lettered(incident.finding, clock)
    places = {quote.letter: quote.place for quote in why.quotes}
    reasons = [
        Item(f"{text} ({', '.join(places[letter] for letter in letters)})" if letters else text)
        for text, letters in why.steps
    ]
    return (*_waiting(incident, document), Group(_heading(why), tuple(reasons)))


def _heading(why: Why) -> str:
    return f"why, times of {why.day}" if why.day else "why"


def _why(incident: Incident, document: Document, clock: Clock) -> tuple[Part, ...]:
    """Return what waits, the explanation, its evidence, what is folded in other places, and what else it could be."""
    why = lettered(incident.finding, clock)
    reasons = tuple(itertools.starmap(Reason, why.steps))
    evidence = (*why.quotes[:EVIDENCE], *left_out(len(why.quotes) - EVIDENCE, "line"))
    beside = folded_elsewhere(incident)
    return (
        *_waiting(incident, document),
        *_sure(incident.finding),
        Group(_heading(why), reasons),
        *([Group("evidence", evidence)] if evidence else []),
        *([Group("elsewhere", beside)] if beside else []),
        *_siblings(incident, document),
        *_further(incident),
    )


def _siblings(incident: Incident, document: Document) -> tuple[Part, ...]:
    """Return the findings on what the same producer has open in other partitions: each has a plan of its own."""
    finding = incident.finding
    who = (finding["producer_id"], finding["producer_epoch"])
    if None in who or finding["action"]["kind"] not in ENDS_IT:
        return ()
    found = [
        one
        for one in document["findings"]
        if (one["producer_id"], one["producer_epoch"]) == who
        and one["action"]["kind"] in ENDS_IT
        and where(one) != where(finding)
        and not one.get("folded_under")
    ]
    items = [Item(f"{name(where(one))} {span(one['first_offset'], one['last_offset'])}", finding_id=one["id"])
             for one in found[:EVIDENCE]]  # fmt: skip
    told = (*items, *left_out(len(found) - EVIDENCE, "finding"))
    return (Group("the same producer and epoch also has open", told),) if items else ()


def _waiting(incident: Incident, document: Document) -> tuple[Field, ...]:
    """Return what waits from the last stable offset on, for how long, and which groups; or nothing."""
    waiting = incident.finding.get("waiting")
    if not waiting:
        return ()
    parts = ["an unknown number of records: no log of the partition is here"]
    if waiting["records"] is not None and waiting["bytes"] is not None:
        parts = [counted(waiting["records"], "record"), size(waiting["bytes"])]
    if waiting["transactions"]:
        others = "another producer" if waiting["transactions"] == 1 else "other producers"
        parts.insert(1, f"{counted(waiting['transactions'], 'transaction')} of {others}")
    composed = f"{counted(waiting['offsets'], 'offset')}: {', '.join(parts)}"
    text = (waiting.get("text") or composed).rstrip(".")
    length, groups = waiting["for_ms"], waiting["groups"]
    text += f", for {duration(length)}." if length is not None else "."
    text += _split(incident, document)
    told = "unknown, no dump of __consumer_offsets"
    if groups is not None:
        told = ", ".join(map(name, groups)) or "none that this capture shows"
    return (Field("waiting", f"{text} Groups: {told}"),)


def _split(incident: Incident, document: Document) -> str:
    """Return how many of the waiting records an abort discards, and how many it releases."""
    finding = incident.finding
    lost, waiting = incident.discards, finding.get("waiting")
    rest = (waiting["records"] if waiting else None) or 0
    if lost is None or rest <= lost:
        return ""
    rest -= lost
    alone = all(stable(one, document, (one,))[1] is None for one in targets_of(finding, document))
    when = "" if alone else " once every transaction that is open here has ended"
    return f" An abort discards {lost:,} of the records; of the other {rest:,}, readers get what is committed{when}."


def _sure(finding: Finding) -> tuple[Part, ...]:
    """Return how sure it is that it hangs, why, and that an abort is safe."""
    parts = finding.get("certainty") or []
    told = [
        Reason(f"{one['question']}: {one['answer']}; {one['because']}", letters_of(finding, one["evidence"]))
        for one in parts
    ]
    return (Group("how sure", tuple(told)),) if told else ()


def _further(incident: Incident) -> list[Part]:
    """Return the cause, the other explanations, what would disprove this one, and what would settle it."""
    finding = incident.finding
    fields = (
        ("cause", "; ".join(map(either, causes_of(finding)))),
        ("could also be", finding.get("else")),
        ("wrong if found", finding["refuted_by"]),
        ("settled by", finding.get("settled_by")),
        ("also waits", "; ".join(finding.get("also_waits") or [])),
        ("owner", _owner(finding)),
        ("known bugs", _known_bugs(finding)),
        ("prevention", "; ".join(finding.get("prevention") or [])),
    )
    return [Field(label, text) for label, text in fields if text]


def _known_bugs(finding: Finding) -> str:
    """Return the known bugs of a finding with the releases that have them, empty where there is none."""
    bugs = finding.get("known_bugs") or []
    shown = [f"{bug['issue']} ({bug['affected']})" for bug in bugs if bug["shown"]]
    others = [f"{bug['issue']} ({bug['affected']})" for bug in bugs if not bug["shown"]]
    by_release = f"possible on the brokers' release, without a sign in the files: {', '.join(others)}" if others else ""
    return "; ".join(part for part in (", ".join(shown), by_release) if part)


def _owner(finding: Finding) -> str:
    """Return whose the id is and what its restart and an abort do, empty where nothing tells."""
    owner = finding.get("owner")
    if not owner:
        return ""
    sure = "" if owner["certain"] else "perhaps "
    return f"{sure}{owner['words']} ({owner['ground']}); {owner['restart']}; {owner['abort']}"
