"""Tells what a file is that no reader knows, and whether it may hold evidence: `UNREAD_KINDS`."""

import re
import struct
from pathlib import Path

from analyzer.kafka.words import LONGEST_WORD, speaks_of_kafka
from analyzer.opening import DAMAGE, open_text

BROKER_FILES = frozenset({".lock", ".kafka_cleanshutdown", "quorum-state"})
"""What a broker keeps in its log dirs beside logs and checkpoints."""
BROKER_SUFFIXES = frozenset({".deleted", ".cleaned"})
"""Segments that retention is deleting, and what the cleaner has not finished: neither is part of the log."""
UNDER_WAY = re.compile(r"(?:[a-z-]+-checkpoint|partition\.metadata|meta\.properties|quorum-state)\.tmp")
"""Small files that a broker writes whole beside the old one before they take its place (`CheckpointFile`)."""
CONFIGURATIONS = frozenset({".properties", ".sh", ".toml"})
ABOUT = re.compile(r"(?:README|LICEN[CS]E|NOTICE|CHANGELOG)\b.*", re.IGNORECASE)
"""Texts that tell of the files beside them."""
PACKED = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a", b"\x04\x22\x4d\x18", b"\xff\x06\0\0sNaPpY")
"""How files begin that were packed by 7z, rar, lz4 and snappy."""
REDPANDA = re.compile(r"\d{1,20}-\d{1,20}-v\d{1,3}\.(log|base_index|compaction_index)")
"""Segments of Redpanda and their indexes: first offset, term, version of the form."""
_BATCH_HEAD = struct.Struct(">qixxxxB")
"""Offset, size, four bytes of checksum or leader epoch, magic."""
_MOST_BATCH_BYTES = 1 << 30
_MOST_OFFSET = 1 << 48
_NEWEST_MAGIC = 2
_BLOCK_BYTES = 1 << 20


def unread_kind(path: Path, head: bytes, compression: str, encoding: str) -> str:
    """Return which of `UNREAD_KINDS` a file is that no reader knows."""
    if path.name in BROKER_FILES or path.suffix in BROKER_SUFFIXES or UNDER_WAY.fullmatch(path.name):
        return "broker_file"
    if redpanda := REDPANDA.fullmatch(path.name):
        return "redpanda_segment" if redpanda[1] == "log" else "index"
    if path.suffix in CONFIGURATIONS:
        return "configuration"
    if head.startswith(PACKED):
        return "packed"
    if b"\0" in head:
        return "unknown_bytes" if _begins_a_batch(head) else "other"
    about = ABOUT.match(path.name) is None and _speaks_of_kafka(path, compression, encoding)
    return "unknown_text" if about else "other"


def _begins_a_batch(head: bytes) -> bool:
    """Return whether bytes begin like a batch: an offset, a size, and the magic byte at its place in every version."""
    if len(head) < _BATCH_HEAD.size:
        return False
    offset, size, magic = _BATCH_HEAD.unpack_from(head)
    return bool(0 <= offset < _MOST_OFFSET and 0 < size < _MOST_BATCH_BYTES and magic <= _NEWEST_MAGIC)


def _speaks_of_kafka(path: Path, compression: str, encoding: str) -> bool:
    """Return whether a text has words of Kafka's anywhere; where it breaks off, it may have had some."""
    end = b""
    try:
        with open_text(path, compression, encoding) as text:
            while block := text.read(_BLOCK_BYTES):
                if speaks_of_kafka(end + block):
                    return True
                end = block[-LONGEST_WORD:]
    except DAMAGE:
        return True
    return False
