"""What to fetch from brokers whose files nobody can give: Redpanda's and Pulsar's, and a provider's, out of reach."""

from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.kafka.reaching.managed import is_managed

OF_FILES = frozenset(
    {"missing_coordinator", "missing_state", "missing_data_logs", "missing_partition", "missing_log", "running_unseen"}
)
"""Kinds of coverage notes that ask for files of Kafka's brokers."""
OF_REDPANDA = (
    "the answers of rpk cluster txn list, and of rpk cluster txn describe-producers for the topics where consumers are "
    "stuck; the files of Redpanda's brokers are not read"
)
OF_PULSAR = (
    "the log of the broker that coordinates the id, and the answers of kafka-transactions.sh that these brokers give; "
    "the files of Pulsar's brokers are not read"
)
OF_PROVIDER = (
    "the answers of kafka-transactions.sh list, and of describe-producers for the partitions where consumers are "
    "stuck; kcl consume __transaction_state, if you may; the files are with the provider's support"
)


def asked_of(notes: Iterable[Mapping[str, Any]], bootstrap: str, *, redpanda: bool) -> list[dict[str, Any]]:
    """Return coverage notes that ask for what these brokers, HOST:PORT,..., can give."""
    notes = list(notes)
    otherwise = OF_REDPANDA if redpanda else OF_PROVIDER if is_managed(bootstrap) else None
    if any(note["kind"] == "other_brokers" for note in notes):
        otherwise = OF_PULSAR
    return [dict(note) | ({"fetch": otherwise} if otherwise and note["kind"] in OF_FILES else {}) for note in notes]
