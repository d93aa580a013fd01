"""Joins a line of a log with the lines that a mail program broke it into, where none of them says anything alone."""

import re
from typing import NamedTuple

from analyzer.parse.logs.line import LogLine
from analyzer.parse.logs.reader import Placed, said

_MOST_LINES = 8
_MOST_CHARACTERS = 1_000
_NO_REST = re.compile(r"\s*$|\t|\s*(?:at [\w.$]+[(/]|Caused by: |\.\.\. \d+ |[\w.-]+ ?= )")
"""What follows a whole line: nothing, a stack trace, a list of settings."""


class _Place(NamedTuple):
    number: int
    offset: int


class Continued:
    """The lines since the last one that began with a time, as long as they may be one that was broken."""

    def __init__(self) -> None:
        """Begin outside any line."""
        self._parts: list[str] = []
        self.place: Placed = _Place(0, 0)
        """Where the line begins."""

    def begin(self, text: str, place: Placed) -> None:
        """Take a line that begins with a time, and that says nothing so far."""
        self._parts, self.place = [text.strip()], _Place(place.number, place.offset)

    def end(self) -> None:
        """Forget the line: it is whole."""
        self._parts = []

    def said(self, text: str) -> list[LogLine]:
        """Return what the line says together with this next part of it; mail may quote each part."""
        if not self._parts:
            return []
        self._parts.append(text.strip("> "))
        whole = " ".join(self._parts)
        ended = _NO_REST.match(text) or len(self._parts) > _MOST_LINES or len(whole) > _MOST_CHARACTERS
        found = [] if ended else list(said(whole))
        if ended or found:
            self._parts = []
        return found
