"""From the printed key and value of a record of an internal topic to a row of its table."""

import json
import re
from typing import Any

from analyzer.parse.consumer_offsets import (
    COMMIT_TYPES,
    GROUP_TYPE,
    json_commit,
    json_group,
    text_commit,
    text_group,
)
from analyzer.parse.record_text import RecordText
from analyzer.parse.transaction_state import DELETED, json_state, text_state

Row = tuple[str, tuple[object, ...]]
"""Table and columns from `offset` on."""

_BATCH_PRODUCER = re.compile(rb" producerId: (-?\d+) producerEpoch: (-?\d+) .*?isTransactional: (true|false)")
NO_PRODUCER = (None, None, None)


def contents_row(text: RecordText, batch_line: bytes, offset: int | None, timestamp: int | None) -> Row | None:
    """Return the row of a decoded record, None where it holds no state, commit or group.

    The producer of a commit stands on the batch line, or on the record line of 0.11 to 2.1.
    """
    key = text.key or ""
    if text.decoder == "transaction":
        return _transaction(key, text.value, offset, timestamp)
    if key.startswith("{") and not key.startswith('{"metadata"'):
        return json_row(_json(key), _json(text.value), offset, timestamp, producer_of(batch_line))
    if key.startswith("offset"):
        commit = text_commit(key, text.value)
        return commit and ("offset_commits", (offset, timestamp, *commit, *producer_of(batch_line)))
    group = text_group(key, text.value) if key else None
    return group and ("group_metadata", (offset, timestamp, *group))


def _transaction(key: str, value: str | None, offset: int | None, timestamp: int | None) -> Row | None:
    if key.startswith("{"):
        return json_row(_json(key), _json(value), offset, timestamp, NO_PRODUCER)
    state = text_state(value) if value is not None else None
    transactional_id = key.partition("transactionalId=")[2]
    return state and ("coordinator_states", (offset, timestamp, transactional_id, *state))


def json_row(
    key: dict[str, Any] | None,
    value: dict[str, Any] | None,
    offset: int | None,
    timestamp: int | None,
    producer: tuple[object, ...],
) -> Row | None:
    """Return the row of a JSON key `{"type":0,"data":{...}}` and its value, None for a type that has no table."""
    data = key.get("data") if key else None
    if not key or not isinstance(data, dict):
        return None
    if "transactionalId" in data:
        state = json_state(value, tags_read="type" in key)
        return state and ("coordinator_states", (offset, timestamp, data["transactionalId"], *state))
    kind = str(key.get("type", key.get("version")))
    if kind.isdigit() and int(kind) in COMMIT_TYPES and "topic" in data:
        commit = json_commit(key, value)
        return commit and ("offset_commits", (offset, timestamp, *commit, *producer))
    if kind == str(GROUP_TYPE) and "group" in data:
        group = json_group(key, value)
        return group and ("group_metadata", (offset, timestamp, *group))
    return None


def producer_of(batch_line: bytes) -> tuple[object, ...]:
    """Return producer id, epoch and whether transactional, from a batch or flat record line."""
    match = _BATCH_PRODUCER.search(batch_line)
    return (int(match[1]), int(match[2]), match[3] == b"true") if match else NO_PRODUCER


def _json(text: str | None) -> dict[str, Any] | None:
    """Return the JSON object, None for a tombstone; what is neither becomes an empty object."""
    if text is None or text == DELETED:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
