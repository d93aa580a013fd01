"""Renders the batch, record or entry at a position of a raw file as DumpLogSegments would print it.

baseOffset: 5 lastOffset: 5 count: 1 ... size: 78 magic: 2 compresscodec: none crc: 1 isvalid: true | offset: 5 ...
| offset: 7 CreateTime: 1 keySize: 9 valueSize: 30 key: transaction_metadata::transactionalId=a payload: producerId:1,..
"""

import json
from typing import Any

import numpy as np

from analyzer.kafka.group_records import EPOCHS, GENERATION
from analyzer.parse.contents.record import Record
from analyzer.parse.rows import Row
from analyzer.parse.segments.batch_headers import headers, legacy_columns, v2_columns
from analyzer.parse.segments.byte_layout import HEADER_BYTES, LEGACY_HEADER_BYTES, MAGIC_AT, PREFIX_BYTES
from analyzer.parse.segments.fields import BROKEN
from analyzer.parse.segments.internal_topics import offsets_row, transaction_row
from analyzer.parse.segments.metadata_values import metadata_row
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.records import records_of
from analyzer.parse.small_files.snapshots_and_indexes import ABORTED_ENTRY, SNAPSHOT_ENTRY
from analyzer.tables import TABLES

SHOWN_BYTES = 32
"""How many bytes are shown where no batch is."""

ByName = dict[str, Any]


def rendered(file: RawBytes, kind: str, position: int, record: int | None = None) -> str:
    """Return what is at a byte position of a raw file of this kind: a batch, one of its records, or an entry.

    Other bytes are shown in hexadecimal. A marker's record follows its batch on the same line.
    """
    if kind in _ENTRIES:
        size, line = _ENTRIES[kind]
        entry = file.read(position, position + size)
        return line(entry) if len(entry) == size else _bytes(file, position)
    batch = _batch(file, position)
    if batch is None:
        return _bytes(file, position)
    if record is None:
        return _batch_line(batch)
    records = records_of(file.read(position, position + batch["size"])) or []
    return _record_line(batch, records[record], kind) if record < len(records) else _batch_line(batch)


def _batch(file: RawBytes, position: int) -> ByName | None:
    """Return the columns of the batch at this position, None if there is no whole one."""
    head = file.read(position, position + LEGACY_HEADER_BYTES)
    if len(head) < LEGACY_HEADER_BYTES or head[MAGIC_AT] > 2:  # noqa: PLR2004 - formats 0 to 2
        return None
    legacy = head[MAGIC_AT] < 2  # noqa: PLR2004 - message sets
    size = PREFIX_BYTES + int.from_bytes(head[8:PREFIX_BYTES], "big", signed=True)
    batch = file.read(position, position + size)
    if size < (LEGACY_HEADER_BYTES if legacy else HEADER_BYTES) or len(batch) < size:
        return None
    at = np.asarray([0])
    read = legacy_columns if legacy else v2_columns
    columns = read(batch, at, headers(batch, at, legacy=legacy), base=position, check_crc=True)
    return {name: values[0].as_py() for name, values in columns.items()}


def _batch_line(batch: ByName) -> str:
    horizon = batch.get("delete_horizon_ms")
    line = (
        f"baseOffset: {batch['base_offset']} lastOffset: {batch['last_offset']} count: {batch['count']}"
        f" baseSequence: {batch['base_sequence']} lastSequence: {batch['last_sequence']}"
        f" producerId: {batch['producer_id']} producerEpoch: {batch['producer_epoch']}"
        f" partitionLeaderEpoch: {batch['partition_leader_epoch']} isTransactional: {_word(batch['is_transactional'])}"
        f" isControl: {_word(batch['is_control'])}"
        f" deleteHorizonMs: {'OptionalLong.empty' if horizon is None else f'OptionalLong[{horizon}]'}"
        f" position: {batch['position']} {batch['timestamp_type']}: {batch['max_timestamp']} size: {batch['size']}"
        f" magic: {batch['magic']} compresscodec: {batch['codec']} crc: {batch['crc']}"
        f" isvalid: {_word(batch['crc_valid'])}"
    )
    if batch.get("marker") is None:
        return line
    marker = f"endTxnMarker: {batch['marker']} coordinatorEpoch: {batch['coordinator_epoch']}"
    return f"{line} | offset: {batch['base_offset']} {marker}"


def _record_line(batch: ByName, record: Record, kind: str) -> str:
    """Return a record line with key and payload as the decoders of 2.4.1 to 4.0 print them."""
    head = (
        f"| offset: {record.offset} {batch['timestamp_type']}: {record.timestamp} keySize: {_size(record.key)}"
        f" valueSize: {_size(record.value)}"
    )
    try:
        row = _row(batch, record, kind)
    except BROKEN:
        row = None
    return head if row is None else head + _CONTENTS[row[0]](_named(*row))


def _row(batch: ByName, record: Record, kind: str) -> Row | None:
    """Return the row of a record of this kind of file."""
    if kind.startswith("metadata_"):
        return metadata_row(record, (batch["partition_leader_epoch"], batch["is_control"]))
    read = transaction_row if kind == "transaction_segment" else offsets_row
    return read(record, (batch["producer_id"], batch["producer_epoch"], batch["is_transactional"]))


def _named(table: str, values: tuple[object, ...]) -> ByName:
    """Return a row's columns from `offset` on by name."""
    names = [column.name for column in TABLES[table].columns]
    return dict(zip(names[names.index("offset") :], values, strict=False))


def _state(row: ByName) -> str:
    key = f" key: transaction_metadata::transactionalId={row['transactional_id']} payload: "
    if row["tombstone"]:
        return key + "<DELETE>"
    return (
        f"{key}producerId:{row['producer_id']},producerEpoch:{row['producer_epoch']},state={row['state']},"
        f"partitions=[{','.join(row['partitions'])}],txnLastUpdateTimestamp={row['last_update_ms']},"
        f"txnTimeoutMs={row['timeout_ms']}"
    )


def _commit(row: ByName) -> str:
    key = f" key: offset_commit::group={row['group']},partition={row['topic']}-{row['partition']} payload: "
    if row["tombstone"]:
        return key + "<DELETE>"
    metadata = f",metadata={row['metadata']}" if row["metadata"] else ""
    return f"{key}offset={row['committed_offset']}{metadata}"


def _group(row: ByName) -> str:
    if row["key_type"] != GENERATION:
        return _newer_group(row)
    key = f" key: group_metadata::group={row['group']} payload: "
    if row["tombstone"]:
        return key + "<DELETE>"
    members = ", ".join(row["members"])
    return f"{key}protocolType={row['protocol_type']},generationId={row['generation']},members=[{members}]"


def _newer_group(row: ByName) -> str:
    """Return what a newer protocol keeps of a group as tools of 4.0 on print it, of the value the epoch."""
    member = {"memberId": row["members"][0]} if row["members"] else {}
    key = {"type": str(row["key_type"]), "data": {"groupId": row["group"], **member}}
    field = EPOCHS.get(row["key_type"])
    value = None if row["tombstone"] else {"version": "0", "data": {field: row["generation"]} if field else {}}
    printed = "<DELETE>" if value is None else json.dumps(value, ensure_ascii=False)
    return f" key: {json.dumps(key, ensure_ascii=False)} payload: {printed}"


def _metadata(row: ByName) -> str:
    """Return a record of the quorum's log as tools of 4.0 and later print it."""
    if row["fields"] is None:
        return f" payload: {row['record_type']}: {row['undecoded']}"
    if row["is_control"]:
        return f" {row['record_type']}: {row['fields']}"
    return f' payload: {{"type":"{row["record_type"]}","version":{row["version"]},"data":{row["fields"]}}}'


_CONTENTS = {
    "coordinator_states": _state,
    "offset_commits": _commit,
    "group_metadata": _group,
    "metadata_records": _metadata,
}


def _producer(entry: memoryview) -> str:
    producer_id, epoch, sequence, last, delta, time, coordinator, first = SNAPSHOT_ENTRY.unpack(entry)
    opened = "OptionalLong.empty" if first < 0 else f"OptionalLong[{first}]"
    line = (
        f"producerId: {producer_id} producerEpoch: {epoch} coordinatorEpoch: {coordinator}"
        f" currentTxnFirstOffset: {opened} lastTimestamp: {time}"
    )
    if last < 0:
        return line
    before = 0 if sequence >= delta else 1 << 31  # sequences wrap to 0 after the largest int
    return (
        f"{line} firstSequence: {sequence - delta + before} lastSequence: {sequence} lastOffset: {last}"
        f" offsetDelta: {delta} timestamp: {time}"
    )


def _aborted(entry: memoryview) -> str:
    version, producer_id, first, last, stable = ABORTED_ENTRY.unpack(entry)
    return (
        f"version: {version} producerId: {producer_id} firstOffset: {first} lastOffset: {last}"
        f" lastStableOffset: {stable}"
    )


_ENTRIES = {"snapshot": (SNAPSHOT_ENTRY.size, _producer), "txnindex": (ABORTED_ENTRY.size, _aborted)}
"""By kind of file: the size of an entry, and the function that renders one."""


def _bytes(file: RawBytes, at: int) -> str:
    shown = bytes(file.read(at, at + SHOWN_BYTES)).hex(" ")
    more = " ..." if file.size > at + SHOWN_BYTES else ""
    return f"no batch: {shown}{more}" if shown else "no batch: the file ends here"


def _word(value: bool | None) -> str:  # noqa: FBT001 - a column's value
    return "unknown" if value is None else str(value).lower()


def _size(content: bytes | None) -> int:
    return -1 if content is None else len(content)
