r"""Reads a broker's log, or an excerpt of one, for changes of an internal topic's partition count.

[2026-11-21 09:26:36,410] ERROR Uncaught exception in scheduled task 'load-txns-for-partition-...' (...KafkaScheduler)
org.apache.kafka.common.KafkaException: Transaction topic number of partitions has changed from 50 to 150

What docker compose, kubectl or journalctl puts before each line (`kafka-1  | `) does not matter.
"""

import re
from collections.abc import Iterator

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.small_files.checkpoints import Observation
from analyzer.parse.stream import Lines

_CHANGED = re.compile(r".*?(\S+) topic number of partitions has changed from (\d{1,10}) to (\d{1,10})\b")
"""TransactionStateManager says this of `Transaction topic`; other coordinators may name theirs."""
_TOPICS = ((STATE_TOPIC, ("transaction",)), (OFFSETS_TOPIC, ("offset", "group", "consumer")))
"""Each internal topic, and words by which a coordinator calls it."""


def read_broker_log(lines: Lines, rows: Rows) -> Iterator[None]:
    """Read a broker's log; every line counts as understood, and only a changed partition count is an observation."""
    section = Section(0, 1, 0, kind="broker_log")
    while not lines.ended:
        observation = changed_count(lines.text().rstrip("\n"))
        if observation:
            rows.add("observations", 0, lines.number, lines.offset, *observation)
            section.batches += 1
        lines.next()
        yield
    close_file(section, rows, lines)


def changed_count(text: str) -> Observation | None:
    """Return what a line says of the partition count of an internal topic, None if it says nothing."""
    match = _CHANGED.match(text)
    word = match[1].lower() if match else ""
    topic = next((topic for topic, words in _TOPICS if any(one in word for one in words)), None)
    if match is None or topic is None:
        return None
    old, new = within(int(match[2]), "int"), within(int(match[3]), "int")
    return ("count_changed", topic, None, None, old, new, text.strip())
