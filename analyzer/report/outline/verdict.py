"""The first sentences of a report: which capture it is about, and the verdict in capitals."""

from collections.abc import Sequence
from typing import get_args

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.report.document.types import Document
from analyzer.report.outline.causes import cause_sentence
from analyzer.report.outline.sections import omitted
from analyzer.report.sentences.action_words import impact_of, only_possible
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.open_for_long import endless_sentences, running_sentences
from analyzer.report.sentences.quantities import counted, few, size
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.triage import Triage
from analyzer.tables import BLINDING_KINDS
from analyzer.tables.action_words import Impact

NAMED = 5
"""Blocked groups that the verdict names."""


def title_sentence(document: Document, clock: Clock) -> str:
    """Return the capture in a line: its name, the brokers, when it was taken."""
    capture = document["capture"]
    at, version = capture["captured_at"], capture.get("kafka_version")
    replicas = document["coverage"]["replicas"]
    brokers = [counted(len(replicas), "broker")] if replicas and not _labels(replicas) else []
    known = [f"Kafka {visible(version)}"] if version else []
    taken = "taken at an unknown time" if at is None else f"taken {clock.second(at)}"
    own = "" if at is None else f"@{Clock().stamp(at)}"
    return "  ".join([visible(capture["name"].removesuffix(own)), *known, *brokers, taken])


def taken_sentence(document: Document, clock: Clock) -> str:
    """Return when the capture was taken, and what says so."""
    capture = document["capture"]
    at, source = capture["captured_at"], visible(capture["captured_at_source"] or "no source")
    return "taken at an unknown time" if at is None else f"taken {clock.moment(at)} ({source})"


def read_sentence(document: Document) -> str:
    """Return what was read."""
    coverage, version = document["coverage"], document["capture"].get("kafka_version")
    known = f"Kafka {visible(version)}, " if version else ""
    read = f"{counted(coverage['files'], 'file')} ({size(coverage['bytes'])})"
    brokers = counted(len(coverage["replicas"]), "replica" if _labels(coverage["replicas"]) else "broker")
    return f"{known}{read}, {brokers}, {counted(document['unparsed']['lines'], 'line')} not understood"


def reach_sentence(document: Document, clock: Clock) -> str:
    """Return how far apart the files of the capture can be, and how far back its __transaction_state reaches."""
    apart = "Files of one capture may be up to 60 s apart"
    state = document["coverage"].get("state")
    if not state:
        return f"{apart}; no record of __transaction_state is here."
    ends = "; data files here are newer than that" if state["old"] else ""
    known = f"{state['partitions']} of {state['of']} partitions"
    told = f"{counted(state['partitions'], 'partition') if state.get('untold') else known}, records from"
    times = f"{clock.moment(state['from'])} to {clock.moment(state['to'])}"
    return f"{apart}. __transaction_state: {told} {times}{ends}"


def verdict_sentences(document: Document, triaged: Triage) -> list[str]:
    """Return the verdict: a sentence that begins in capitals, who is blocked, the cause if all incidents share it."""
    error = document.get("error")
    if error is not None:
        hints = [
            f"{word}: {visible(text)}"
            for word in ("wanted", "do")
            if (text := error.get(word)) and isinstance(text, str)
        ]
        return [f"NOTHING TO JUDGE: {visible(error['found'])}", *hints]
    if document["verdict"] == "findings" and not triaged.incidents:
        return ["FINDINGS, and none of them is shown here.", *_less_certain(document)]
    if triaged.incidents:
        first, *rest = headline_sentences(document, triaged)
        return [first, *_blocked(triaged), *_shared_cause(triaged), *rest]
    if document["verdict"] == "inconclusive":
        endless = endless_sentences(document)
        asked = triaged.undecided or missing(document) or not endless
        question = (_open_question(document, len(triaged.undecided)),) if asked else ()
        return [*endless, *question, *running_sentences(document)]
    remarks = counted(len(triaged.asides), "remark")
    checks = f". {remarks} below." if triaged.asides else ", and no check found an error."
    return [f"NOTHING HANGS in what this capture shows{checks}", *running_sentences(document)]


def headline_sentences(document: Document, triaged: Triage) -> list[str]:
    """Return the verdict on a capture with findings, without who waits and why, which a first screen tells."""
    return [_found(triaged), *_less_certain(document), *endless_sentences(document), *running_sentences(document)]


def _less_certain(document: Document) -> list[str]:
    """Return how many findings are not shown because they are less certain than asked for."""
    number = omitted(document, "less_certain")
    are = "is" if number == 1 else "are"
    return [f"{counted(number, 'finding')} {are} less certain than asked for and not shown."] if number else []


def checks_sentence(document: Document) -> str:
    """Return how many checks found something, found nothing, were skipped, failed, and what computed them."""
    runs = document["detector_runs"]
    ran = [one for one in runs if one["status"] == "ran"]
    found = sum(one["findings"] > 0 for one in ran)
    parts = [f"{found} found something", f"{len(ran) - found} found nothing"]
    for status in ("skipped", "failed"):
        number = sum(one["status"] == status for one in runs)
        parts += [f"{number} {status}"] if number else []
    engine = document["coverage"].get("engine")
    on = f" on {visible(engine)}" if engine else ""
    return f"{counted(len(runs), 'check')}{on}: " + ", ".join(parts)


def _labels(replicas: list[str]) -> bool:
    """Return whether a replica has a label instead of a broker id."""
    return not all(one.isdecimal() for one in replicas)


def _found(triaged: Triage) -> str:
    """Return the sentence on what was found and how many of it must not be aborted."""
    stuck = len(triaged.stuck)
    others = sum(one.apart for one in triaged.incidents)
    parts = [*_rescues(triaged), *([f"{counted(stuck, 'PARTITION IS', 'PARTITIONS ARE')} STUCK"] if stuck else [])]
    if number := len(triaged.contested):
        may_be = counted(number, "PARTITION MAY BE STUCK", "PARTITIONS MAY BE STUCK")
        parts.append(f"{may_be}: IT DEPENDS ON WHO LEADS")
    parts += _impacts(triaged)
    if others > 0:
        parts.append(counted(others, *(("OTHER FINDING", "OTHER FINDINGS") if parts else ("FINDING", "FINDINGS"))))
    sentence = ", ".join(parts) + "." + _not_to_abort(triaged.not_to_abort, triaged.to_end)
    if triaged.undecided:
        sentence += f" No verdict on {counted(len(triaged.undecided), 'more open transaction')}."
    return sentence


def _rescues(triaged: Triage) -> list[str]:
    """Return how many committed records are only on a copy that is about to be cut off, and on which brokers."""
    held = sum(one["action"].get("loses_records") or 0 for one in triaged.rescues)
    brokers = sorted({visible(one["replica"] or "") for one in triaged.rescues})
    on = f"BROKER{'' if len(brokers) == 1 else 'S'} {' AND '.join(brokers)}"
    return [f"{counted(held, 'COMMITTED RECORD IS', 'COMMITTED RECORDS ARE')} ONLY ON {on}"] if triaged.rescues else []


def _impacts(triaged: Triage) -> list[str]:
    """Return what readers were given, as capitals: wrong data, too little, keys out of order."""
    every = (one for incident in triaged.incidents for one in (incident.finding, *incident.folded))
    certain = any(impact_of(one) == "lost_data" and one["confidence"] == "certain" for one in every)
    told = {
        "wrong_data": "CONSUMERS MAY HAVE READ WRONG DATA",
        "lost_data": "COMMITTED DATA IS LOST" if certain else "COMMITTED DATA MAY BE LOST",
        "key_order": "KEYS MAY BE READ OUT OF ORDER",
    }
    return [
        f"{told[one]} ({counted(number, 'finding')})"
        for one in get_args(Impact)
        if (number := triaged.impacts.get(one, 0) - (len(triaged.rescues) if one == "lost_data" else 0))
    ]


def _blocked(triaged: Triage) -> list[str]:
    """Return whom the stuck partitions hold up: consumers in general, and the groups that are known, by name."""
    if not triaged.stuck:
        return []
    groups = waiting_groups(triaged)
    readers = "Consumers with isolation.level=read_committed read these partitions up to the LSO and no further."
    if not groups:
        return [readers]
    named = groups_named(groups)
    if all(topic == OFFSETS_TOPIC for topic, _ in triaged.stuck):
        return [f"Blocked: {'group' if len(groups) == 1 else 'groups'} {named}."]
    return [readers, f"Blocked groups that this capture shows: {named}."]


def waiting_groups(triaged: Triage) -> list[str]:
    """Return the groups that are known to wait, without repeats."""
    waiting = [one.finding.get("waiting") for one in triaged.incidents]
    told = (group for one in waiting if one for group in one["groups"] or [])
    return list(dict.fromkeys([*told, *triaged.groups]))


def groups_named(groups: Sequence[str]) -> str:
    """Return the first few groups by name, and how many more there are."""
    return few([*map(name, groups)], NAMED)


def _not_to_abort(number: int, out_of: int) -> str:
    """Return the warning, or nothing."""
    if not number:
        return ""
    if number == out_of:
        return " Do not abort it yet." if number == 1 else f" None of the {number} transactions may be aborted yet."
    return f" {number} of the {out_of} open transactions must not be aborted yet."


def _shared_cause(triaged: Triage) -> list[str]:
    """Return the first cause of all incidents, if they share it and there are several; where it is open, nothing."""
    causes = {tuple(one.finding["cause"][:1]) for one in triaged.incidents}
    unknown = any(only_possible(one.finding, "why") for one in triaged.incidents)
    if len(triaged.incidents) == 1 or len(causes) != 1 or causes == {()} or unknown:
        return []
    return [cause_sentence(triaged.incidents[0].finding)]


def _open_question(document: Document, undecided: int) -> str:
    """Return the verdict on an inconclusive capture: how many transactions are undecided, and what is missing."""
    gap = missing(document)
    if undecided:
        transactions = counted(undecided, "OPEN TRANSACTION", "OPEN TRANSACTIONS")
        return f"NO VERDICT ON {transactions}{f': {gap}' if gap else ''}. Do not abort on this report alone."
    failed = [run["code"] for run in document["detector_runs"] if run["status"] == "failed"]
    if failed and not gap:
        return f"NO VERDICT: the check {failed[0]} failed, and what it would have found is not known."
    return f"NO VERDICT: {gap or 'the capture does not show enough'}. What to fetch is below."


def missing(document: Document) -> str:
    """Return the most telling gap and how many more there are, or nothing."""
    blind = [note for note in document["coverage"]["notes"] if note["kind"] in BLINDING_KINDS]
    if not blind:
        return ""
    first = min(blind, key=lambda note: BLINDING_KINDS.index(note["kind"]))
    return visible(first["note"]) + (f", and {counted(len(blind) - 1, 'more gap')}" if len(blind) > 1 else "")
