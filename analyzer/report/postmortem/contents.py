"""Sentences of the draft of a post-mortem: its title, how grave and whether over, a summary, what is not known."""

from collections.abc import Mapping
from typing import Any

from analyzer.report.document.types import Document
from analyzer.report.postmortem.causes import Cause
from analyzer.report.postmortem.impact import Harm, Held, groups, named
from analyzer.report.postmortem.plain_words import BATCH
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted, duration, size
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import where
from analyzer.report.triage.triage import Triage

Row = Mapping[str, Any]


def title(document: Document, triaged: Triage, rows: list[Held]) -> str:
    """Return what happened and where, in one line."""
    if rows:
        return f"Transactions stuck in {named([one.place for one in rows], 4)}"
    if triaged.incidents:
        return visible(triaged.incidents[0].finding["headline"])
    return f"No incident in {visible(document['capture']['name'])}"


def severity(rows: list[Held], harmed: list[Harm], triaged: Triage) -> str:
    """Return a severity to begin with, and what speaks for it."""
    kinds = {one.impact for one in harmed}
    if "lost_data" in kinds:
        return "high: confirmed records are lost to readers"
    if "wrong_data" in kinds:
        return "high: readers got records that they should not have got"
    if triaged.not_to_abort:
        return "high: an abort would discard records that applications may believe are confirmed"
    if rows:
        return f"medium: readers are held up in {counted(len(rows), 'partition')}, no record is known to be lost"
    return "low: no reader is held up" if triaged.incidents else "none"


def status(document: Document, rows: list[Held], later: Row | None, clock: Clock) -> str:
    """Return whether it is over, by the newest capture that is known."""
    if later is None:
        at = document["capture"]["captured_at"]
        when = "" if at is None else f" at {clock.moment(at)}"
        if not rows:
            return f"nothing was stuck when the files were taken{when}"
        return f"not over when the files were taken{when}; no later files are known"
    at = later["after"]["captured_at"]
    when = "in the later files" if at is None else f"at {clock.moment(at)}"
    waits = [one for one in later["partitions"] if one["state"] not in {"freed", "running"}]
    stays = len(later["still"]) + len(later["opened"])
    if not waits and not stays and not later["cannot_tell"]:
        return f"over: nothing of it is left {when}"
    if waits:
        return f"not over {when}: records still wait in {counted(len(waits), 'partition')}"
    left = f"{counted(stays, 'finding')} remain, and {len(later['cannot_tell'])} cannot be judged"
    return f"nothing is stuck any more {when}, but {left}"


def summary(
    document: Document,
    rows: list[Held],
    harmed: list[Harm],
    found: list[Cause],
    triaged: Triage,
    is_over: str,
    clock: Clock,
) -> list[str]:
    """Return what happened, for people who do not know Kafka; `is_over`: the `status`."""
    if not triaged.incidents:
        return ["The stored data shows no incident."]
    told = [BATCH] if rows else []
    if rows:
        told.append(_stuck(document, rows, clock))
    told += [" ".join(dict.fromkeys(words for one in found for words in one.plain[:1]))]
    told += [_harm_sentence(one) for one in harmed]
    told += _whose(triaged, groups(document, rows)) if rows else []
    if triaged.not_to_abort:
        their = "its" if triaged.not_to_abort == 1 else "their"
        told.append(
            f"{counted(triaged.not_to_abort, 'transaction')} must not be ended by hand before {their} messages are "
            "saved and the owners are asked: Kafka's tool can only cancel, and these messages may have been confirmed."
        )
    return [*told, f"Is it over? {is_over[:1].upper()}{is_over[1:]}."]


def _whose(triaged: Triage, waiting: tuple[str, ...]) -> list[str]:
    """Return which applications wrote what is unfinished, and who waits."""
    ids = [one.finding["transactional_id"] for one in triaged.rows]
    known = tuple(dict.fromkeys(one for one in ids if one))
    told = f"The unfinished transactions are those of {named(known)}. " if known else ""
    if waiting:
        return [f"{told}Known to wait: {counted(len(waiting), 'group')} of readers, {named(waiting)}."]
    return [f"{told}These files do not show which groups of readers wait."]


def _stuck(document: Document, rows: list[Held], clock: Clock) -> str:
    since = min((one.since for one in rows if one.since is not None), default=None)
    at = document["capture"]["captured_at"]
    several = len({one.since for one in rows}) > 1
    begun = "" if since is None else f"{', the first' if several else ''} since {clock.moment(since)}"
    long = "" if since is None or at is None else f", for {duration(at - since)} until the files were taken"
    waiting = None if any(one.records is None for one in rows) else sum(one.records or 0 for one in rows)
    number = "an unknown number of messages" if waiting is None else counted(waiting, "message")
    amount = sum(one.bytes or 0 for one in rows)
    return (
        f"{counted(len(rows), 'partition has', 'partitions have')} had such an unfinished transaction{begun}{long}: "
        f"{named([one.place for one in rows])}. {number[:1].upper()}{number[1:]} ({size(amount)}) waited there at that "
        "moment."
    )


def _harm_sentence(one: Harm) -> str:
    number = "Some messages" if one.records is None else counted(one.records, "message")
    was = "was" if one.records == 1 else "were"
    what = {
        "lost_data": f"{number} that had been confirmed {was} lost to readers",
        "wrong_data": f"{number} {was} wrongly shown to readers, or wrongly hidden from them",
        "key_order": f"{number} {was} read in the wrong order",
    }[one.impact]
    return f"{what}: {named(one.places)}."


def unknown(document: Document, triaged: Triage, rows: list[Held]) -> list[str]:
    """Return what these files do not tell, and what would."""
    told = []
    if rows and not any(one.groups for one in rows):
        told.append(
            "Which groups were held up. A dump of __consumer_offsets, or kafka-consumer-groups.sh --describe, shows it."
        )
    if not document.get("controller"):
        told.append(
            "What changed in the cluster before it (elections, restarts, settings), and exactly when. The controllers' "
            "log, __cluster_metadata-0, or the brokers' server.log shows it."
        )
    for one in triaged.undecided:
        place = f"{one['topic']}-{one['partition']} {one['first_offset']}"
        told.append(f"Whether {visible(place)} hangs: {visible(one.get('fetch') or one.get('why') or 'newer files')}")
    told += [
        f"Why, in {visible(where(one))} ({one['code']}): {visible(one['settled_by'] or '')}"
        for one in (incident.finding for incident in triaged.incidents)
        if one.get("settled_by")
    ]
    told += [visible(note["note"]) for note in document["coverage"]["notes"]]
    return list(dict.fromkeys(told))
