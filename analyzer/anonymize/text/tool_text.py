"""Writes pasted output of tools, logs and complaints again: what the readers understand with other names.

A line that no reader understands keeps Kafka's words and otherwise only its shape; a line of a log is left empty. An
answer in JSON, YAML or Python's form keeps its fields.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.paths import Paths
from analyzer.anonymize.text.text_lines import TextLines
from analyzer.kafka.wrapped_lines import unwrapped
from analyzer.parse.answers.java_objects import answers_in
from analyzer.parse.answers.values import Values
from analyzer.parse.logs.reader import beginning, said
from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.small_files.pasted import Pasted
from analyzer.parse.stream import Lines


class ToolText:
    """Writes one such text again."""

    def __init__(self, to: Replacing, lines: TextLines, paths: Paths, name: str, kind: str) -> None:
        """Take the file's name, which may tell its partition, and its kind: admin, broker_log or stderr."""
        self._to = to
        self._lines = lines
        self._paths = paths
        self._name = name
        self._kind = kind

    def written(self, stream: BinaryIO) -> Iterator[bytes]:
        """Yield the new text a line at a time."""
        lines, rows, section = Lines(stream), Rows(""), Section(0, 1, 0, kind=self._kind)
        pasted, values = Pasted(rows, self._name), Values()
        while not lines.ended:
            text, whole = beginning(lines), lines.whole
            if self._kind == "broker_log":
                told = values.take(lines, text, unwrapped(text), (None, None))
                new = self._of_log(text) or (self._lines.line(text) if told is not None else "")
            else:
                before = rows.count
                taken = self._kind == "admin" and pasted.take(lines, section)
                new = self._of_tool(text, lines.line, taken=taken, row=rows.count > before)
            yield new.encode() + (b"\n" if whole or lines.long else b"")
            if rows.count > 1 << 12:
                for _ in rows.take(1 << 16):
                    pass
            lines.next()

    def _of_log(self, text: str) -> str:
        """Return a line of a log that says something, with other names; an empty line for any other."""
        says = answers_in if next(answers_in(text), None) else said
        old = list(says(text))
        if not old:
            return ""
        wanted = [self._mapped(line) for line in old]
        for row in (False, True):
            new = self._lines.line(text, row=row)
            if [{name: value for name, value in line.items() if name != "text"} for line in says(new)] == wanted:
                return new
        return ""

    def _mapped(self, line: dict[str, Any]) -> dict[str, Any]:
        """Return what a line says under the new names."""
        named: dict[str, Any] = {
            name: self._to.names.of(str(line[name])) for name in ("topic", "transactional_id") if line.get(name)
        }
        if listed := line.get("partitions"):
            named["partitions"] = sorted(map(self._to.partition, listed))
        return {name: value for name, value in line.items() if name != "text"} | named

    def _of_tool(self, text: str, line: bytes, *, taken: bool, row: bool) -> str:
        if taken:
            return self._lines.line(text, row=row)
        said, new = remark_of(line), self._lines.line(text)
        return new if said is not None and remark_of(new.encode()) is said else self._lines.masked(text)
