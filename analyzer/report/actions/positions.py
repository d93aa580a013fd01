"""Steps about the positions of groups that an abort in __consumer_offsets discards: note them, stop, set them again."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from analyzer.kafka import admin_tools as tools
from analyzer.report.actions.steps import RESTORED, SAVED, STOPPED, Command, Step
from analyzer.report.actions.targets import Target
from analyzer.report.document.group_rows import PendingPosition
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.cells import name

SHOWN = 10
"""Positions whose commands are written out; the document lists all that it knows."""
OTHER_NEWS = (
    f"the CURRENT-OFFSET of {SAVED} is at least as high: skip this partition, because a reset would move it back",
    "another NEW-OFFSET: the partition does not have that offset; do not set it",
)
"""What other answers to a dry run mean."""


def positions_of(target: Target, document: Document) -> list[PendingPosition]:
    """Return the positions of groups that are pending in this transaction."""
    own = (target.topic, target.partition, target.producer_id)
    every = document.get("pending_positions") or []
    return [one for one in every if (one["topic"], one["partition"], one["producer_id"]) == own]


def groups_of(target: Target, document: Document, finding: Finding) -> list[str]:
    """Return the groups whose consumers must stand still: those that lose a position, else those that wait."""
    pending = positions_of(target, document)
    return list(dict.fromkeys(one["group"] for one in _lost(pending))) if pending else waiting_groups(finding)


def waiting_groups(finding: Finding) -> list[str]:
    """Return the groups that are known to wait for the transaction of a finding."""
    waiting = finding.get("waiting")
    return (waiting["groups"] if waiting else None) or []


def stops(target: Target, document: Document, finding: Finding) -> list[str]:
    """Return the groups whose consumers stand still from before the abort until the plan is through."""
    if finding["action"]["kind"] == "save_then_abort":
        return groups_of(target, document, finding)
    return list(_unset(positions_of(target, document)))


def conditions(target: Target, document: Document, finding: Finding) -> tuple[str, ...]:
    """Return what makes an abort of positions right, beside the checks; more if perhaps believed committed."""
    stopped = (f"{STOPPED} found no member",) if stops(target, document, finding) else ()
    if finding["action"]["kind"] != "save_then_abort":
        return stopped
    return (f"the positions of {SAVED} are noted", *stopped, "the owner of the groups agrees")


def kept(target: Target, document: Document, finding: Finding) -> tuple[Step, ...]:
    """Return what comes before an abort that discards positions that a client may believe are committed.

    A consumer that runs meanwhile finds no position, and starts by its auto.offset.reset.
    """
    pending, every = positions_of(target, document), groups_of(target, document, finding)
    text = "note the positions that the abort discards, and those that are committed"
    if not pending:
        text = "which positions are pending here is not in this capture: note those that the groups have committed"
    known = ("the command shows committed positions only: pending ones are known from this capture",) if pending else ()
    note = Step("save", text, _asked(tools.group_positions, every), answers=(*_told(pending), *known))
    return (note, *((_stopped(every),) if every else ()))


def halted(target: Target, document: Document) -> tuple[Step, ...]:
    """Return what comes before an abort of decided positions: their groups may have no other to go on from."""
    unset = _unset(positions_of(target, document))
    if not unset:
        return ()
    told = tuple(
        f"group {name(group)} has no committed position for {', '.join(places)} in this capture: once the abort frees "
        "them, its consumers begin there by auto.offset.reset, and latest skips input"
        for group, places in unset.items()
    )
    return (_stopped(unset, told),)


def _stopped(groups: Iterable[str], why: Sequence[str] = ()) -> Step:
    return Step(
        "stop",
        f"stop the consumers of {', '.join(map(name, groups))}, and keep them stopped until {RESTORED}",
        _asked(tools.group_state, groups),
        expect="STATE Empty",
        answers=(
            *why,
            "Stable, or a rebalance: a consumer still runs; stop it and look again",
            "Dead, or the group does not exist: it has no member",
        ),
    )


def restored(target: Target, document: Document, *, needed: bool) -> tuple[Step, ...]:
    """Return the steps about these positions after the abort; none is produced again."""
    pending = positions_of(target, document)
    if not needed:
        text = "do not restore these positions: the transaction was aborted, and its input must be read again"
        begin = [f"{name(group)}: {', '.join(places)}" for group, places in _unset(pending).items()]
        if begin:
            text += f". Set where to begin instead ({'; '.join(begin)}), then start the consumers again"
        return (Step("restore", text, answers=_told(pending)),) if pending else ()
    every = _lost(pending)[:SHOWN]
    if not every:
        text = "start the consumers again: none of the positions that are known to be pending here has to be restored"
        return (Step("restore", text),)
    news = "NEW-OFFSET " + ", ".join(str(one["pending"]) for one in every)
    return (
        Step("check", "dry run, it changes nothing", _reset(every, execute=False), news, OTHER_NEWS),
        Step(
            "restore",
            "if the owner confirms that the output of this transaction is committed, set the positions: without this, "
            "its input is processed twice. Then start the consumers again",
            _reset(every, execute=True),
            answers=(
                "if the output is not committed, or an abort discards it, do not set them: that input would be lost",
                "if the tool refuses, a consumer runs again: stop it first",
            ),
        ),
    )


def _unset(pending: Iterable[PendingPosition]) -> dict[str, list[str]]:
    """Return the partitions by group for which no position is committed: nothing says where their consumers go on."""
    unset = defaultdict[str, list[str]](list)
    for one in pending:
        if one.get("committed") is None:
            unset[one["group"]].append(_committed_place(one))
    return unset


def _committed_place(one: PendingPosition) -> str:
    return f"{name(one['committed_topic'])}-{one['committed_partition']}"


def _asked(command: Callable[[str], str | None], groups: Iterable[str]) -> tuple[Command, ...]:
    return tuple(Command(command(group)) for group in groups)


def _lost(pending: Sequence[PendingPosition]) -> list[PendingPosition]:
    return [one for one in pending if not _passed(one)]


def _told(pending: Sequence[PendingPosition]) -> tuple[str, ...]:
    more = (f"and {len(pending) - SHOWN} more in the JSON report",) if len(pending) > SHOWN else ()
    return (*map(_position, pending[:SHOWN]), *more)


def _position(one: PendingPosition) -> str:
    last = one.get("committed")
    known = "no committed position in this capture" if last is None else f"last committed {last}"
    moved = "; the group is past it: nothing to restore" if _passed(one) else ""
    return f"group {name(one['group'])}, {_committed_place(one)}: pending {one['pending']}, {known}{moved}"


def _passed(one: PendingPosition) -> bool:
    """Return whether the group has committed this position or a later one elsewhere."""
    last = one.get("committed")
    return last is not None and last >= one["pending"]


def _reset(positions: Iterable[PendingPosition], *, execute: bool) -> tuple[Command, ...]:
    wanted = ((one["group"], one["committed_topic"], one["committed_partition"], one["pending"]) for one in positions)
    return tuple(Command(tools.reset_position(*one, execute=execute)) for one in wanted)
