"""Steps that keep what an abort discards: records are saved and produced again, positions of groups set again."""

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.versions import Brokers
from analyzer.report.actions import positions
from analyzer.report.actions.steps import SAVED, Step, commands
from analyzer.report.actions.targets import Target
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.commands import NOT_KEPT, folder, rescue_finding
from analyzer.report.sentences.quantities import counted
from analyzer.tables import NO_REPLICA

FOREIGN = frozenset({"PID001"})
"""Findings whose records the owner of the id did not write."""

AS_TEXT = (
    "kafka-console-consumer.sh writes text: null, binary data and line breaks are lost, and records of other "
    "producers are printed too; rely on it alone only if the owner accepts that"
)
NO_FILES = "no file of Redpanda's brokers can be read for this: a consumer that reads uncommitted data is the only way"


def save(finding: Finding, target: Target, document: Document, brokers: Brokers, *, needed: bool) -> Step:
    """Return the step that saves the records; `needed`: their producer may count them as written."""
    number = finding["action"].get("discards")
    records = "records" if number is None else counted(number, "record")
    the = "the record" if number == 1 else f"the {records}"
    text = f"save {the}" if needed else f"optional: keep a copy of {the}"
    last = tools.print_range(target.topic, target.partition, target.first_offset, target.last_offset)
    if brokers.redpanda:
        return Step("save", text, commands(*tools.forms(last, brokers)), answers=(NO_FILES, AS_TEXT), records=True)
    source = "its leader" if target.replica in {None, NO_REPLICA} else f"broker {target.replica}"
    answers = [
        "rescue exits with 0: all of them are saved and verified; with 3: it says which are missing or in doubt"
        + ("; go on only if their owner accepts losing these" if needed and finding["code"] not in FOREIGN else ""),
        (
            f"if rescue says that bytes are not in this capture: copy the .log files of {target.place} from "
            f"{source} as they are, and append the path of that folder to the rescue command"
        ),
    ]
    given: list[tuple[str | None, str]] = [(rescue_finding(document, finding["id"]), "")]
    if target.last_offset is None:
        answers.append(
            "no file here tells how far the transaction goes: rescue saves it up to the end of the files that you "
            "append, exits with 3, and says how to see whether that is all"
        )
    if not document["case"]:
        answers.append(NOT_KEPT)
    if needed:
        given += tools.forms(last, brokers, "last resort, if no file can be copied")
        answers.append(AS_TEXT)
    return Step("save", text, commands(*given), answers=tuple(answers), records=True)


def conditions(finding: Finding, target: Target, document: Document) -> tuple[str, ...]:
    """Return what makes an abort right, beside the checks: of records perhaps believed committed, and of positions."""
    if target.holds_positions:
        return positions.conditions(target, document, finding)
    if finding["action"]["kind"] != "save_then_abort":
        return ()
    if finding["code"] in FOREIGN:
        return (f"{SAVED} has saved them as evidence",)
    return (f"the owner of the records accepts what {SAVED} saved",)


def after(finding: Finding, target: Target, document: Document) -> tuple[Step, ...]:
    """Return the steps that put back what the abort has discarded, as far as it counts as written."""
    needed = finding["action"]["kind"] == "save_then_abort"
    if target.holds_positions:
        return positions.restored(target, document, needed=needed)
    if finding["code"] in FOREIGN:
        whose = name(finding["transactional_id"] or "")
        new = f"give the application of {whose} a new transactional.id and start it: its old one stays fenced off here"
        never = f"do not produce the records of {folder(finding['id'])} again: {whose} did not write them"
        return (Step("restore", new, answers=(never,)),)
    return (produce_again(finding, target, document),) if needed else ()


def produce_again(finding: Finding, target: Target, document: Document) -> Step:
    """Return the step that puts the saved records back."""
    saved, program = f"of {folder(finding['id'])}/records.jsonl", " (docs/rescue.md of txn-forensics has the program)"
    if document["capture"].get("redpanda"):
        saved, program = f"that {SAVED} saved", ""
    text = (
        f"if the owner confirms that they are missing, produce the records {saved} again; they get new offsets{program}"
    )
    compacted = f"{name(target.topic)} is compacted" if finding.get("compacted") else "on a compacted topic"
    answers = (
        "a client that saw its transaction fail has usually sent them again: ask first",
        f"{compacted}: leave out each key that has a later record, or its old value overwrites the new one",
    )
    return Step("restore", text, answers=answers)
