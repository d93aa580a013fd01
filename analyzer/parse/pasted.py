"""Tables of admin tools, the commands above them and lines of logs, wherever a paste holds them (RULES F 1, F 5)."""

from analyzer.parse.logs.layouts import logged_ms
from analyzer.parse.logs.reader import add as add_log_line
from analyzer.parse.logs.reader import said
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.small_files.tables import Tables
from analyzer.parse.stream import Lines
from analyzer.tables.answer_facts import ANSWERS
from analyzer.tables.fact_columns import PLACE

_OF_ANSWERS = ANSWERS.names[len(PLACE) :]
_MOST_CHARACTERS = 4_000


class Pasted:
    """What the lines before told: the command, the header of a table, the time of a log's last line."""

    def __init__(self, rows: Rows, name: str = "") -> None:
        """Begin with nothing; a file's `name` may tell the partition of its table."""
        self._rows = rows
        self._tables = Tables(name)
        self._logged_ms: int | None = None

    def take(self, lines: Lines, section: Section) -> bool:
        """Take the line at the cursor, if it is such a line, and return whether it is; the cursor stays."""
        text = lines.text(_MOST_CHARACTERS * 4)[:_MOST_CHARACTERS].rstrip("\n")
        taken = self._tables.take(text)
        at = (section.number, lines.number, lines.offset)
        if isinstance(taken, dict):
            self._rows.add("answers", *at, *(taken.get(name) for name in _OF_ANSWERS))
        elif isinstance(taken, tuple):
            self._rows.add("observations", *at, *taken)
        elif not taken:
            return self._take_log_line(lines, section, text)
        return True

    def _take_log_line(self, lines: Lines, section: Section, text: str) -> bool:
        self._logged_ms = logged_ms(text) or self._logged_ms
        found = list(said(text))
        for line in found:
            add_log_line(self._rows, lines, line | {"logged_ms": self._logged_ms}, section.number)
        return bool(found)


def may_count(section: Section) -> bool:
    """Return whether a line between the records of a dump may count: none of it can be the text of a record.

    Where contents were printed raw, a record whose own line was cut out may have left its text behind (RULES C 14).
    """
    return not (section.raw_text and (section.excerpt or section.holes or section.lone_records))
