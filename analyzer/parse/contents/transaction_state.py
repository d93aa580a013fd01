r"""Parses a printed record of `__transaction_state` into a row of `coordinator_states`.

key: transactionalId=t1 payload: producerId:1,producerEpoch:0,state=Ongoing,partitions=Set(a-0, b-1),
    txnLastUpdateTimestamp=1,txnTimeoutMs=60000                       (0.11.0 to 2.4.0; HashSet(..) in 2.4.1)
key: transaction_metadata::transactionalId=t1 payload: producerId:1,...,partitions=[a-0,b-1],...   (2.4.1 to 4.0)
key: {"type":"0","data":{"transactionalId":"t1"}} payload: {"version":"1","data":{...}}            (4.1 and later)
"""

import re
from typing import Any

from analyzer.parse.rows import json_number, within

STATE_NAMES = {
    "0": "Empty",
    "1": "Ongoing",
    "2": "PrepareCommit",
    "3": "PrepareAbort",
    "4": "CompleteCommit",
    "5": "CompleteAbort",
    "6": "Dead",
    "7": "PrepareEpochFence",
}
"""The states by the ids that the JSON forms print before 4.4 (TransactionState)."""

DELETED = "<DELETE>"
KEY_PREFIXES = (b"transactionalId=", b"transaction_metadata::transactionalId=")
KEY_OVERHEAD = 4
"""Bytes of a stored key without the transactional id: version and length (TransactionLogKey)."""

_VALUE = re.compile(
    r"producerId:(-?\d+),producerEpoch:(-?\d+),state=(\w+),partitions=(?:\[|\w*Set\()(.*)[\])]"
    r",txnLastUpdateTimestamp=(-?\d+),txnTimeoutMs=(-?\d+)",
    re.DOTALL,
)

State = tuple[object, ...]
"""tombstone, version, producer_id, producer_epoch, timeout_ms, state, partitions, last_update_ms, start_ms,
previous_producer_id, next_producer_id, client_transaction_version"""

TOMBSTONE: State = (True, *([None] * 11))

TIMEOUT = 4
"""The place of timeout_ms in it."""


def text_state(value: str) -> State | None:
    """Return the state that a payload of the text forms prints, None if it is none."""
    if value == DELETED:
        return TOMBSTONE
    match = _VALUE.fullmatch(value)
    if not match:
        return None
    producer_id, epoch, state, partitions, updated, timeout = match.groups()
    return (
        False,
        None,
        within(int(producer_id), "bigint"),
        within(int(epoch), "int"),
        within(int(timeout), "bigint"),
        state,
        sorted(filter(None, re.split(r", ?", partitions))),
        within(int(updated), "bigint"),
        None,
        None,
        None,
        None,
    )


def json_state(value: dict[str, Any] | None, *, tags_read: bool = True) -> State | None:
    """Return the state of a JSON value `{"version":1,"data":{...}}`: a tombstone for None, None if it is no state.

    Fields of version 1 that are left out have their defaults (TransactionLogValue.json), unless the tool does not know
    them (`tags_read` is false: 3.9).
    """
    if value is None:
        return TOMBSTONE
    data = value.get("data")
    version = json_number(value.get("version"), "int")
    if not isinstance(data, dict) or version is None or "transactionStatus" not in data:
        return None
    tagged = version > 0 and tags_read
    status = str(data["transactionStatus"])
    return (
        False,
        version,
        json_number(data.get("producerId"), "bigint"),
        json_number(data.get("producerEpoch"), "int"),
        json_number(data.get("transactionTimeoutMs"), "bigint"),
        STATE_NAMES.get(status, status),
        _json_partitions(data.get("transactionPartitions")),
        json_number(data.get("transactionLastUpdateTimestampMs"), "bigint"),
        json_number(data.get("transactionStartTimestampMs"), "bigint"),
        json_number(data.get("previousProducerId", -1), "bigint") if tagged else None,
        json_number(data.get("nextProducerId", -1), "bigint") if tagged else None,
        json_number(data.get("clientTransactionVersion", 0), "int") if tagged else None,
    )


def _json_partitions(topics: object) -> list[str]:
    """Return `[{"topic":"a","partitionIds":[0,1]}]` as sorted names; null, in state Empty, as none."""
    if not isinstance(topics, list):
        return []
    names = [
        f"{topic.get('topic')}-{partition}"
        for topic in topics
        if isinstance(topic, dict)
        for partition in topic.get("partitionIds") or []
    ]
    return sorted(names)
