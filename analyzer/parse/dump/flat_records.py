r"""Parses a flat record line of 0.8 to 2.1 up to where its raw text begins.

offset: 3 position: 175 CreateTime: 1795252572888 isvalid: true keysize: -1 valuesize: 21 magic: 2
compresscodec: NONE producerId: 1001 producerEpoch: 0 sequence: 0 isTransactional: true headerKeys: []
"""

import dataclasses

from analyzer.parse.codecs import codec_name
from analyzer.parse.lines.record_lines import FLAT, MARKER_KEY_BYTES, MARKER_VALUE_BYTES


@dataclasses.dataclass(slots=True)
class FlatRecord:
    """A flat record line; `text_at` is the index where its raw text begins."""

    offset: int
    position: int
    timestamp: int | None
    label: str | None
    valid: bool
    key_size: int
    value_size: int
    magic: int
    codec: str
    producer_id: int | None
    epoch: int | None
    sequence: int | None
    transactional: bool
    crc: int | None
    text_at: int


def flat_record(buffer: bytes, start: int, edge: int) -> FlatRecord | None:
    """Return the record of the line `buffer[start:edge]`, None if it is no flat record line."""
    match = FLAT.match(buffer, start, edge)
    if match is None:
        return None
    group = match.groupdict()
    sequence = group["sequence"]
    return FlatRecord(
        int(group["offset"]),
        int(group["position"]),
        int(group["time"]) if group["time"] else None,
        group["label"].decode() if group["label"] else None,
        group["valid"] == b"true",
        int(group["key"] or group["oldkey"] or -1),
        int(group["value"]),
        int(group["magic"]),
        codec_name(match["codec"].decode()),
        int(group["producer"]) if group["producer"] else None,
        int(group["epoch"]) if group["epoch"] else None,
        int(sequence) if sequence else None,
        group["transactional"] == b"true",
        int(group["crc"]) if group["crc"] else None,
        match.end(),
    )


def may_be_marker(record: FlatRecord) -> bool:
    """Whether it has the shape of a marker: transactional data always has a sequence (KIP-98), a marker never."""
    sizes = (record.key_size, record.value_size) == (MARKER_KEY_BYTES, MARKER_VALUE_BYTES)
    return sizes and record.sequence == -1 and record.transactional


def since(record: FlatRecord) -> str:
    """Return the version that first prints such a line."""
    if record.sequence is not None:
        return "0.11.0" if record.epoch is None else "0.11.0.2"
    return "0.8.0" if record.timestamp is None else "0.10.1"
