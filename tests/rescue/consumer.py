"""A reader of its own for what a consumer with read_uncommitted gets from a log: nothing of the product is used.

Written after Kafka's format description, format 2 only: control batches are not handed out, all other records are.
"""

import gzip
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cramjam
import zstandard

HEAD = struct.Struct(">qiibIhiqqqhii")


class Got(NamedTuple):
    """A record as a consumer gets it, with the producer of its batch."""

    offset: int
    timestamp: int
    timestamp_type: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[bytes, bytes | None], ...]
    producer_id: int
    producer_epoch: int
    sequence: int


def read_uncommitted(folder: Path) -> Iterator[Got]:
    """Every record of the log in this folder, segment by segment."""
    for path in sorted(folder.glob("*.log")):
        yield from records(path.read_bytes())


def records(data: bytes) -> Iterator[Got]:
    """Every record of the batches that follow one another in these bytes."""
    at = 0
    while at + HEAD.size <= len(data):
        base, length, _, magic, _, flags, _, base_time, max_time, pid, epoch, sequence, count = HEAD.unpack_from(
            data, at
        )
        assert magic == 2
        body = data[at + HEAD.size : at + 12 + length]
        at += 12 + length
        if flags & 0x20:
            continue
        body, place = unpacked(body, flags & 7), 0
        for _ in range(count):
            _, place = varint(body, place)
            place += 1
            time_delta, place = varint(body, place)
            delta, place = varint(body, place)
            key, place = content(body, place)
            value, place = content(body, place)
            headers = []
            number, place = varint(body, place)
            for _ in range(number):
                name, place = content(body, place)
                held, place = content(body, place)
                headers.append((name, held))
            time, kind = (max_time, "LogAppendTime") if flags & 8 else (base_time + time_delta, "CreateTime")
            number = -1 if sequence < 0 else (sequence + delta) % (1 << 31)
            yield Got(base + delta, time, kind, key, value, tuple(headers), pid, epoch, number)
        assert place == len(body)


class Batch(NamedTuple):
    """What stands in the header of a batch, and where its bytes end; `marker` is COMMIT, ABORT or None."""

    base_offset: int
    last_offset: int
    producer_id: int
    transactional: bool
    marker: str | None
    start: int
    end: int


def batches(data: bytes) -> Iterator[Batch]:
    """Every batch of these bytes, control batches too."""
    at = 0
    while at + HEAD.size <= len(data):
        base, length, _, _, _, flags, last, _, _, pid, _, _, count = HEAD.unpack_from(data, at)
        end = at + 12 + length
        if length <= 0 or end > len(data):
            return
        marker = _marker(data[at + HEAD.size : end]) if flags & 0x20 and count else None
        yield Batch(base, base + last, pid, bool(flags & 0x10), marker, at, end)
        at = end


def _marker(body: bytes) -> str | None:
    """The type of a control record by its key: version, type."""
    _, at = varint(body, 0)
    _, at = varint(body, at + 1)
    _, at = varint(body, at)
    key, _ = content(body, at)
    return {0: "ABORT", 1: "COMMIT"}.get(int.from_bytes(key[2:4], "big"))


def committed(folder: Path) -> list[Got]:
    """Every transactional record of this log with a COMMIT marker after it, in the order of offsets."""
    pending: dict[int, list[Got]] = {}
    found: list[Got] = []
    for path in sorted(folder.glob("*.log")):
        data = path.read_bytes()
        for one in batches(data):
            if one.marker is not None:
                ended = pending.pop(one.producer_id, [])
                found += ended if one.marker == "COMMIT" else []
            elif one.transactional:
                pending.setdefault(one.producer_id, []).extend(records(data[one.start : one.end]))
    return sorted(found)


def unpacked(body: bytes, codec: int) -> bytes:
    """The records of a batch with this codec in its attributes."""
    if codec == 1:
        return gzip.decompress(body)
    if codec == 2:
        out, at = b"", 16
        assert body.startswith(b"\x82SNAPPY\0")
        while at < len(body):
            (size,) = struct.unpack_from(">i", body, at)
            out += bytes(cramjam.snappy.decompress_raw(body[at + 4 : at + 4 + size]))
            at += 4 + size
        return out
    if codec == 3:
        return bytes(cramjam.lz4.decompress(body))
    if codec == 4:
        return zstandard.ZstdDecompressor().decompressobj().decompress(body)
    return body


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A zigzag varint and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return (number >> 1) ^ -(number & 1), at


def content(data: bytes, at: int) -> tuple[bytes | None, int]:
    """A key or value, None for null, and where it ends."""
    size, at = varint(data, at)
    return (None, at) if size < 0 else (data[at : at + size], at + size)
