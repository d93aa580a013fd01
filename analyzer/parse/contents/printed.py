"""Turns the printed key and value of a record of an internal topic into a row of its table."""

import json
import re
from typing import Any

from analyzer.kafka.group_records import COMMITS, GENERATION
from analyzer.kafka.pasting.fences import without_end
from analyzer.parse.contents.consumer_offsets import json_commit, json_group, json_newer, text_commit, text_group
from analyzer.parse.contents.transaction_state import DELETED, TIMEOUT, json_state, text_state
from analyzer.parse.lines.printed_text import RecordText
from analyzer.parse.rows import Row

_BATCH_PRODUCER = re.compile(rb" producerId: (-?\d+) producerEpoch: (-?\d+) .*?isTransactional: (true|false)")
NO_PRODUCER = (None, None, None)


def contents_row(
    text: RecordText, batch_line: bytes, offset: int | None, timestamp: int | None, *, whole: bool = True
) -> Row | None:
    """Return the row of a decoded record, None if it holds no state, commit or group.

    The producer of a commit is on the batch line, or in 0.11 to 2.1 on the record line. What is not `whole` has no line
    end: the timeout that the text forms end with may lack digits, and is not known.
    """
    key, value = text.key or "", text.value and without_end(text.value)
    if text.json_key is not None:
        producer = producer_of(batch_line) if text.decoder == "offsets" else NO_PRODUCER
        return json_row(text.json_key, _json(value), offset, timestamp, producer)
    if text.decoder == "transaction":
        state = text_state(value) if value is not None else None
        name = key.partition("transactionalId=")[2]
        if state and not (whole or shows_end(text)):
            state = (*state[:TIMEOUT], None, *state[TIMEOUT + 1 :])
        return ("coordinator_states", (offset, timestamp, name, *state)) if state else None
    if key.startswith("offset"):
        commit = text_commit(key, value)
        return ("offset_commits", (offset, timestamp, *commit, *producer_of(batch_line))) if commit else None
    group = text_group(key, value) if key else None
    return ("group_metadata", (offset, timestamp, *group)) if group else None


def shows_end(text: RecordText) -> bool:
    """Return whether a decoded state is known to be whole where no line end follows it.

    A JSON object closes. The text forms end with digits of the timeout, which no state but Ongoing is judged by.
    """
    return text.decoder == "transaction" and (text.json_key is not None or "state=Ongoing" not in (text.value or ""))


def json_row(
    key: dict[str, Any] | None,
    value: dict[str, Any] | None,
    offset: int | None,
    timestamp: int | None,
    producer: tuple[object, ...],
) -> Row | None:
    """Return the row of a JSON key `{"type":0,"data":{...}}` and its value, None for a type without a table."""
    data = key.get("data") if key else None
    if not key or not isinstance(data, dict):
        return None
    if "transactionalId" in data:
        state = json_state(value, tags_read="type" in key)
        return ("coordinator_states", (offset, timestamp, data["transactionalId"], *state)) if state else None
    kind = str(key.get("type", key.get("version")))
    if kind.isdigit() and int(kind) in COMMITS and "topic" in data:
        commit = json_commit(key, value)
        return ("offset_commits", (offset, timestamp, *commit, *producer)) if commit else None
    if kind == str(GENERATION) and "group" in data:
        group = json_group(key, value)
    else:
        group = json_newer(key, value, int(kind)) if kind.isdigit() else None
    return ("group_metadata", (offset, timestamp, *group)) if group else None


def producer_of(batch_line: bytes) -> tuple[object, ...]:
    """Return producer id, epoch and isTransactional of a batch line or flat record line."""
    match = _BATCH_PRODUCER.search(batch_line)
    return (int(match[1]), int(match[2]), match[3] == b"true") if match else NO_PRODUCER


def _json(text: str | None) -> dict[str, Any] | None:
    """Return the JSON object, None for a tombstone, and an empty object for anything else."""
    if text is None or text == DELETED:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
