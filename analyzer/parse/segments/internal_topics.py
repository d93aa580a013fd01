"""Decodes binary keys and values of the internal topics into rows of their tables.

__transaction_state: key i16 0, id; value v0 or v1 (TransactionLogKey.json, TransactionLogValue.json).
__consumer_offsets: key i16 0 or 1, group, topic, partition; value v0 to v4 (OffsetCommitKey.json,
OffsetCommitValue.json). key i16 2, group; value v0 to v4 (GroupMetadataKey.json, GroupMetadataValue.json). Records of
newer protocols: key i16 3 to 23, group, for some a member; value i16 version 0, for some i32 epoch first.
"""

import functools
import struct

from analyzer.kafka.group_records import COMMITS, EPOCHS, GENERATION, MEMBERS, protocol_of
from analyzer.parse.contents.consumer_offsets import Commit, Group
from analyzer.parse.contents.keys import Producer
from analyzer.parse.contents.record import Record
from analyzer.parse.contents.transaction_state import STATE_NAMES, TOMBSTONE, State
from analyzer.parse.rows import Row
from analyzer.parse.segments.fields import FieldReader, number

_TRANSACTION_KEY = b"\0\0"
_STATE_HEAD = struct.Struct(">hqhib")
_STATE_TIMES = struct.Struct(">qq")
_NAMES_BY_ID = {int(number): name for number, name in STATE_NAMES.items()}

TRANSACTION_VERSIONS = (0, 1)
COMMIT_VERSIONS = GROUP_VERSIONS = (0, 1, 2, 3, 4)
FLEXIBLE = 4
"""The first version in which values of `__consumer_offsets` are flexible: compact strings and tagged fields."""

PREVIOUS_PRODUCER_ID, NEXT_PRODUCER_ID, CLIENT_VERSION = 0, 1, 2
"""Tags of TransactionLogValue v1."""

Tags = tuple[int | None, int | None, int | None]


def transaction_row(record: Record, _: Producer) -> Row | None:
    """Return the row of `coordinator_states`, None for a key of another type. Raises one of BROKEN for broken bytes."""
    key, value = record.key, record.value
    if key is None or key[:2] != _TRANSACTION_KEY:
        return None
    state = TOMBSTONE if value is None else _state(value)
    return ("coordinator_states", (record.offset, record.timestamp, transactional_id(key), *state))


@functools.lru_cache(maxsize=4096)
def transactional_id(key: bytes) -> str | None:
    """Return the id in a key; cached, because each transaction of an id writes several records."""
    return FieldReader(key, 2).text()


def _state(data: bytes) -> State:
    version, producer_id, epoch, timeout, status = _STATE_HEAD.unpack_from(data)
    if version not in TRANSACTION_VERSIONS:
        raise ValueError(f"version {version} of a transaction's state is not known")
    tags: Tags = (None, None, None)
    if version == 0:
        updated, started = _STATE_TIMES.unpack_from(data, len(data) - _STATE_TIMES.size)
        partitions = partitions_in(data[_STATE_HEAD.size : -_STATE_TIMES.size], compact=False)
    else:
        rest = FieldReader(data, _STATE_HEAD.size)
        partitions = _named(rest, compact=True)
        updated, started = rest.numbers(_STATE_TIMES)
        tags = _tags(rest.tags())
    return (False, version, producer_id, epoch, timeout, state_name(status), partitions, updated, started, *tags)


def state_name(status: int) -> str:
    """Return the name of a state by its id, the id itself where it has none."""
    return _NAMES_BY_ID.get(status) or str(status)


@functools.lru_cache(maxsize=4096)
def partitions_in(data: bytes, *, compact: bool) -> list[str]:
    """Return the partitions that these bytes of a value name; cached, because an id writes the same list often.

    Raises one of BROKEN where they are anything else, or more.
    """
    fields = FieldReader(data)
    names = _named(fields, compact=compact)
    fields.end()
    return names


def _named(value: FieldReader, *, compact: bool) -> list[str]:
    partitions: list[str] = []
    for _ in range(value.count(compact=compact)):
        topic = value.text(compact=compact)
        partitions += [f"{topic}-{value.int32()}" for _ in range(value.count(compact=compact))]
        if compact:
            value.tags()
    return sorted(partitions)


def _tags(tags: dict[int, bytes]) -> Tags:
    """Return previous and next producer id and the client's transaction version, by default -1, -1 and 0."""
    return (
        number(tags.get(PREVIOUS_PRODUCER_ID), -1),
        number(tags.get(NEXT_PRODUCER_ID), -1),
        number(tags.get(CLIENT_VERSION), 0),
    )


def offsets_row(record: Record, producer: Producer) -> Row | None:
    """Return the row of a commit or group, None for another type of key. Raises one of BROKEN for broken bytes."""
    if record.key is None:
        return None
    key = FieldReader(record.key)
    kind = key.int16()
    if kind in COMMITS:
        place = (key.text(), key.text(), key.int32())
        commit = (*place, *([None] * 4), True) if record.value is None else _commit(place, FieldReader(record.value))
        return ("offset_commits", (record.offset, record.timestamp, *commit, *producer))
    if kind == GENERATION:
        name = key.text()
        gone = record.value is None
        generation = (name, True, *([None] * 4), kind) if gone else _group(name, FieldReader(record.value or b""))
        return ("group_metadata", (record.offset, record.timestamp, *generation))
    group = _newer(kind, key, record.value)
    return ("group_metadata", (record.offset, record.timestamp, *group)) if group else None


def _newer(kind: int, key: FieldReader, data: bytes | None) -> Group | None:
    """Return what a newer protocol keeps of a group, None for a type of no protocol; of the value only the epoch."""
    protocol = protocol_of(kind)
    if protocol is None:
        return None
    name = key.text()
    members = [key.text()] if kind in MEMBERS else []
    epoch = None
    if data is not None and kind in EPOCHS:
        value = FieldReader(data)
        value.int16()
        epoch = value.int32()
    return (name, data is None, epoch, protocol, None, members, kind)


def _commit(place: tuple[object, ...], value: FieldReader) -> Commit:
    version = value.int16()
    if version not in COMMIT_VERSIONS:
        raise ValueError(f"version {version} of a committed offset is not known")
    offset = value.int64()
    leader_epoch = value.int32() if version > 2 else None  # noqa: PLR2004 - KIP-320 added it
    metadata = value.text(compact=version >= FLEXIBLE)
    return (*place, offset, leader_epoch, metadata, value.int64(), False)


def _group(name: str | None, value: FieldReader) -> Group:
    version = value.int16()
    if version not in GROUP_VERSIONS:
        raise ValueError(f"version {version} of a group's metadata is not known")
    compact = version >= FLEXIBLE
    protocol_type, generation = value.text(compact=compact), value.int32()
    value.text(compact=compact)
    leader = value.text(compact=compact)
    if version > 1:
        value.int64()
    members = [_member(value, version) for _ in range(value.count(compact=compact))]
    named = sorted(member for member in members if member)
    return (name, False, generation, protocol_type, leader, named, GENERATION)


def _member(value: FieldReader, version: int) -> str | None:
    """Return the member's id and skip its other fields."""
    compact = version >= FLEXIBLE
    name = value.text(compact=compact)
    if version > 2:  # noqa: PLR2004 - KIP-345 added the instance id
        value.text(compact=compact)
    for _ in range(2):
        value.text(compact=compact)
    if version > 0:
        value.int32()
    value.int32()
    for _ in range(2):
        value.skip_bytes(compact=compact)
    if compact:
        value.tags()
    return name
