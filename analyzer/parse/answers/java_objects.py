r"""Reads answers of Java's AdminClient as programs print them, wherever a line has some; a map's keys say of what.

TransactionListing(transactionalId='pay-1', producerId=2000, transactionState=Ongoing)
{pay-1=TransactionDescription(coordinatorId=1, state=Ongoing, producerId=2000, producerEpoch=5,
    transactionTimeoutMs=60000, transactionStartTimeMs=OptionalLong[1731921300123], topicPartitions=[orders-3])}
{orders-3=PartitionProducerState(activeProducers=[ProducerState(producerId=2000, producerEpoch=5, lastSequence=9,
    lastTimestamp=1731921301044, coordinatorEpoch=OptionalInt[4], currentTransactionStartOffset=OptionalLong[87])])}

Source: `toString` of these classes in org.apache.kafka.clients.admin, the same from 3.0 to 4.3.
"""

import re
from collections.abc import Iterator

from analyzer.parse.answers.table_rows import Answer
from analyzer.parse.rows import within

_NAMED = r"(?:[{{,] ?(?P<{}>[^={{}}]{{1,249}})=)?"
"""The key of a map, which Java prints as `{key=value, key=value}`."""
_TOLD = r"(?:Optional(?:Int|Long)(?:\[(?P<{0}>-?\d{{1,19}})\]|\.empty))"
_LISTING = (
    r"TransactionListing\(transactionalId='(?P<listed>.{1,249}?)', producerId=(?P<listed_id>-?\d{1,19}),"
    r" transactionState=(?P<listed_state>\w+)\)"
)
_DESCRIPTION = (
    _NAMED.format("described")
    + r"TransactionDescription\(coordinatorId=(?P<coordinator>-?\d{1,10}), state=(?P<state>\w+),"
    r" producerId=(?P<described_id>-?\d{1,19}), producerEpoch=(?P<described_epoch>-?\d{1,10}),"
    r" transactionTimeoutMs=(?P<timeout_ms>-?\d{1,19}), transactionStartTimeMs="
    + _TOLD.format("started_ms")
    + r", topicPartitions=\[(?P<partitions>[^\]]*)\]\)"
)
_PLACED = r"(?:[{,] ?(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<partition>\d{1,10})=)?PartitionProducerState\("
_PRODUCER = (
    r"ProducerState\(producerId=(?P<producer_id>-?\d{1,19}), producerEpoch=(?P<producer_epoch>-?\d{1,10}),"
    r" lastSequence=-?\d{1,10}, lastTimestamp=(?P<last_ms>-?\d{1,19}), coordinatorEpoch="
    + _TOLD.format("coordinator_epoch")
    + ", currentTransactionStartOffset="
    + _TOLD.format("first_offset")
    + r"\)"
)
_OBJECT = re.compile(f"{_LISTING}|{_DESCRIPTION}|{_PLACED}|{_PRODUCER}")
_IDS = {"producer_id": "bigint", "producer_epoch": "int", "coordinator_epoch": "int", "coordinator": "int",
        "timeout_ms": "bigint", "started_ms": "bigint", "last_ms": "bigint", "first_offset": "bigint"}  # fmt: skip


def answers_in(text: str) -> Iterator[Answer]:
    """Yield what each object in a line answers, in their order."""
    if "producerId=" not in text:
        return
    place: tuple[str | None, int | None] = (None, None)
    for match in _OBJECT.finditer(text):
        told = match.groupdict()
        if match[0].endswith("PartitionProducerState("):
            place = (told["topic"], _number(told["partition"], "int"))
        elif told["listed"]:
            ids = {"transactional_id": told["listed"], "producer_id": _number(told["listed_id"])}
            yield ids | {"asked": "list_transactions", "state": told["listed_state"], "text": match[0]}
        else:
            yield _numbers(told) | (_description(told) if told["state"] else _producer(place)) | {"text": match[0]}


def _numbers(told: dict[str, str | None]) -> Answer:
    return {name: _number(told[name], kind) for name, kind in _IDS.items()}


def _description(told: dict[str, str | None]) -> Answer:
    return {
        "asked": "describe_transaction",
        "transactional_id": told["described"],
        "producer_id": _number(told["described_id"]),
        "producer_epoch": _number(told["described_epoch"], "int"),
        "state": told["state"],
        "partitions": sorted(filter(None, (told["partitions"] or "").split(", "))),
    }


def _producer(place: tuple[str | None, int | None]) -> Answer:
    return {"asked": "describe_producers", "topic": place[0], "partition": place[1]}


def _number(text: str | None, kind: str = "bigint") -> int | None:
    return within(int(text), kind) if text else None
