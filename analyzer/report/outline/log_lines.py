"""The section on what lines of logs, statistics and metrics say, and which questions settle it."""

from analyzer.report.actions.reached import reach_of
from analyzer.report.document.types import Document
from analyzer.report.outline.log_sentences import log_sentence, questions
from analyzer.report.outline.parts import Item, Part, Section, Text
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
        for line in lines[:SHOWN]
    ]
    left = told["total"] - len(items)
    if left > 0:
        items.append(Text(f"and {left} more lines, in the JSON report and in the table log_lines", "quiet"))
    asked = list(questions(lines, reach_of(document)))
    ask: list[Part] = [
        Text("A log shows what was so at that moment, and a client's log what the client believed. Ask:")
    ]
    return Section("What the logs say", (tuple(items), (*ask, *(Item(command) for command in asked)) if asked else ()))
