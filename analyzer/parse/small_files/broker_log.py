r"""Reads a broker's log, or an excerpt of one, for changes of an internal topic's partition count.

[2026-11-21 09:26:36,410] ERROR Uncaught exception in scheduled task 'load-txns-for-partition-...' (...KafkaScheduler)
org.apache.kafka.common.KafkaException: Transaction topic number of partitions has changed from 50 to 150
"""

import re
from collections.abc import Iterator

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.stream import Lines

_CHANGED = re.compile(r".*\bTransaction topic number of partitions has changed from (\d{1,10}) to (\d{1,10})\b")
"""TransactionStateManager logs this about __transaction_state."""


def read_broker_log(lines: Lines, rows: Rows) -> Iterator[None]:
    """Read a broker's log; every line counts as understood, and only a changed partition count is an observation."""
    section = Section(0, 1, 0, kind="broker_log")
    while not lines.ended:
        text = lines.text().rstrip("\n")
        match = _CHANGED.match(text)
        if match:
            old, new = within(int(match[1]), "int"), within(int(match[2]), "int")
            rows.add(
                "observations", 0, lines.number, lines.offset, "count_changed", STATE_TOPIC, None, None, old, new,
                text.strip(),
            )  # fmt: skip
            section.batches += 1
        lines.next()
        yield
    close_file(section, rows, lines)
