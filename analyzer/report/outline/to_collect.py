"""The section that says what to collect next, as commands for each broker."""

from collections.abc import Iterator

from analyzer.report.actions.steps import Step, commands
from analyzer.report.document.types import Document
from analyzer.report.outline.parts import Part, Section, Text
from analyzer.report.outline.sections import omitted
from analyzer.report.sentences.collect_commands import Batch, batches, commands_of, is_settling, reasons, run_command
from analyzer.report.sentences.commands import NOT_KEPT


def to_collect(document: Document) -> Section:
    """Return the steps of collecting, the smallest useful set first; what nothing open depends on is only counted."""
    found = batches(document.get("fetch") or [])
    settling = [batch for batch in found if is_settling(batch)]
    return Section("To collect next, the smallest useful set first", (tuple(_parts(found, settling, document)),))


def _parts(found: list[Batch], settling: list[Batch], document: Document) -> Iterator[Part]:
    for number, batch in enumerate(settling, 1):
        given = commands(*commands_of(batch, document["case"]))
        yield Step("look", f"{batch.amount}: {batch.purpose}", given, answers=reasons(batch), number=number)
    if settling:
        kept = () if document["case"] else (NOT_KEPT,)
        again = commands((run_command(document["case"], document["capture"]["name"]), ""))
        text = "then add what was collected to this capture:"
        yield Step("look", text, again, answers=kept, number=len(settling) + 1)
    for batch in found:
        if not is_settling(batch):
            yield Text(f"not needed for what is open: {batch.amount} ({batch.purpose})", "quiet")
    left = omitted(document, "fetch")
    if left:
        yield Text(f"and {left} more files, not listed", "quiet")
