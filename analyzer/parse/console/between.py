"""Takes records of the console's formatters and of kcl that stand between other lines of a paste.

They are sections of their own: what the formatters print names no partition, whatever stands before it.
"""

import json

from analyzer.parse.console.forms import old_form
from analyzer.parse.console.kcl import KclRecords, KclSections
from analyzer.parse.contents.printed import NO_PRODUCER, json_row
from analyzer.parse.rows import Row, Rows
from analyzer.parse.sections import Section

_FIRST = 1 << 20
"""The number of the first such section: dumps before and after it are counted from 0."""
_MARKS = ("::", "transactionalId=", '{"key":', "__transaction_state partition ")
_DECODER = json.JSONDecoder()


class ConsoleLines:
    """The records that were taken so far."""

    def __init__(self, rows: Rows) -> None:
        """Begin without any."""
        self._rows = rows
        self._section: Section | None = None
        self._kcl, self._of_kcl = KclRecords(), KclSections(_FIRST + 1)
        self._inside = False
        """Whether the last line was one of a record that kcl prints."""

    def take(self, text: str, number: int, offset: int) -> bool:
        """Take a line that is one record or more, or a part of one; return whether it is."""
        if not self._inside and not any(mark in text for mark in _MARKS):
            return False
        self._inside = self._kcl.take(text, (number, offset))
        self._of_kcl.add(self._kcl, self._rows)
        if self._inside:
            return True
        found = _records(text)
        if not found or (self._section is None and text.endswith("::NULL")):
            return False
        if self._section is None:
            self._section = Section(_FIRST, number, offset, kind="console")
        for row, at in found:
            self._section.batches += 1
            self._rows.add_row(row, (self._section.number, number, offset + at))
        return True

    def close(self, last_line: int) -> None:
        """Write the rows of the sections, at the end of the file."""
        self._kcl.end()
        self._of_kcl.add(self._kcl, self._rows)
        self._of_kcl.close(self._rows, last_line)
        if self._section:
            self._section.records = self._section.batches
            self._section.close(self._rows, last_line)


def _records(text: str) -> list[tuple[Row, int]]:
    """Return the rows of a line's records, and how many bytes of the line stand before each; none if not all are."""
    row = old_form(text)
    if row:
        return [(row, 0)]
    found: list[tuple[Row, int]] = []
    at = 0
    while text.startswith('{"key":', at):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        key, data = value["key"], value.get("value")
        row = json_row(key, data, None, None, NO_PRODUCER) if isinstance(key, dict) and _is_data(data) else None
        if row is None:
            return []
        found.append((row, len(text[:at].encode())))
        at = end
    return found if not text[at:].strip() else []


def _is_data(data: object) -> bool:
    return data is None or isinstance(data, dict)
