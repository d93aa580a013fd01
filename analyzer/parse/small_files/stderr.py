"""Reads the stderr of a tool into a row of `sections`: what it complained of, and whether it died.

Exception in thread "main" java.lang.IllegalStateException: Unknown offset message version: 4
"""

from collections.abc import Iterator

from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section, close_file
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import Unclaimed


def read_stderr(lines: Lines, rows: Rows) -> Iterator[None]:
    """Read all lines; a line that no known tool writes is unparsed."""
    section = Section(0, 1, 0, kind="stderr")
    unclaimed = Unclaimed()
    while not lines.ended:
        says = remark_of(lines.line)
        if says:
            section.say(says, lines.text())
        else:
            unclaimed.add(lines, "no line of a tool", maybe_text=False)
        lines.next()
        yield
    unclaimed.resolve(rows, section, text_allowed=False)
    close_file(section, rows, lines)
