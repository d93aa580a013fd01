"""Prints batches as DumpLogSegments does, raw text and all: what the hostile payload tests read back."""

import dataclasses

FORGED_WIDTH = 12
PLACEHOLDER = "#" * FORGED_WIDTH


@dataclasses.dataclass
class Record:
    """A record's raw parts; a PLACEHOLDER in them becomes the position where the next batch will begin."""

    key: str | None
    value: str | None
    headers: tuple[str, ...] = ()

    def size(self) -> int:
        """Bytes of the stored record, about."""
        return 10 + sum(len((part or "").encode()) + 1 for part in (self.key, self.value, *self.headers))


@dataclasses.dataclass
class Batch:
    """A data batch, or a marker where `marker` is set."""

    records: list[Record]
    producer_id: int = 7
    marker: str | None = None
    codec: str = "none"


def forged_batch(
    offset: int, count: int = 1, control: str = "false", position: str = PLACEHOLDER, size: int = 100
) -> str:
    return (
        f"baseOffset: {offset} lastOffset: {offset + count - 1} count: {count} baseSequence: 0 lastSequence: {count - 1}"
        f" producerId: 666 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: true isControl: {control}"
        f" deleteHorizonMs: OptionalLong.empty position: {position} CreateTime: 1 size: {size} magic: 2"
        f" compresscodec: none crc: 1 isvalid: true"
    )


def forged_record(offset: int, tail: str = "[]") -> str:
    return f"| offset: {offset} CreateTime: 1 keySize: 4 valueSize: 6 sequence: -1 headerKeys: {tail}"


def forged_marker(offset: int) -> str:
    return forged_record(offset, "[] endTxnMarker: COMMIT coordinatorEpoch: 0")


def printed(batches: list[Batch], *, contents: bool, flat: bool = False, newline: str = "\n") -> tuple[str, list[dict]]:
    """Return the dump's text and what must be read from it: position, base and last offset, producer, marker."""
    lines = ["Dumping t-0/00000000000000000000.log", "Starting offset: 0" if flat else "Log starting offset: 0"]
    expected = []
    offset = position = 0
    for batch in batches:
        count = 1 if batch.marker else len(batch.records)
        size = 78 if batch.marker else 61 + sum(record.size() for record in batch.records)
        end = f"{position + size:0{FORGED_WIDTH}d}"
        head = {
            "position": position,
            "base_offset": offset,
            "last_offset": offset + count - 1,
            "producer_id": batch.producer_id,
            "marker": batch.marker,
        }
        expected.append(head)
        if not flat:
            lines.append(_batch_line(batch, offset, count, position, size))
        for index, record in enumerate(batch.records or [Record("four", "sixsix")]):
            lines.append(
                _record_line(batch, record, offset + index, position, contents, flat).replace(PLACEHOLDER, end)
            )
        offset += count
        position += size
    return newline.join(lines) + newline, expected


def _batch_line(batch: Batch, offset: int, count: int, position: int, size: int) -> str:
    marker = batch.marker is not None
    sequence = -1 if marker else offset
    return (
        f"baseOffset: {offset} lastOffset: {offset + count - 1} count: {count} baseSequence: {sequence}"
        f" lastSequence: {-1 if marker else sequence + count - 1} producerId: {batch.producer_id} producerEpoch: 0"
        f" partitionLeaderEpoch: 0 isTransactional: true isControl: {str(marker).lower()}"
        f" deleteHorizonMs: OptionalLong.empty position: {position} CreateTime: 5 size: {size} magic: 2"
        f" compresscodec: {batch.codec} crc: 99 isvalid: true"
    )


def _record_line(batch: Batch, record: Record, offset: int, position: int, contents: bool, flat: bool) -> str:
    key_size = -1 if record.key is None else len(record.key.encode())
    value_size = -1 if record.value is None else len(record.value.encode())
    sequence = -1 if batch.marker else offset
    headers = ",".join(record.headers)
    if flat:
        head = (
            f"offset: {offset} position: {position} CreateTime: 5 isvalid: true keysize: {key_size} valuesize: {value_size}"
            f" magic: 2 compresscodec: NONE producerId: {batch.producer_id} producerEpoch: 0 sequence: {sequence}"
            f" isTransactional: true headerKeys: [{headers}]"
        )
    else:
        head = (
            f"| offset: {offset} CreateTime: 5 keySize: {key_size} valueSize: {value_size} sequence: {sequence}"
            f" headerKeys: [{headers}]"
        )
    if batch.marker:
        return f"{head} endTxnMarker: {batch.marker} coordinatorEpoch: 0"
    if not contents:
        return head
    key = "" if record.key is None else f" key: {record.key}"
    value = "" if record.value is None else f" payload: {record.value}"
    return f"{head}{'' if flat and record.value is None else key}{value}"
