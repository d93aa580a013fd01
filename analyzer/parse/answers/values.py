"""Takes the lines of a paste that are answers as values: JSON on one line or several, YAML, what Python prints."""

import re
from collections.abc import Callable, Iterator

from analyzer.kafka.pasting.value_heads import PYTHON_SAYS, YAML_BEGINS
from analyzer.parse.answers.json_answers import JsonAnswers, Told
from analyzer.parse.answers.objects import Place
from analyzer.parse.answers.python_text import NoPythonError, open_brackets, python_value
from analyzer.parse.answers.yaml_text import NoYamlError, yaml_value
from analyzer.parse.logs.json_values import JsonBlock
from analyzer.parse.logs.line import LogLine
from analyzer.parse.stream import Lines

_OF_YAML = re.compile(rf"{YAML_BEGINS}\s*")
_IN_YAML = re.compile(r"(?: +\S|- |[A-Za-z_][\w.-]{0,80}:(?: |$))")
_OF_PYTHON = re.compile(PYTHON_SAYS)
_MOST_BYTES = 1 << 20
"""Of a longer YAML list as many items are read at once as are whole in so much of it."""


class Values:
    """What such lines have told so far, and how many of the next ones were told with the first."""

    def __init__(self) -> None:
        """Begin outside any value."""
        self._answers = JsonAnswers()
        self._json = JsonBlock(self._answers.told)
        self._taken = self._left_alone = 0
        """The number of the line up to which a value was taken, or was tried for and is none."""

    @property
    def undecoded(self) -> dict[Place, LogLine]:
        """The first record of each partition of an internal topic that nobody decoded."""
        return self._answers.undecoded

    @property
    def opens(self) -> bool:
        """Whether JSON on several lines began with the last line."""
        return self._json.opens

    @property
    def unread(self) -> list[str]:
        """The lines of JSON that the last line ended, if nobody knows what it says."""
        return self._json.unread

    def take(self, lines: Lines, text: str, bare: str, asked: tuple[str | None, int | None]) -> Told | None:
        """Return what the line at the cursor tells, perhaps nothing, None if it is no line of a value.

        `text` is the line, `bare` without what stands before it. What stands on several lines is told with the first,
        but for JSON, which is told with the last. `asked`: the topic and partition of which a command asked.
        """
        self._answers.asked = asked
        if lines.number <= self._taken:
            return []
        told = self._json.take(bare)
        told = self._answers.take(text) if told is None else told
        if told is not None or lines.number <= self._left_alone:
            return told
        if _OF_YAML.fullmatch(text):
            return self._ahead(lines, _yaml_lines, yaml_value)
        if _OF_PYTHON.match(text):
            return self._ahead(lines, _python_lines, lambda found: python_value("\n".join(found)))
        return None

    def _ahead(
        self, lines: Lines, found_in: Callable[[Iterator[str]], list[str]], read: Callable[[list[str]], object]
    ) -> Told | None:
        """Return what the value tells that begins at the cursor; its lines are not looked at again if it is none."""
        found = found_in(_following(lines))
        last = lines.number + len(found) - 1
        try:
            told = self._answers.told(read(found))
        except (NoYamlError, NoPythonError):
            told = None
        if told is None:
            self._left_alone = last
        else:
            self._taken = last
        return told


def _following(lines: Lines) -> Iterator[str]:
    """Yield the line at the cursor and those after it, as far as they are whole in so much of the text."""
    lines.need(_MOST_BYTES)
    at, stop = lines.at, min(len(lines.buffer), lines.at + _MOST_BYTES)
    whole = stop == len(lines.buffer) and lines.exhausted
    while at < stop:
        end = lines.buffer.find(b"\n", at, stop)
        if end < 0 and not whole:
            return
        end = stop if end < 0 else end
        yield lines.buffer[at:end].decode("utf-8", "replace").rstrip("\r")
        at = end + 1


def _yaml_lines(ahead: Iterator[str]) -> list[str]:
    """Return the lines of a value; of a list that is longer than what is looked at, those of whole items."""
    found: list[str] = []
    for line in ahead:
        if found and not _IN_YAML.match(line):
            return found
        found.append(line)
    items = [at for at, line in enumerate(found) if line.startswith("- ")]
    size = sum(len(line.encode()) + 1 for line in found)
    return found[: items[-1]] if len(items) > 1 and size > _MOST_BYTES // 2 else found


def _python_lines(ahead: Iterator[str]) -> list[str]:
    found: list[str] = []
    opened = 0
    for line in ahead:
        found.append(line)
        opened += open_brackets(line)
        if opened <= 0:
            break
    return found
