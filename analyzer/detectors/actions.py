"""What to do about an open transaction, by what was decided, in one sentence and a kind."""

from typing import Protocol

from analyzer.detectors.model import Action
from analyzer.detectors.wording import counted
from analyzer.kafka import admin_tools
from analyzer.kafka.topics import OFFSETS_TOPIC

NOTHING_LOST = "nothing acknowledged as committed is lost"


class OpenData(Protocol):
    """What an action needs of the evidence: where the data is, whose it is, how much it is."""

    @property
    def topic(self) -> str:
        """Topic of the data."""

    @property
    def partition(self) -> int:
        """Partition of the data."""

    @property
    def first_offset(self) -> int:
        """First offset of the open transaction."""

    @property
    def records(self) -> int | None:
        """Records that are open, None if unknown."""

    @property
    def transactional_id(self) -> str | None:
        """Transactional id, None if unknown."""


def abort(e: OpenData, summary: str, state: str | None, warning: str | None = None) -> Action:
    """Return the action that ends the transaction as aborted."""
    return Action(kind="abort", summary=summary, state=state, warning=warning, discards=e.records)


def save_then_abort(e: OpenData, summary: str, state: str | None) -> Action:
    """Return the action that saves the records first, because an abort discards them."""
    return Action(
        kind="save_then_abort",
        summary=summary,
        state=state,
        warning=f"an abort discards {lost(e)}",
        loses_records=e.records,
        discards=e.records,
    )


def lost_commit(e: OpenData, state: str | None) -> Action:
    """Return what to do if the marker of a decided COMMIT will not come any more."""
    return save_then_abort(
        e,
        f"DO NOT ABORT YET. The coordinator decided COMMIT: an abort discards {lost(e)} which "
        "may count as written, and kafka-transactions.sh can only write ABORT.",
        state,
    )


def lost_abort(e: OpenData, state: str | None) -> Action:
    """Return what to do if the marker of a decided ABORT will not come any more."""
    return abort(
        e,
        "ABORT IT, after the check. The coordinator decided ABORT: the missing marker is the one that the command "
        f"writes, and {NOTHING_LOST}.",
        state,
    )


def wait_for_coordinator(e: OpenData, decision: str, expect: str | None) -> Action:
    """Return what to do while the coordinator will still write the marker."""
    danger = "an abort by hand discards committed records" if decision == "COMMIT" else None
    return Action(
        kind="wait",
        summary=f"WAIT, DO NOT ABORT. {decision} is decided and its coordinator sends the marker again and again: "
        f"bring back the leader of {e.topic}-{e.partition}, and the coordinator if it is down.",
        check_command=_check(e),
        check_expect=expect,
        warning=danger,
    )


def lost(e: OpenData) -> str:
    """Return what an abort discards: "7 records", in `__consumer_offsets` "2 offset commits"."""
    return counted(e.records, "offset commit" if e.topic == OFFSETS_TOPIC else "record")


def _check(e: OpenData) -> str | None:
    if e.transactional_id is None:
        return admin_tools.describe_producers(e.topic, e.partition)
    return admin_tools.describe_id(e.transactional_id)
