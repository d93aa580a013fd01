"""The runbook after an expansion of __transaction_state: one order of steps, orphans ended one by one (KAFKA-20029)."""

from collections import defaultdict
from collections.abc import Iterator

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.versions import Brokers
from analyzer.report.actions import orphans
from analyzer.report.actions.steps import Step, commands
from analyzer.report.actions.targets import owner
from analyzer.report.document.types import Document, Finding, OpenTransaction
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import counted

SHOWN = 5
"""Partitions, ids or transactions that a line names; the JSON report has all."""


def runbook(document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return the steps: freeze, see who uses which count, let transactions end, restart, end orphans, settle ids."""
    describe = commands((tools.describe_topic(STATE_TOPIC), ""))
    return (
        Step(
            "stop",
            f"freeze {STATE_TOPIC}: no further --alter and no restart of a broker yet; never delete or recreate it",
        ),
        Step("look", "see which broker leads what, and compare:", describe, answers=tuple(_counts(document))),
        Step(
            "stop",
            "stop the transactional producers cleanly, so that brokers on the old count finish their open transactions",
            answers=tuple(_next_orphans(document)),
        ),
        Step(
            "act",
            "when no transaction listed above is open any more, restart every broker that may still use the old count, "
            "one at a time; a broker that leads partitions written by the new count needs none",
            answers=("a transaction that is still open then becomes an orphan: end it like those below",),
        ),
        *orphans.ended(document, brokers),
        *_splits(document),
        Step("verify", "take a new capture: RTE004 and RTE002 must be gone from its report"),
    )


def _counts(document: Document) -> Iterator[str]:
    """Yield which count each broker works by, from the records in the state partitions that it leads here."""
    leads = {
        one["partition"]: one["replica"]
        for one in document["partitions"]
        if one["authority"] and one["topic"] == STATE_TOPIC
    }
    topics = document["routing"].get("topics") or []
    places = next((one.get("id_places") or [] for one in topics if one["topic"] == STATE_TOPIC), [])
    new, old = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for place in places:
        broker = leads.get(place["partition"])
        if broker is not None:
            new[broker] += [place["partition"]] if place["by_new_only"] else []
            old[broker] += [place["partition"]] if place["by_old_only"] else []
    for broker in sorted(set(leads.values())):
        if new[broker]:
            yield f"broker {broker} leads {_some(new[broker])}, with ids that only the new count explains"
        elif old[broker]:
            told = f"broker {broker} leads {_some(old[broker])}, with ids that only the old count explains"
            yield f"{told}, and none by the new one: it may still use the old count"


def _some(partitions: list[int]) -> str:
    more = len(partitions) - SHOWN
    return ", ".join(map(str, partitions[:SHOWN])) + (f" and {more} more" if more > 0 else "")


def _next_orphans(document: Document) -> Iterator[str]:
    """Yield the transactions under way whose state is by the old count: a restart of that leader orphans them."""
    misplaced = {
        (one["transactional_id"], one["producer_id"]): one["partition"]
        for one in document["findings"]
        if one["code"] == "RTE001" and one["topic"] == STATE_TOPIC
    }
    open_now = [
        (one, misplaced[one.get("transactional_id"), one["producer_id"]])
        for one in document["open_transactions"]
        if one["authority"] and one["verdict"] in {"in_flight", "completing"}
        and (one.get("transactional_id"), one["producer_id"]) in misplaced
    ]  # fmt: skip
    for one, state in open_now[:SHOWN]:
        yield f"a restart of the leader of {STATE_TOPIC}-{state} would orphan {_place(one)}"
    if len(open_now) > SHOWN:
        yield f"and {counted(len(open_now) - SHOWN, 'more transaction')}, in the JSON report"
    if not open_now:
        yield "no open transaction in this capture would be orphaned by a restart; look again at the cluster"


def _place(one: OpenTransaction) -> str:
    whose = owner(one.get("transactional_id"), one["producer_id"])
    return f"{whose} in {name(one['topic'])}-{one['partition']}, open from {one['first_offset']}"


def _splits(document: Document) -> Iterator[Step]:
    """Yield which copy of an id that is alive twice wins."""
    found = [one for one in document["findings"] if one["code"] == "RTE002" and one["topic"] == STATE_TOPIC]
    if not found:
        return
    told = [f"{name(one['transactional_id'] or '')}: partition {one['partition']} wins" for one in found]
    more = len(told) - SHOWN
    yield Step(
        "restore",
        "ids that are alive in two partitions: the copy where the new count places it wins; restart the client, and "
        "leave the other copy to expire",
        answers=(*told[:SHOWN], *((f"and {counted(more, 'more id')} in the JSON report",) if more > 0 else ())),
    )


def is_for(finding: Finding) -> bool:
    """Return whether the runbook is what to do about a finding."""
    return finding["code"] == "RTE003" and finding["topic"] == STATE_TOPIC
