"""Tells that lines of a text are of brokers that are not Kafka's: Redpanda's, or Pulsar's."""

import re
from collections.abc import Iterator

from analyzer.kafka.log_lines.heads import OF_KOP, OF_REDPANDA, PERHAPS_OTHERS
from analyzer.parse.answers.told import Observation
from analyzer.parse.logs.line import MOST_TEXT
from analyzer.parse.logs.reader import MOST_CHARACTERS

_OF_OTHERS = {"redpanda": re.compile(OF_REDPANDA), "pulsar": re.compile(OF_KOP)}
"""Brokers that are not Kafka's, and what only they write."""


class OtherBrokers:
    """Whose brokers the lines so far were of, other than Kafka's."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: set[str] = set()

    def see(self, text: str) -> Iterator[Observation]:
        """Yield once of a text whose brokers they are; others may take the line for their own."""
        if not any(word in text for word in PERHAPS_OTHERS):
            return
        for name, pattern in _OF_OTHERS.items():
            if name not in self._seen and pattern.search(text, 0, MOST_CHARACTERS):
                self._seen.add(name)
                yield (name, None, None, None, None, None, text.strip()[:MOST_TEXT])
