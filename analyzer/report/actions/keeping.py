"""Steps that keep what an abort discards: records are saved and produced again, positions of groups are set again."""

import shlex
from collections.abc import Iterable

from analyzer.kafka import admin_tools as tools
from analyzer.report.actions.steps import Command, Step, commands
from analyzer.report.actions.targets import Target
from analyzer.report.document.group_rows import PendingPosition
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.cells import is_safe, name
from analyzer.report.sentences.quantities import counted

SHOWN = 10
"""Positions whose commands are written out; the document lists all that it knows."""


def rescue_command(case: str, finding_id: str) -> str | None:
    """Return the command that saves the records from the files of the capture."""
    if not is_safe(case):
        return None
    return f"txn-forensics rescue --case {shlex.quote(case)} --finding {finding_id} -o {folder(finding_id)}"


def folder(finding_id: str) -> str:
    """Return the folder that the rescue of a finding writes."""
    return f"rescued-{finding_id}"


def save(finding: Finding, target: Target, document: Document, *, needed: bool) -> Step:
    """Return the step that saves the records; `needed`: their producer may count them as written."""
    number = finding["action"].get("discards")
    records = "records" if number is None else counted(number, "record")
    text = f"save the {records}" if needed else f"optional: keep a copy of the {records}"
    answers = [
        "exit code 0: all of them, verified; 3: it says which are missing or in doubt",
        (
            f"bytes not in this capture: copy the .log files of {target.place} from broker {target.replica or 'N'} as "
            "they are, and name that folder at the end of the command"
        ),
    ]
    given = [(rescue_command(document["case"], finding["id"]), "")]
    if needed:
        last = tools.print_range(target.topic, target.partition, target.first_offset, target.last_offset)
        given.append((last, "last resort, if no file can be copied"))
        answers.append(
            "the last resort is text: it loses null, binary and line breaks, and prints other producers' records too"
        )
    return Step("save", text, commands(*given), answers=tuple(answers))


def after(finding: Finding, target: Target, document: Document) -> tuple[Step, ...]:
    """Return the steps that put back what the abort has discarded, as far as it counts as written."""
    needed = finding["action"]["kind"] == "save_then_abort"
    if target.holds_positions:
        return restore_positions(target, document, needed=needed)
    return (produce_again(finding, target),) if needed else ()


def produce_again(finding: Finding, target: Target) -> Step:
    """Return the step that puts the saved records back."""
    text = (
        f"if their owner still lacks them, produce the records of {folder(finding['id'])}/records.jsonl again; they "
        "get new offsets (docs/rescue.md has the program)"
    )
    compacted = f"{name(target.topic)} is compacted" if finding.get("compacted") else "on a compacted topic"
    answers = (
        "a client that saw its transaction fail has usually sent them again: ask first",
        f"{compacted}: leave out each key that has a later record, or its old value overwrites the new one",
    )
    return Step("restore", text, answers=answers)


def positions_of(target: Target, document: Document) -> list[PendingPosition]:
    """Return the positions of groups that are pending in this transaction."""
    own = (target.topic, target.partition, target.producer_id)
    every = document.get("pending_positions") or []
    return [one for one in every if (one["topic"], one["partition"], one["producer_id"]) == own]


def restore_positions(target: Target, document: Document, *, needed: bool) -> tuple[Step, ...]:
    """Return the steps about the positions that an abort in __consumer_offsets discards; none is produced again."""
    pending = positions_of(target, document)
    if not pending:
        text = "which positions are pending here is not in this capture: note the groups' positions before and after"
        return (Step("restore", text),)
    told = tuple(_position(one) for one in pending[:SHOWN])
    more = (f"and {len(pending) - SHOWN} more in the JSON report",) if len(pending) > SHOWN else ()
    if not needed:
        text = "do not restore these positions: the transaction was aborted, and its input must be read again"
        return (Step("restore", text, answers=(*told, *more)),)
    lost = [one for one in pending if not _passed(one)]
    return (
        Step(
            "restore",
            "the abort discards these positions. Restore them only if the output of the transaction is committed, "
            "else its input would be skipped",
            answers=(*told, *more),
        ),
        *_resets(lost[:SHOWN]),
    )


def _position(one: PendingPosition) -> str:
    where = f"{name(one['committed_topic'])}-{one['committed_partition']}"
    last = one.get("committed")
    known = "no committed position in this capture" if last is None else f"last committed {last}"
    moved = "; the group is past it: nothing to restore" if _passed(one) else ""
    return f"group {name(one['group'])}, {where}: pending {one['pending']}, {known}{moved}"


def _passed(one: PendingPosition) -> bool:
    """Return whether the group has committed this position or a later one elsewhere."""
    last = one.get("committed")
    return last is not None and last >= one["pending"]


def _resets(lost: Iterable[PendingPosition]) -> tuple[Step, ...]:
    """Return the commands that set positions: the state of the group, a dry run, then the same in earnest."""
    every = list(lost)
    groups = list(dict.fromkeys(one["group"] for one in every))
    if not every:
        return ()
    return (
        Step(
            "check",
            "the group must have no members: stop its consumers",
            commands(*[(tools.group_state(group), "") for group in groups]),
            expect="STATE Empty",
            answers=("Stable or rebalancing: the tool refuses; running members keep their own positions anyway",),
        ),
        Step("check", "try it: this changes nothing", _reset(every, execute=False), expect=_positions(every)),
        Step("restore", "then set the positions", _reset(every, execute=True)),
    )


def _positions(every: Iterable[PendingPosition]) -> str:
    return "NEW-OFFSET " + ", ".join(str(one["pending"]) for one in every)


def _reset(positions: Iterable[PendingPosition], *, execute: bool) -> tuple[Command, ...]:
    return commands(
        *[
            (
                tools.reset_position(
                    one["group"], one["committed_topic"], one["committed_partition"], one["pending"], execute=execute
                ),
                "",
            )
            for one in positions
        ]
    )
