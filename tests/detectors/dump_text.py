"""From batches and coordinator states to the text that DumpLogSegments 3.2 to 4.0 prints of them."""

import dataclasses
import zlib
from collections.abc import Sequence

KEY_BYTES, VALUE_BYTES = 6, 11
"""Every data record has a key and a value of these sizes."""


@dataclasses.dataclass(frozen=True, slots=True)
class State:
    """A record of `__transaction_state`; `state` None is a tombstone."""

    transactional_id: str
    producer_id: int = -1
    producer_epoch: int = -1
    state: str | None = None
    partitions: tuple[str, ...] = ()
    updated_ms: int = -1
    timeout_ms: int = 60_000

    def sizes(self) -> tuple[int, int]:
        """Bytes of the stored key and value (TransactionLogKey, TransactionLogValue)."""
        if self.state is None:
            return 4 + len(self.transactional_id), -1
        topics = {name.rpartition("-")[0] for name in self.partitions}
        return 4 + len(self.transactional_id), 37 + sum(6 + len(topic) for topic in topics) + 4 * len(self.partitions)

    def text(self) -> str:
        """Key and payload as the text form of 2.4.1 to 4.0 prints them."""
        key = f" key: transaction_metadata::transactionalId={self.transactional_id}"
        if self.state is None:
            return f"{key} payload: <DELETE>"
        return (
            f"{key} payload: producerId:{self.producer_id},producerEpoch:{self.producer_epoch},state={self.state},"
            f"partitions=[{','.join(self.partitions)}],txnLastUpdateTimestamp={self.updated_ms},txnTimeoutMs={self.timeout_ms}"
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Commit:
    """A record of `__consumer_offsets`: a group's position in a partition."""

    group: str
    name: str
    position: int

    def sizes(self) -> tuple[int, int]:
        """Bytes of the stored key and value (OffsetCommitKey, OffsetCommitValue version 3 without metadata)."""
        return 10 + len(self.group) + len(self.name.rpartition("-")[0]), 24

    def text(self) -> str:
        """Key and payload as the text form of 2.4.1 to 3.7 prints them."""
        return (
            f" key: offset_commit::group={self.group},partition={self.name} payload: offset={self.position},metadata="
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Generation:
    """A record of `__consumer_offsets`: a rebalance of a group."""

    group: str
    generation: int

    def sizes(self) -> tuple[int, int]:
        """Bytes of the stored key (GroupMetadataKey) and of some value."""
        return 4 + len(self.group), 90

    def text(self) -> str:
        """Key and payload as the text form of 2.4.1 to 3.7 prints them."""
        return (
            f" key: group_metadata::group={self.group} payload: "
            f'{{"protocolType":"consumer","protocol":"range","generationId":{self.generation},"assignment":"{{m=[t-0]}}"}}'
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Newer:
    """A record of `__consumer_offsets` that a newer protocol keeps of a group: key type, epoch field, epoch, member."""

    group: str
    key_type: int
    field: str
    epoch: int
    member: str = ""

    def sizes(self) -> tuple[int, int]:
        """Bytes of the stored key and of some value."""
        return 4 + len(self.group) + (2 + len(self.member) if self.member else 0), 40

    def text(self) -> str:
        """Key and payload as the tools of 4.0 and newer print them."""
        member = f',"memberId":"{self.member}"' if self.member else ""
        value = f'"{self.field}":{self.epoch}' if self.field else ""
        key = f'{{"type":"{self.key_type}","data":{{"groupId":"{self.group}"{member}}}}}'
        return f' key: {key} payload: {{"version":"0","data":{{{value}}}}}'


@dataclasses.dataclass(frozen=True, slots=True)
class Batch:
    """A batch of a log: data, a marker, or records of an internal topic; `count` 0 is one the cleaner emptied."""

    base_offset: int
    last_offset: int
    timestamp: int
    producer_id: int = -1
    producer_epoch: int = -1
    sequence: int = -1
    transactional: bool = False
    marker: str | None = None
    count: int | None = None
    coordinator_epoch: int = 0
    leader_epoch: int = 0
    timestamp_type: str = "CreateTime"
    state: State | None = None
    commits: tuple[Commit | Generation | Newer, ...] = ()
    keys: tuple[str, ...] = ()
    """Keys of its records, printed with their contents."""

    @property
    def records(self) -> int:
        return self.last_offset - self.base_offset + 1 if self.count is None else self.count

    @property
    def size(self) -> int:
        return 61 + sum(_record_bytes(index, *self.record_sizes(index)) for index in range(self.records))

    def record_sizes(self, index: int = 0) -> tuple[int, int]:
        """Bytes of a record's key and value, -1 for none."""
        if self.marker is not None:
            return 4, 6
        if self.commits:
            return self.commits[index].sizes()
        if self.keys:
            return len(self.keys[index].encode()), VALUE_BYTES
        return self.state.sizes() if self.state else (KEY_BYTES, VALUE_BYTES)


def log_text(path: str, batches: Sequence[Batch], *, deep: bool = True, contents: bool = False) -> str:
    """Return the dump of one segment whose raw file is at `path`; states are always printed with their contents."""
    base = int(path.rpartition("/")[2].partition(".")[0])
    lines = [f"Dumping {path}", f"Log starting offset: {base}"]
    position = 0
    for batch in batches:
        lines.append(_batch_line(batch, position))
        position += batch.size
        if deep or batch.state or batch.commits:
            lines += [_record_line(batch, index, contents=contents) for index in range(batch.records)]
    return "\n".join(lines) + "\n"


def _batch_line(batch: Batch, position: int) -> str:
    sequenced = batch.sequence >= 0
    last = batch.sequence + batch.last_offset - batch.base_offset if sequenced else -1
    return (
        f"baseOffset: {batch.base_offset} lastOffset: {batch.last_offset} count: {batch.records}"
        f" baseSequence: {batch.sequence} lastSequence: {last} producerId: {batch.producer_id}"
        f" producerEpoch: {batch.producer_epoch} partitionLeaderEpoch: {batch.leader_epoch}"
        f" isTransactional: {str(batch.transactional).lower()} isControl: {str(batch.marker is not None).lower()}"
        f" deleteHorizonMs: OptionalLong.empty position: {position} {batch.timestamp_type}: {batch.timestamp}"
        f" size: {batch.size} magic: 2 compresscodec: none crc: {zlib.crc32(repr(batch).encode())} isvalid: true"
    )


def _record_line(batch: Batch, index: int, *, contents: bool) -> str:
    key, value = batch.record_sizes(index)
    sequence = batch.sequence + index if batch.sequence >= 0 else -1
    offset = batch.base_offset + index
    head = (
        f"| offset: {offset} {batch.timestamp_type}: {batch.timestamp} keySize: {key} valueSize: {value}"
        f" sequence: {sequence} headerKeys: []"
    )
    if batch.marker is not None:
        return f"{head} endTxnMarker: {batch.marker} coordinatorEpoch: {batch.coordinator_epoch}"
    if batch.state is not None:
        return head + batch.state.text()
    if batch.commits:
        return head + batch.commits[index].text()
    if batch.keys:
        return f"{head} key: {batch.keys[index]} payload: {offset % 10**11:011d}"
    return f"{head} key: {offset % 10**6:06d} payload: {offset % 10**11:011d}" if contents else head


def _record_bytes(index: int, key: int, value: int) -> int:
    body = 2 + _varint(index) + _varint(key) + max(key, 0) + _varint(value) + max(value, 0) + 1
    return _varint(body) + body


def _varint(number: int) -> int:
    zigzag = number * 2 if number >= 0 else -number * 2 - 1
    return max(1, -(-zigzag.bit_length() // 7))
