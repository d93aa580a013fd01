"""What to fetch from brokers of Redpanda, whose transactions are Kafka's, but not their files."""

from collections.abc import Iterable, Mapping
from typing import Any

OF_FILES = frozenset(
    {"missing_coordinator", "missing_state", "missing_data_logs", "missing_partition", "missing_log", "running_unseen"}
)
"""Kinds of coverage notes that ask for files of Kafka's brokers."""
ANSWERS = (
    "the answers of rpk cluster txn list, and of rpk cluster txn describe-producers for the topics where consumers are "
    "stuck; the files of Redpanda's brokers are not read"
)


def asked_of_redpanda(notes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return coverage notes that ask its brokers, and not for Kafka's files."""
    return [dict(note) | ({"fetch": ANSWERS} if note["kind"] in OF_FILES else {}) for note in notes]
