"""All lines that are known, in the order in which they are looked for, and what each proves."""

import functools
import re

from analyzer.kafka.log_lines.of_clients import OF_CLIENTS
from analyzer.kafka.log_lines.of_coordinator import OF_COORDINATOR
from analyzer.kafka.log_lines.of_frameworks import OF_FRAMEWORKS
from analyzer.kafka.log_lines.of_java import OF_JAVA
from analyzer.kafka.log_lines.of_kafka import OF_KAFKA
from analyzer.kafka.log_lines.of_metrics import OF_METRICS
from analyzer.kafka.log_lines.of_redpanda import OF_REDPANDA
from analyzer.kafka.log_lines.of_tools import OF_TOOLS
from analyzer.kafka.log_lines.pattern import NEVER, Pattern

ALL: tuple[Pattern, ...] = (
    *OF_COORDINATOR, *OF_KAFKA, *OF_JAVA, *OF_FRAMEWORKS, *OF_CLIENTS, *OF_REDPANDA, *OF_TOOLS, *OF_METRICS
)  # fmt: skip
PROVES: dict[str, str] = {one.says: one.proves for one in ALL}
"""What a line proves, by what it says."""

_SEARCHED = tuple(one for one in ALL if one.written != NEVER)


@functools.cache
def telling() -> dict[str, tuple[int, ...]]:
    """Return by which words, in lower case, a line is known that may say something, and which patterns to search then.

    Of the words of each pattern they are those that the fewest lines have.
    """
    words = {word for one in _SEARCHED for word in one.needs[-1]}
    return {word: tuple(at for at, one in enumerate(_SEARCHED) if word in one.needs[-1]) for word in sorted(words)}


def first_fit(text: str) -> tuple[Pattern, re.Match[str]] | None:
    """Return the first pattern that fits a line, and what it found there."""
    lower = text.lower()
    perhaps = {at for word, patterns in telling().items() if word in lower for at in patterns}
    for one in map(_SEARCHED.__getitem__, sorted(perhaps)):
        needed = all(any(map(lower.__contains__, words)) for words in one.needs[:-1])
        if needed and (match := one.regex.search(text)):
            return one, match
    return None
