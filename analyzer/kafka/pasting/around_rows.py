r"""What stands before the rows of a table, and after them, told by its header: what copied a table put it there.

  12  $ kafka-transactions.sh list       kafka-1: Topic  Partition  ProducerId ...      <p>Topic Partition ...</p>
  13  TransactionalId  Coordinator ...   kafka-1: orders 3          5017                <p>orders 3 ...</p>
- Topic  Partition  ProducerId ...       "Topic  \tPartition\tProducerId ...\t",        **Topic  Partition ...**

Before each line stands the same, but for digits and spaces.
"""

import dataclasses
import re
from collections.abc import Iterable

from analyzer.kafka.pasting.broken_tables import names_of_header

TELLS = ("roducerId", "roducerid", "PRODUCER", "PartitionCount:", "-OFFSET")
"""Of these one stands in every header that tells what is before the rows below it."""
_BEGINS = re.compile(
    r"(?<!\w)(?<!\w-)(?:topic|partition|producer-?id|transactional-?id|coordinator(?:id)?|leader|broker|group)\b",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"Topic:\s*\S+\s.*PartitionCount:\s*\d")
_AFTER = re.compile(
    r"(?:\s*(?:\*{1,3}|_{2,3}|`{1,3}|\}\}|\u2502|<br\s?/?>|</[a-z]{1,10}>|\\(?!t))|(?:\\t)*\",?)+\s*$", re.IGNORECASE
)
_LAST = tuple('*_`}\u2502>\\",')
"""How such a rest ends."""
_MOST_BEFORE, _LONGEST = 300, 4_000
_DIGITS_OR_SPACES = re.compile(r"(\d+|[ \t\xa0]+)")
_ESCAPE = re.compile(r"\\([t\"\\])")


@dataclasses.dataclass(frozen=True, slots=True)
class Around:
    """What stands around each line: `only_marks` may be missing, `escaped` is text of a string, a backslash in tabs."""

    before: re.Pattern[str]
    only_marks: bool
    escaped: bool

    def bare(self, text: str) -> str | None:
        """Return what a line has between, None if what must stand before it does not."""
        found = self.before.match(text)
        if found is None and not self.only_marks:
            return None
        rest = _without_rest(text[found.end() if found else 0 :])
        return _unescaped(rest) if self.escaped else rest


def may_tell(text: str) -> bool:
    """Return whether a line may be a header, without a look at it as a whole."""
    return len(text) <= _LONGEST and any(word in text for word in TELLS)


def around(text: str) -> Around | None:
    """Return what stands around the header that a line is, None for a header as its tool prints it or another line."""
    if not may_tell(text):
        return None
    escaped = "\\t" in text
    for begin in _BEGINS.finditer(text, 0, _MOST_BEFORE):
        rest = _without_rest(text[begin.start() :])
        line = _unescaped(rest) if escaped else rest
        if names_of_header(line) or _DESCRIBED.match(line):
            before = text[: begin.start()]
            plain = not before.strip() and rest == text[begin.start() :]
            return None if plain else Around(shape_of(before), not _tells(before), escaped)
    return None


def around_first(lines: Iterable[str]) -> Around | None:
    """Return what stands around the first header of a text that has anything around it."""
    return next((found for line in lines if (found := around(line))), None)


def _without_rest(text: str) -> str:
    return _AFTER.sub("", text) if text.rstrip().endswith(_LAST) else text


def _tells(before: str) -> bool:
    return any(map(str.isalnum, before))


def shape_of(before: str) -> re.Pattern[str]:
    """Return what stands before each line, as it does before one: digits and spaces may be others."""
    parts = _DIGITS_OR_SPACES.split(before)
    return re.compile("".join(_loosely(part, first=at == 0) for at, part in enumerate(filter(None, parts))))


def _loosely(part: str, *, first: bool) -> str:
    if part[0].isdigit():
        return r"\d+"
    if part.isspace():
        return r"[ \t\xa0]*" if first else r"[ \t\xa0]+"
    return re.escape(part)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: "\t" if match[1] == "t" else match[1], text)
