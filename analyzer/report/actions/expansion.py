"""The runbook after an expansion of __transaction_state: one order of steps, orphans ended one by one (KAFKA-20029)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.versions import Brokers
from analyzer.report.actions import orphans
from analyzer.report.actions.steps import Step, commands
from analyzer.report.actions.targets import owner
from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.types import UNDER_WAY, Document, Finding
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.open_for_long import is_endless
from analyzer.report.sentences.quantities import counted, few

LEFTOVERS = (
    "it may still list RTE001, RTE002 and RTE004: records that are left in old partitions and hold nothing back. Empty "
    "and Complete records expire (transactional.id.expiration.ms, 7 days by default); Ongoing and Prepare records stay"
)
STARTED = "a broker whose server.log shows that it started before the expansion still uses the old count"
SHOWN = 5
"""Partitions, ids or transactions that a line names; the JSON report has all."""


def runbook(document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return the steps: freeze, see who uses which count, let transactions end, restart, end orphans, settle ids."""
    describe = commands((tools.describe_topic(STATE_TOPIC), ""))
    still = " and no restart of a broker yet" if _doubtful(document) else ""
    return (
        Step("stop", f"freeze {STATE_TOPIC}: no further --alter{still}; never delete or recreate it"),
        Step(
            "look",
            "see which broker leads which partition, and compare the column Leader with this capture:",
            describe,
            answers=(*_counts(document), STARTED),
        ),
        _clients(document),
        _restart(document),
        *orphans.ended(document, brokers),
        *orphans.idle(document),
        *_splits(document),
        Step(
            "restore", "start the clients again: an id without a record in its new partition gets a new producer there"
        ),
        Step("verify", "take a new capture: its report must list no orphaned open transaction", answers=(LEFTOVERS,)),
    )


def _clients(document: Document) -> Step:
    """Return which clients to stop: all, while a broker may use the old count; else those of orphaned transactions."""
    if _doubtful(document):
        return Step(
            "stop",
            "stop the transactional producers cleanly, so that brokers on the old count finish their open transactions",
            answers=tuple(_next_orphans(document)),
        )
    whose = dict.fromkeys(
        owner(one["transactional_id"], one["producer_id"])
        for one in document["findings"]
        if orphans.is_for(one) and one["action"]["kind"] in ENDS_IT
    )
    if not whose:
        return Step("look", "stop no client: no orphaned transaction is open in this capture")
    return Step(
        "stop",
        f"stop the clients of {few([*whose], SHOWN)}: an old producer of theirs may still add records to "
        "the transactions that you end below",
    )


def _restart(document: Document) -> Step:
    """Return which brokers to restart: those of which no record by the new count is here."""
    if not _doubtful(document):
        return Step(
            "look",
            "restart no broker for its count: those that lead the partitions of misplaced ids already use the new one",
            answers=(
                "a broker that leads none of them in this capture: restart it if it started before the expansion",
            ),
        )
    return Step(
        "act",
        "once those transactions have ended, restart every broker that may still use the old count, one at a time; a "
        "broker that leads partitions written by the new count needs no restart",
        answers=("a transaction that is still open then becomes an orphan: end it like those below",),
    )


def _doubtful(document: Document) -> bool:
    """Return whether a restart may still move ids, as the finding says.

    Documents of older versions do not say so: then whether some broker leads state partitions here, none of them with
    a record by the new count.
    """
    words = [one["action"].get("word") for one in document["findings"] if is_for(one)]
    if any(words):
        return "end the orphans" not in words
    brokers, new, _ = _led(document)
    return not brokers or any(not new[broker] for broker in brokers)


def _led(document: Document) -> tuple[list[str], Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Return the brokers that lead state partitions here, and which of these only the new or the old count explains."""
    leads = {
        one["partition"]: one["replica"]
        for one in document["partitions"]
        if one["authority"] and one["topic"] == STATE_TOPIC
    }
    topics = document["routing"].get("topics") or []
    places = next((one.get("id_places") or [] for one in topics if one["topic"] == STATE_TOPIC), [])
    new, old = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for place in places:
        broker = leads.get(place["partition"])
        if broker is not None:
            new[broker] += [str(place["partition"])] if place["by_new_only"] else []
            old[broker] += [str(place["partition"])] if place["by_old_only"] else []
    return sorted(set(leads.values())), new, old


def _counts(document: Document) -> Iterator[str]:
    """Yield which count each broker works by, from the records in the state partitions that it leads here."""
    brokers, new, old = _led(document)
    for broker in brokers:
        if new[broker]:
            yield f"broker {broker} leads {few(new[broker], SHOWN)}, with ids that only the new count explains"
        elif old[broker]:
            told = f"broker {broker} leads {few(old[broker], SHOWN)}, with ids that only the old count explains"
            yield f"{told}, and none that needs the new one: it may still use the old count"


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
        if one["authority"] and one["verdict"] in UNDER_WAY
        and (one.get("transactional_id"), one["producer_id"]) in misplaced
    ]  # fmt: skip
    for one, state in open_now[:SHOWN]:
        whose = owner(one.get("transactional_id"), one["producer_id"])
        place = f"{name(one['topic'])}-{one['partition']}, open from {one['first_offset']}"
        yield f"a restart of the leader of {STATE_TOPIC}-{state} would orphan {whose} in {place}"
    if len(open_now) > SHOWN:
        yield f"and {counted(len(open_now) - SHOWN, 'more transaction')}, in the JSON report"
    if not open_now:
        yield "no open transaction in this capture would be orphaned by a restart"
    yield "a client that cannot end its transaction: the coordinator aborts it at transaction.timeout.ms"
    if any(is_endless(one) for one, _ in open_now):
        yield "one without a timeout (two-phase commit) is never aborted: its owner must end it before the restart"


def _splits(document: Document) -> Iterator[Step]:
    """Yield which copy of an id that is alive twice wins."""
    found = [one for one in document["findings"] if one["code"] == "RTE002" and one["topic"] == STATE_TOPIC]
    if not found:
        return
    told = [f"{name(one['transactional_id'] or '')}: copy in partition {one['partition']} is valid" for one in found]
    more = len(told) - SHOWN
    yield Step(
        "restore",
        "of an id that is alive in two partitions, the copy where the new count places it is valid; leave the other "
        "copy, which no broker uses",
        answers=(*told[:SHOWN], *((f"and {counted(more, 'more id')} in the JSON report",) if more > 0 else ())),
    )


def is_for(finding: Finding) -> bool:
    """Return whether the runbook is what to do about a finding."""
    return finding["code"] == "RTE003" and finding["topic"] == STATE_TOPIC
