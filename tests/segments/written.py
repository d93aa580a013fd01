"""From records to the bytes of batches of any format and codec: written here by hand, so that no library reads its own."""

import struct
import zlib
from pathlib import Path

import cramjam
from crc32c import crc32c

from analyzer.scan.capture import Capture, scan_capture
from analyzer.scan.request import CaptureRequest

CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}


def varint(number: int) -> bytes:
    number = (number << 1) ^ (number >> 63)
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(content: bytes | None) -> bytes:
    return varint(-1) if content is None else varint(len(content)) + content


def compressed(records: bytes, codec: str) -> bytes:
    if codec == "snappy":
        block = bytes(cramjam.snappy.compress_raw(records))
        return b"\x82SNAPPY\0" + struct.pack(">iii", 1, 1, len(block)) + block
    return records if codec == "none" else bytes(getattr(cramjam, codec).compress(records))


def batch(
    offset: int, *records: tuple[bytes | None, bytes | None], codec: str = "none", flags: int = 0, **head
) -> bytes:
    """A batch of format 2; `head` gives producer_id, producer_epoch, base_sequence, epoch, timestamp."""
    time = head.get("timestamp", 1_788_134_400_000)
    body = b""
    for number, (key, value) in enumerate(records):
        one = b"\0" + varint(0) + varint(number) + field(key) + field(value) + varint(0)
        body += varint(len(one)) + one
    body = compressed(body, codec)
    producer = (head.get("producer_id", -1), head.get("producer_epoch", -1), head.get("base_sequence", -1))
    tail = struct.pack(">hiqqqhii", flags | CODECS[codec], len(records) - 1, time, time, *producer, len(records)) + body
    return struct.pack(">qiibI", offset, len(tail) + 9, head.get("epoch", 0), 2, crc32c(tail)) + tail


def end_marker(offset: int, *, commit: bool, **head) -> bytes:
    """The batch of a COMMIT or ABORT marker; `head` as of `batch`, and the epoch of its coordinator."""
    value = struct.pack(">hi", 0, head.pop("coordinator", 0))
    return batch(offset, (struct.pack(">hh", 0, commit), value), flags=0x30, **head)


STATES = {"Empty": 0, "Ongoing": 1, "PrepareCommit": 2, "PrepareAbort": 3, "CompleteCommit": 4, "CompleteAbort": 5}


def state_record(
    offset: int, name: bytes, state: str, producer: tuple[int, int], partitions: tuple[int, ...] = (), **given
) -> bytes:
    """A record of __transaction_state, version 1, of an id with partitions of orders; times are 1 min after START.

    `given`: timestamp; begun and decided, by default that; previous (a producer id), client (a version); epoch.
    """
    at = given["timestamp"]
    listed = b"\2\7orders" + bytes([len(partitions) + 1]) + struct.pack(f">{len(partitions)}i", *partitions) + b"\0"
    tags = {
        0: struct.pack(">q", given["previous"]) if "previous" in given else b"",
        2: struct.pack(">h", given["client"]) if "client" in given else b"",
    }
    here = {tag: content for tag, content in tags.items() if content}
    tagged = b"".join(bytes([tag, len(content)]) + content for tag, content in here.items())
    value = struct.pack(">hqhib", 1, *producer, 60_000, STATES[state]) + (listed if partitions else b"\1")
    value += struct.pack(">qq", given.get("decided", at), given.get("begun", at)) + bytes([len(here)]) + tagged
    key = struct.pack(">hh", 0, len(name)) + name
    return batch(offset, (key, value), timestamp=at, epoch=given.get("epoch", 0))


def written_capture(
    root: Path, name: str, logs: dict[str, bytes], captured_at: int, other: dict[str, bytes] | None = None
) -> Capture:
    """A capture with a segment in each of these partition folders of broker 1, of `other` on broker 2; one state log."""
    placed = {("broker-1", folder): content for folder, content in logs.items()}
    placed |= {("broker-2", folder): content for folder, content in (other or {}).items()}
    for (broker, folder), content in placed.items():
        path = root / name / broker / folder / f"{0:020d}.log"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    toml = f"captured_at = {captured_at}\n[partition_counts]\n__transaction_state = 1\n"
    (root / name / "capture.toml").write_text(toml)
    return scan_capture(CaptureRequest((str(root / name),), name))


def entry(
    offset: int, key: bytes | None, value: bytes | None, magic: int, codec: str = "none", timestamp: int = 77
) -> bytes:
    """An entry of format 0 or 1."""
    time = struct.pack(">q", timestamp) if magic else b""
    body = struct.pack(">bb", magic, CODECS[codec]) + time
    for content in (key, value):
        body += struct.pack(">i", -1) if content is None else struct.pack(">i", len(content)) + content
    return struct.pack(">qiI", offset, len(body) + 4, zlib.crc32(body)) + body


def wrapper(last: int, magic: int, codec: str, *values: bytes) -> bytes:
    """A compressed entry: inside are absolute offsets in format 0, relative ones in format 1."""
    first = last - len(values) + 1 if magic == 0 else 0
    inside = b"".join(entry(first + number, b"k", value, magic) for number, value in enumerate(values))
    return entry(last, None, compressed(inside, codec), magic, codec)


def marker(offset: int, producer_id: int, *, commit: bool = True) -> bytes:
    """A control batch that ends a transaction."""
    record = (struct.pack(">hh", 0, commit), struct.pack(">hi", 0, 5))
    return batch(offset, record, flags=0x30, producer_id=producer_id, producer_epoch=0)
