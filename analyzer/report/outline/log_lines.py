"""The section on what lines of logs, statistics and metrics say, and which questions settle it."""

from collections.abc import Iterator, Sequence

from analyzer.report.actions.reached import reach_of
from analyzer.report.actions.steps import Step, commands
from analyzer.report.document.log_rows import LogLine
from analyzer.report.document.types import Document
from analyzer.report.outline.log_sentences import log_sentence, questions
from analyzer.report.outline.parts import Item, Part, Section, Text
from analyzer.report.sentences.commands import before_commands
from analyzer.report.sentences.times import Clock

SHOWN = 10


def log_lines(document: Document, clock: Clock) -> Section:
    """Return the section, empty where no line of a log says anything."""
    told = document.get("log_lines")
    if not told:
        return Section("", ())
    lines = told["lines"]
    items: list[Part] = [
        Item(log_sentence(line, clock), (f"{line['file']}:{line['line']}",), quote=line["text"])
        for line in some_of_each_kind(lines, SHOWN)
    ]
    left = told["total"] - len(items)
    if left > 0:
        items.append(Text(f"and {left} more lines, in the JSON report and in the table log_lines", "quiet"))
    return Section("What the logs say", (tuple(items), tuple(_asked(document, lines))))


def some_of_each_kind(lines: Sequence[LogLine], most: int) -> list[LogLine]:
    """Return so many lines in their order, of each kind the first and the last ones: what is rare tells most."""
    kinds: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        kinds.setdefault(line["says"], []).append(at)
    nearest = {at: min(nth, len(of) - 1 - nth) for of in kinds.values() for nth, at in enumerate(of)}
    return [lines[at] for at in sorted(sorted(nearest, key=lambda at: (nearest[at], at))[:most])]


def _asked(document: Document, lines: Sequence[LogLine]) -> Iterator[Part]:
    """Yield what to ask the cluster, ready to paste; what every command needs is said above if there are findings."""
    reach = reach_of(document)
    asked = list(questions(lines, reach))
    if not asked:
        return
    if not document["findings"]:
        yield from map(Text, before_commands(asked, reach))
    told = "a broker's log shows what was so at that moment, a client's log what the client believed. Ask the cluster:"
    yield Step("look", told, commands(*((command, "") for command in asked)), number=1)
