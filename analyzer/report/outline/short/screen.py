"""The first screen of a report with findings: what happened, who waits, what not to do, the first command, the rows."""

import itertools
from collections.abc import Iterator, Sequence

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.report.actions import expansion
from analyzer.report.actions.steps import steps_of
from analyzer.report.document.confidence import least
from analyzer.report.document.types import Document
from analyzer.report.outline.causes import REASONS, cause_words
from analyzer.report.outline.parts import Part, Told
from analyzer.report.outline.short.opened_rows import opened_rows
from analyzer.report.outline.to_collect import batches, is_settling
from analyzer.report.outline.verdict import groups_named, missing, waiting_groups
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.commands import place_of
from analyzer.report.sentences.gaps import next_to_fetch
from analyzer.report.sentences.quantities import counted, duration, few, size
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.causes import Cause
from analyzer.report.triage.incident import Incident, where
from analyzer.report.triage.triage import Triage

CAUSES, LABELS, NAMED, NUMBERS, PLANNED = 5, 3, 5, 12, 3
"""Causes that have a line, their labels, places or groups that are named, numbers that are listed, plans that are."""
_READS = frozenset({"look", "save", "check"})
"""Stages whose commands change nothing in the cluster."""
_WAITS, COMMIT = frozenset({"wait", "bring back leader"}), "COMMIT"
"""Actions that leave a decided transaction to its coordinator."""


def screen(document: Document, triaged: Triage, clock: Clock) -> tuple[tuple[Part, ...], ...]:
    """Return the blocks of the first screen after the verdict: facts, the table, what is unknown."""
    return (
        tuple(_facts(document, triaged, clock)),
        opened_rows(document, triaged, clock),
        tuple(_rest(document, triaged)),
    )


def _facts(document: Document, triaged: Triage, clock: Clock) -> Iterator[Part]:
    several = len(triaged.causes) > 1
    for cause in triaged.causes[:CAUSES]:
        label = f"CAUSE {cause.letter}" if several else "CAUSE"
        yield Told(label, _cause(cause), _sure(cause), lines=2 if several else 4)
    if len(triaged.causes) > CAUSES:
        left = triaged.causes[CAUSES:]
        yield Told("", f"and {len(left)} more, {left[0].letter} to {left[-1].letter} in the table")
    if triaged.stuck:
        yield Told("BLOCKED", _blocked(document, triaged, clock))
    warnings = [*_not_now(triaged)]
    if warnings:
        yield Told("NOT NOW", "; ".join(warnings))
    yield from _first(document, triaged)


def _cause(cause: Cause) -> str:
    """Return what happened: how many transactions it left open, and how."""
    finding = cause.head
    told = finding["headline"] if finding["first_offset"] is None else cause_words(finding)
    rows = [some[0] for some in cause.transactions if some[0].finding["first_offset"] is not None]
    labels = dict.fromkeys(label for one in rows if (label := one.finding.get("label")))
    if not rows:
        return told
    how = f" ({few([*labels], LABELS)})" if labels else ""
    joined = ", " if told.startswith(REASONS) else ": "
    return f"{counted(len(rows), 'transaction')}{how}{joined}{told}"


def _sure(cause: Cause) -> str:
    """Return how sure the cause is: no surer than that of any of its findings."""
    every = [one.finding for one in cause.rows if one.head is None] or [cause.head]
    asked = [one for finding in every for one in finding.get("certainty") or [] if one["question"] == "why"]
    return least([*(one["confidence"] for one in every), *(one["answer"] for one in asked)])


def _blocked(document: Document, triaged: Triage, clock: Clock) -> str:
    """Return who waits, since when, how much of it, and which groups."""
    holding = {where(one.finding): one for one in triaged.rows if one.holds and one.lso is not None}
    since = min((one.since for one in holding.values() if one.since is not None), default=None)
    captured_at = document["capture"]["captured_at"]
    age = f" for {duration(captured_at - since)}, since {clock.second(since)}" if since and captured_at else ""
    records = [one.records for one in holding.values()]
    known, waiting_bytes = sum(one or 0 for one in records), sum(one.bytes or 0 for one in holding.values())
    amount = "" if None in records or not records else f"; {counted(known, 'record')} ({size(waiting_bytes)}) wait"
    topics = [name(one) + few([f"-{at}" for at in some], NAMED) for one, some in triaged.stuck_by_topic.items()]
    readers = f"read_committed readers of {few(topics, NAMED, 'more topics')}"
    return f"{readers}{age}{amount}. {_groups(triaged)}"


def _groups(triaged: Triage) -> str:
    """Return the groups that are known to wait; nobody is said to be free where none could be seen."""
    groups = waiting_groups(triaged)
    if groups:
        return f"Groups that this capture shows: {groups_named(groups)}"
    waiting = [found for one in triaged.incidents if (found := one.finding.get("waiting"))]
    if all(one["groups"] is None for one in waiting):
        return f"Groups: unknown, no dump of {OFFSETS_TOPIC}"
    return "Groups: none that this capture shows"


def _not_now(triaged: Triage) -> Iterator[str]:
    """Yield what would destroy something if it were done now."""
    rows = [one for one in triaged.incidents if one.action == "do not abort yet"]
    if rows:
        yield f"do not abort {_numbers(rows)}: an abort discards records that a producer may believe are committed"
    waiting = [one for one in triaged.incidents if one.action in _WAITS]
    decided = [one for one in waiting if one.finding["action"].get("decided") == COMMIT]
    if decided:
        yield f"do not abort {_numbers(decided)}: COMMIT is decided, and an abort discards committed records"
    copied: dict[str, set[str]] = {}
    for one in triaged.incidents:
        for finding in (one.finding, *one.also):
            if finding["action"].get("word") == "copy files first" and finding["replica"] is not None:
                copied.setdefault(finding["replica"], set()).add(where(finding))
    for replica, places in copied.items():
        named = few([*map(name, sorted(places))], NAMED)
        yield f"do not start broker {name(replica)} before its files of {named} are copied: it truncates them"
    for cause in triaged.causes:
        if expansion.is_for(cause.head):
            yield from (step.text for step in steps_of(cause.head)[:1])


def _numbers(rows: Sequence[Incident]) -> str:
    return few(list(dict.fromkeys(one.number for one in rows)), NUMBERS)


def _first(document: Document, triaged: Triage) -> Iterator[Part]:
    """Yield the first thing to do with its command, and where all steps are."""
    for one in triaged.incidents:
        steps = steps_of(one.finding)
        found = next((step for step in steps if step.stage in _READS and step.commands), None)
        if found is not None and found.commands[0].text is not None:
            waits = f"{one.action}; " if one.action in _WAITS else ""
            before = [step.text.partition(",")[0].partition(":")[0] for step in steps[: steps.index(found)][:1]]
            deed = "; then ".join([*before, found.text.rstrip(":")])  # what is before it has no command
            yield Told("FIRST", f"{one.number}: {waits}{deed}", commands=(found.commands[0].text,))
            break
    else:
        for one in triaged.incidents[:1]:
            yield Told("FIRST", f"{one.number}: {one.finding['action'].get('summary') or one.action}", lines=2)
    rows = [*itertools.islice((one for one in triaged.incidents if steps_of(one.finding)), PLANNED)]
    if rows:
        numbers = " ".join(dict.fromkeys(one.number.partition(".")[0] for one in rows))
        command = f"txn-forensics plan {numbers} {place_of(document)}"
        yield Told(
            "THEN",
            f"plan prints all steps of these rows, evidence {numbers} the lines that prove them",
            commands=(command,),
        )


def _rest(document: Document, triaged: Triage) -> Iterator[Part]:
    """Yield what is not known, with the one file that settles most, and how it does not happen again."""
    unknown = [*_unknown(document, triaged)]
    if unknown:
        yield Told("UNKNOWN", " ".join(unknown), lines=3)
    prevented = _prevented(triaged)
    if prevented:
        yield Told("PREVENT", "; ".join(prevented), lines=3)


def _prevented(triaged: Triage) -> list[str]:
    """Return how it does not happen again, of each cause in turn: the first thing first."""
    every = [cause.head.get("prevention") or [] for cause in triaged.causes]
    turns = itertools.zip_longest(*every)
    return list(dict.fromkeys(one for turn in turns for one in turn if one))


def _unknown(document: Document, triaged: Triage) -> Iterator[str]:
    asked = next_to_fetch(triaged.undecided)
    if asked:
        yield asked
    gap = missing(document)
    if gap:
        yield f"{gap}."
    settling = [batch for batch in batches(document.get("fetch") or []) if is_settling(batch)]
    if settling:
        yield f"To collect: {settling[0].amount}: {settling[0].purpose}."
    lines = document["unparsed"]["lines"]
    if lines:
        yield f"{counted(lines, 'line')} of the files {'was' if lines == 1 else 'were'} not understood."
