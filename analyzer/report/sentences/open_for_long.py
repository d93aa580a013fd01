"""Transactions that are open for long and not wrong: without a timeout (KIP-939), or inside a raised one."""

from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.kafka.timeouts import LONGEST_TIMEOUT_MS
from analyzer.report.document.types import Document, OpenTransaction
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import duration


def is_endless(one: Mapping[str, Any] | OpenTransaction) -> bool:
    """Return whether an open transaction runs, and no timeout ever ends it."""
    return one["verdict"] == "in_flight" and one.get("without_timeout_since") is not None


def open_for_long(one: Mapping[str, Any] | OpenTransaction, captured_at: int | None) -> bool:
    """Return whether it is endless and open for longer than a transaction with a timeout may be, by Kafka's default.

    Of the replica that is judged. Where the capture's moment is not known it may be.
    """
    since = one.get("without_timeout_since")
    if not one["authority"] or not is_endless(one) or since is None:
        return False
    return captured_at is None or captured_at - since > LONGEST_TIMEOUT_MS


def endless(document: Document) -> list[OpenTransaction]:
    """Return the endless transactions of a document, of the replicas that are judged, the oldest first."""
    found = [one for one in document["open_transactions"] if one["authority"] and is_endless(one)]
    return sorted(found, key=lambda one: one.get("without_timeout_since") or 0)


def endless_sentences(document: Document) -> list[str]:
    """Return that transactions without a timeout are open for long, with the oldest; nothing where none is."""
    captured_at = document["capture"]["captured_at"]
    found = [one for one in endless(document) if open_for_long(one, captured_at)]
    if not found:
        return []
    oldest, since = _words(found[0]), found[0].get("without_timeout_since")
    age = "an unknown time" if captured_at is None or since is None else duration(captured_at - since)
    is_open = f"has been open for {age}"
    number = _number(found)
    if number == 1:
        who, ask = f"the transaction {oldest} {is_open} and has no timeout", "its owner whether it commits or aborts"
    else:
        who = f"{number} transactions have no timeout; the oldest, {oldest}, {is_open}"
        ask = "their owners whether they commit or abort"
    them = "it" if number == 1 else "them"
    never = f"Kafka never ends {them}, and readers wait. Ask {ask}, and do not abort {them} without that answer."
    return [f"OPEN WITHOUT LIMIT: {who}. {never}"]


def long_running(document: Document) -> list[OpenTransaction]:
    """Return what is open for longer than brokers allow by default, inside a timeout that they were told to allow.

    `running_since` is there for these alone. Nothing is wrong with them, and readers wait for them. Of the replicas
    that are judged, the oldest first.
    """
    captured_at = document["capture"]["captured_at"]
    ordered = sorted(document["open_transactions"], key=lambda one: one.get("running_since") or 0)
    return [
        one
        for one in ordered
        if one["authority"] and captured_at is not None
        and (since := one.get("running_since")) is not None and captured_at - since > LONGEST_TIMEOUT_MS
    ]  # fmt: skip


def running_sentences(document: Document) -> list[str]:
    """Return that transactions run for long inside their timeouts, with the oldest, and when that ends at last."""
    captured_at = document["capture"]["captured_at"]
    found = long_running(document)
    if not found or captured_at is None:
        return []
    oldest, number = _words(found[0]), _number(found)
    age = duration(captured_at - (found[0].get("running_since") or captured_at))
    left = max((one.get("timeout_at") or 0) - captured_at for one in found)
    last = f" {duration(left)} after this capture" if left > 0 else ""
    if number == 1:
        who = f"the transaction {oldest} has been open for {age}, inside its timeout"
        until = f"it commits, or until its coordinator ends it{last} at the latest"
    else:
        who = f"{number} transactions are open inside their timeouts; the oldest, {oldest}, for {age}"
        until = f"they commit, or until their coordinators end the last of them{last}"
    gone = "If a client is gone, its owner can end its transaction now."
    return [f"STILL RUNNING: {who}. Readers wait until {until}. {gone}"]


def _words(one: OpenTransaction) -> str:
    """Return whose an open transaction is, and where: `of orders-writer in orders-0`."""
    whose = one.get("transactional_id")
    owner = name(whose) if whose else f"producer {one['producer_id']}"
    place = name(f"{one['topic']}-{one['partition']}")
    return f"of {owner} in {place}"


def _number(found: Iterable[OpenTransaction]) -> int:
    """Return how many transactions these are; one may be open in several partitions."""
    return len({(one.get("transactional_id"), one["producer_id"]) for one in found})
