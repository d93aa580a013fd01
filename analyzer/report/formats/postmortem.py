"""The draft of a post-mortem as Markdown, and its pictures: headings that public templates share, blanks to fill in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.report.document.types import Document, Finding
from analyzer.report.formats.look import Look
from analyzer.report.postmortem import contents
from analyzer.report.postmortem.causes import Cause, action_items, causes, trigger
from analyzer.report.postmortem.events import Event, events, moment
from analyzer.report.postmortem.impact import HARM, Harm, Held, groups, harms, held, named, would_lose
from analyzer.report.sentences.cells import cut
from analyzer.report.sentences.commands import case_option
from analyzer.report.sentences.inert import code, fence, inert, table
from analyzer.report.sentences.quantities import counted, size
from analyzer.report.sentences.quotes import lettered
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import where
from analyzer.report.triage.triage import Triage, triage

Later = Mapping[str, Any] | None
"""A comparison with a later capture (`comparison.changes.Changes`), if there is one."""
BLANK = "(fill in)"
MOST_UNKNOWN, MOST_EVENTS, MOST_ROWS, MOST_FINDINGS, MOST_QUOTES, QUOTE_CELLS = 10, 40, 20, 12, 4, 240
ONE_OF = {"certain": "certainly one of these", "likely": "likely one of these", "possible": "possibly one of these"}
STATES = {"freed": "free again", "moved": "moved on, but records still wait", "running": "open, inside its timeout"}


def postmortem_report(document: Document, look: Look) -> str:
    """Return the draft; with `look.beside`, it shows the pictures of `postmortem_pictures`."""
    clock, later = look.clock, look.later
    told = clock.document(document)
    triaged = triage(told)
    stuck = held(triaged)
    harmed = harms([one for incident in triaged.incidents for one in (incident.finding, *incident.folded)])
    found, happened = causes(triaged.incidents), events(told, stuck, clock)
    is_over, unknown = contents.status(told, stuck, later, clock), contents.unknown(told, triaged, stuck)
    pictures = list(postmortem_pictures(document, look)) if look.beside else []
    blocks = [
        f"# Post-mortem: {inert(contents.title(told, triaged, stuck))}",
        *_head(contents.severity(stuck, harmed, triaged), is_over, told, clock),
        "## Summary",
        *map(inert, contents.summary(told, stuck, harmed, found, triaged, is_over, clock)),
        "## Impact",
        *_impact(told, triaged, stuck, harmed, _moved(later), clock),
        "## Timeline",
        *_timeline(happened, later, clock),
        "## Root cause",
        *_causes(found, trigger(happened, found), clock),
        "## What was done",
        *_done(later, told, clock),
        "## What is not known",
        _list(unknown, MOST_UNKNOWN) if unknown else "Nothing that these files could show.",
        "## Action items",
        table(
            ("#", "kind", "what", "owner", "due"),
            [(str(at), *one, BLANK, BLANK) for at, one in enumerate(action_items(triaged, found), 1)],
        ),
        "## Appendix: evidence",
        *_evidence(triaged, clock),
        *(f"![{inert(name)}]({name})" for name in pictures),
        f"Drafted by txn-forensics from the files of {code(told['capture']['name'])}.",
    ]
    return "\n\n".join(blocks) + "\n"


def postmortem_pictures(document: Document, look: Look) -> Mapping[str, str]:
    """Return the pictures of the draft, as SVG files by their names, which begin with `look.beside`."""
    from analyzer.report.formats.picture_files import picture_files  # noqa: PLC0415 - no other format needs markup

    return picture_files(document, look)


def _head(severity: str, is_over: str, document: Document, clock: Clock) -> Iterator[str]:
    at, version = document["capture"]["captured_at"], document["capture"].get("kafka_version")
    rows = [
        ("Severity (proposed)", severity),
        ("Severity (decided)", BLANK),
        ("Status", is_over),
        ("Files taken", "at an unknown time" if at is None else clock.moment(at)),
        ("Kafka", version or "version not known"),
        ("Authors, reviewers", BLANK),
    ]
    yield table(("", ""), rows)


def _impact(
    document: Document,
    triaged: Triage,
    stuck: Sequence[Held],
    harmed: Sequence[Harm],
    moved: Sequence[Mapping[str, Any]],
    clock: Clock,
) -> Iterator[str]:
    if stuck:
        yield "Held back: readers with `isolation.level=read_committed` got nothing new in these partitions."
        freed = {f"{one['topic']}-{one['partition']}" for one in moved if one["state"] == "freed"}
        rows = [
            (
                one.place,
                "not known" if one.since is None else clock.moment(one.since),
                "before the later files" if one.place in freed else BLANK,
                "not known" if one.records is None else f"{one.records} ({size(one.bytes or 0)})",
                ", ".join(one.groups) if one.groups else "not known",
            )
            for one in stuck[:MOST_ROWS]
        ]
        yield table(("partition", "from", "to", "records waiting", "groups"), rows)
        if len(stuck) > MOST_ROWS:
            yield f"and {counted(len(stuck) - MOST_ROWS, 'more partition')}."
    waiting = groups(document, stuck)
    told = [f"Groups that are known to be held up: {named(waiting)}."] if waiting else []
    for one in harmed:
        number = "a number that is not known" if one.records is None else str(one.records)
        told.append(f"{HARM[one.impact]}: {number}, in {named(one.places)}.")
    if not any(one.impact == "lost_data" for one in harmed):
        told.append("Lost: no confirmed record is known to be lost.")
    if not any(one.impact == "wrong_data" for one in harmed):
        told.append("Wrongly shown: no record is known to have been shown wrongly.")
    yield _list([*told, *would_lose(triaged), f"What this meant for users and the business: {BLANK}"])


def _moved(later: Later) -> Sequence[Mapping[str, Any]]:
    return later["partitions"] if later else ()


def _timeline(happened: Sequence[Event], later: Later, clock: Clock) -> Iterator[str]:
    shown = happened if len(happened) <= MOST_EVENTS else _telling(happened)
    rows = [(moment(one, clock), one.what, one.source) for one in shown]
    at = later["after"]["captured_at"] if later else None
    rows += [(clock.moment(at), "later files were taken", "capture")] if at is not None else []
    blanks = [(BLANK, "detected: by whom or which alert", ""), (BLANK, "resolved: readers get new records again", "")]
    yield table(("time", "what", "source"), [*rows, *blanks])
    if len(shown) < len(happened):
        yield f"{counted(len(happened) - len(shown), 'more event')} in the JSON and HTML reports."


def _telling(told: Sequence[Event]) -> list[Event]:
    """Return the events that a long timeline shows: changes and what is stuck first, then the earliest others."""
    first = [one for one in told if one.kind not in {"coordinator", "records"}]
    rest = [one for one in told if one.kind in {"coordinator", "records"}]
    kept = {*first[:MOST_EVENTS], *rest[: max(0, MOST_EVENTS - len(first))]}
    return [one for one in told if one in kept]


def _causes(found: Sequence[Cause], set_off: Event | None, clock: Clock) -> Iterator[str]:
    if not found:
        yield "There is no incident in these files."
        return
    if set_off is None:
        yield "**Trigger:** these files date none. The controllers' log or the brokers' server.log may."
    else:
        yield f"**Trigger:** {moment(set_off, clock)}, {inert(set_off.what)} ({inert(set_off.source)})."
    for number, one in enumerate(found, 1):
        yield f"### Cause {number}: {inert(', '.join(dict.fromkeys(f['name'] for f in one.findings)))}"
        yield from _cause(one)


def _cause(one: Cause) -> Iterator[str]:
    yield inert(" ".join(one.plain))
    sure = ONE_OF.get(one.sure, one.sure) if one.alternatives else one.sure
    told = [f"In Kafka's terms ({sure}): {one.cause}"]
    told += [f"Or: {text}" for text in one.alternatives]
    told += [f"Contributed: {text}" for text in one.contributed]
    told.append(f"Seen in {named(one.places)}.")
    yield _list(told)


def _done(later: Later, document: Document, clock: Clock) -> Iterator[str]:
    if later is None:
        yield (
            "These files do not show what was done. Add newer files to this case and write the draft again: "
            "it then compares the two."
        )
        command = f"txn-forensics run PATH... {case_option(document['case'])}"
        again = f"txn-forensics report {case_option(document['case'])} --format postmortem -o postmortem.md"
        yield fence(f"{command}\n{again}", "sh")
        yield _list([f"Who did what, and when: {BLANK}"])
        return
    after = later["after"]
    when = "at an unknown time" if after["captured_at"] is None else clock.moment(after["captured_at"])
    yield f"What changed until the later files, {inert(after['capture'])} ({when}):"
    rows = [
        (
            f"{one['topic']}-{one['partition']}",
            STATES.get(one["state"], one["state"]),
            f"{one['lso_before']} -> {one['lso_after']}",
            f"{one['waiting_before']} -> {one['waiting_after']}",
        )
        for one in _moved(later)[:MOST_ROWS]
    ]
    if rows:
        yield table(("partition", "state", "LSO", "records waiting"), rows)
    for key, word in (("gone", "Gone"), ("still", "Still there"), ("opened", "New"), ("cannot_tell", "Not judged")):
        if later[key]:
            yield f"{word}:"
            yield _list([f"{_where(one)}{one['headline']} ({one['code']})" for one in later[key][:MOST_ROWS]])
    yield _list([f"Who did what, and when: {BLANK}"])


def _where(one: Mapping[str, Any]) -> str:
    return "" if one["partition"] is None else f"{one['topic']}-{one['partition']}: "


def _evidence(triaged: Triage, clock: Clock) -> Iterator[str]:
    shown = triaged.incidents[:MOST_FINDINGS]
    for one in shown:
        yield from _of_finding(one.finding, clock)
    left = len(triaged.incidents) - len(shown)
    if left:
        yield f"{counted(left, 'more incident')} in the JSON and HTML reports."


def _of_finding(finding: Finding, clock: Clock) -> Iterator[str]:
    yield f"### {inert(where(finding))}: {inert(finding['headline'])}"
    how = f"{finding['code']}, {finding['severity']}, {finding['confidence']}"
    why = lettered(finding, clock)
    yield f"{code(finding['name'])} {how}, {code(finding['id'])}" + (f", times of {why.day}" if why.day else "")
    yield _list([f"{text} {' '.join(f'({letter})' for letter in letters)}".rstrip() for text, letters in why.steps])
    lines = [
        line
        for one in why.quotes[:MOST_QUOTES]
        for line in (f"({one.letter}) {one.place}", f"    {cut(one.text, QUOTE_CELLS)}")
    ]
    if lines:
        yield fence("\n".join(lines))


def _list(told: Sequence[str], most: int | None = None) -> str:
    """Return a list of the first of these, with how many more there are."""
    left = 0 if most is None else len(told) - most
    more = [f"and {left} more, in the report"] if left > 0 else []
    return "\n".join(f"- {inert(one)}" for one in [*told[:most], *more])
