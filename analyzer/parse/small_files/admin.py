"""Reads pasted output of Kafka's admin tools, and what else a paste holds, into rows of several tables."""

from collections.abc import Iterator

from analyzer.kafka.wrapped_lines import unwrapped
from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section, close_file
from analyzer.parse.small_files.pasted import Pasted
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import TEXT_LENGTH, Unclaimed

_NO_LINE = "no line of an admin tool"


def read_admin(lines: Lines, rows: Rows, name: str) -> Iterator[None]:
    """Read pasted output of tools, the commands that they answer, and lines of logs in between."""
    section = Section(0, 1, 0, kind="admin")
    unclaimed, pasted = Unclaimed(), Pasted(rows, name)
    opened, place = 0, (0, 1, 0)  # how many rows there were where JSON began, and where that is
    while not lines.ended:
        before = rows.count
        if pasted.take(lines, section):
            section.batches += rows.count - before
            if pasted.values.opens:
                opened, place = rows.count, (section.number, lines.number, lines.offset)
            elif (unread := pasted.values.unread) and rows.count == opened:
                text = "\n".join(unread)[:TEXT_LENGTH]
                rows.add("unparsed_lines", place, lines=len(unread), text=text, reason=_NO_LINE)
        elif says := remark_of(lines.line) or remark_of(unwrapped(lines.text()).encode()):
            section.say(says, lines.text())
        else:
            unclaimed.add(lines, _NO_LINE, maybe_text=False)
        lines.next()
        yield
    unclaimed.resolve(rows, section, text_allowed=False)
    pasted.close(max(lines.number - 1, 1))
    close_file(section, rows, lines)
