"""What to do about an open transaction, by what was decided, with commands for a shell."""

from typing import Protocol

from analyzer.detectors.commands import abort_command, describe_command, producers_command, save_command
from analyzer.detectors.model import Action
from analyzer.detectors.wording import counted


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


def abort(e: OpenData, summary: str, expect: str | None, warning: str | None = None) -> Action:
    """Return the action that ends the transaction as aborted."""
    return Action(
        kind="abort",
        summary=summary,
        check_command=_check(e),
        check_expect=expect,
        command=abort_command(e.topic, e.partition, e.first_offset),
        warning=warning,
    )


def save_then_abort(e: OpenData, summary: str, expect: str | None) -> Action:
    """Return the action that saves the records first, because an abort discards them."""
    return Action(
        kind="save_then_abort",
        summary=summary,
        save_command=save_command(e.topic, e.partition, e.first_offset, e.records or 1),
        check_command=_check(e),
        check_expect=expect,
        command=abort_command(e.topic, e.partition, e.first_offset),
        warning=f"an abort throws away {counted(e.records, 'record')}",
        loses_records=e.records,
    )


def lost_commit(e: OpenData, expect: str | None) -> Action:
    """Return what to do if the marker of a decided COMMIT will not come any more."""
    return save_then_abort(
        e,
        f"DO NOT ABORT YET. The producer was told COMMIT. An abort throws away {counted(e.records, 'record')} that it "
        "counts as written: kafka-transactions.sh can only write ABORT.",
        expect,
    )


def lost_abort(e: OpenData, expect: str | None) -> Action:
    """Return what to do if the marker of a decided ABORT will not come any more."""
    return abort(
        e,
        "ABORT IT. The coordinator decided ABORT and the client knows: the missing marker is the one that the command "
        "writes, and nothing that the producer counts as written is lost.",
        expect,
    )


def wait_for_coordinator(e: OpenData, decision: str, expect: str | None) -> Action:
    """Return what to do while the coordinator will still write the marker."""
    danger = "an abort by hand throws away committed records" if decision == "COMMIT" else None
    return Action(
        kind="wait",
        summary=f"WAIT, DO NOT ABORT. {decision} is decided and its coordinator sends the marker again and again: "
        f"bring back the leader of {e.topic}-{e.partition}, and the coordinator if it is down.",
        check_command=_check(e),
        check_expect=expect,
        warning=danger,
    )


def _check(e: OpenData) -> str | None:
    if e.transactional_id is None:
        return producers_command(e.topic, e.partition)
    return describe_command(e.transactional_id)
