"""Steps for committed records that only a doomed copy has: keep its broker down, save them, produce them again."""

from collections.abc import Sequence

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.report.actions.steps import SAVED, Step, commands
from analyzer.report.document.fetch_rows import Rescuable
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.commands import LOST_FOLDER, NOT_KEPT, folder, rescue_lost
from analyzer.report.sentences.quantities import counted

LINES = 10
"""Transactions that get a line of their own; --lost saves all of them."""


def steps(finding: Finding, document: Document) -> tuple[Step, ...]:
    """Return what to do, in an order that loses nothing: the broker first, then the files, then the records."""
    place, broker = f"{name(finding['topic'] or '')}-{finding['partition']}", visible(finding["replica"] or "N")
    mine = rows_of(finding, document)
    return (
        Step(
            "stop",
            f"keep broker {broker} from joining the cluster: do not start it, and switch off whatever would "
            f"(systemd, an operator, an autoscaler). When it follows the leader, it truncates {place}, and those "
            "records are gone",
            answers=(
                (
                    "if it is running, it follows the leader already and has most likely truncated them: then only "
                    "files that were copied before have them. Stop it all the same"
                ),
                "do not elect it as leader uncleanly: that would truncate what the new leader has written since",
            ),
        ),
        Step(
            "save",
            f"copy the folder {place} of broker {broker}, whole, to another disk, while the broker is down",
            answers=(
                "if this report was made from copies of those files, they will do: keep them until all is done",
                "copy every partition that this broker led at that time: it may hold records of other producers",
            ),
        ),
        _save(finding, mine, document),
        Step(
            "verify",
            f"only when {SAVED} has exited with 0, with {_held(finding)} of {place}: let broker {broker} join",
        ),
        _again(finding, mine),
    )


def rows_of(finding: Finding, document: Document) -> list[Rescuable]:
    """Return the transactions that the finding is about, in the order of the log."""
    place = (finding["topic"], finding["partition"], finding["replica"])
    rows = document.get("rescuable") or []
    return [one for one in rows if (one["topic"], one["partition"], one["replica"]) == place]


def _save(finding: Finding, mine: Sequence[Rescuable], document: Document) -> Step:
    lines = []
    for number, one in enumerate(mine[:LINES], 1):
        whose = name(one.get("transactional_id") or f"producer {one['producer_id']}")
        lines.append((one.get("command"), f"transaction {number}, {counted(one['records'], 'record')} of {whose}"))
    answers = [
        (
            "rescue exits with 0: all of them are saved, byte for byte, and rescue.json counts them; with 3: it says "
            "which are missing or in doubt"
        ),
        "if it says that bytes are not in this capture: append the path of the copied folder to the command",
        *([] if document["case"] else [NOT_KEPT]),
        *([f"{len(mine) - LINES} more transactions: --lost saves them too"] if len(mine) > LINES else []),
    ]
    return Step(
        "save",
        f"save {_held(finding)}, before anything else on this cluster",
        commands((rescue_lost(document), "all records of this capture that only such a copy has"), *lines),
        answers=tuple(answers),
        records=True,
    )


def _held(finding: Finding) -> str:
    return counted(finding["action"].get("loses_records") or 0, "record")


def _again(finding: Finding, mine: Sequence[Rescuable]) -> Step:
    """Return how the records come back, and in which order."""
    if finding["topic"] in INTERNAL_TOPICS:
        return Step(
            "restore",
            "compare the positions of the groups with the saved offset commits, and set those that are too low with "
            "kafka-consumer-groups.sh --reset-offsets: no client may write to this topic",
        )
    compacted = f"{name(finding['topic'] or '')} is compacted" if finding.get("compacted") else "on a compacted topic"
    order = [at for one in mine if (at := one.get("decided_ms")) is not None]
    by_decision = order == sorted(order) and len(order) == len(mine)
    return Step(
        "restore",
        f"if the owners confirm that they are missing, produce the records of {LOST_FOLDER}/records.jsonl again, in "
        "the order of the file: that of each log (docs/rescue.md of txn-forensics has the program)",
        answers=(
            "the transactions were decided in the order of the log, so each may be produced whole, one after the "
            "other" if by_decision else "the transactions overlap in the log: if each is produced as one "
            "transaction, it stays whole; if all are produced in the order of the file, each key keeps its order",
            ("they get new offsets, after everything that was written since: a reader that needs the old order must "
            "sort by the time of the record"),
            "a client that was told of the loss may have sent them again: ask first",
            f"{compacted}: leave out each key that has a later record, or its old value overwrites the new one",
            f"to save one transaction alone: its command above writes it into {folder('…')}",
        ),
    )  # fmt: skip
