r"""Parses the record lines of DumpLogSegments up to where raw text begins.

2.2 and later, under a batch line (2.8 alone prints a longer form):

    | offset: 8 CreateTime: 1665506597998 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] endTxnMarker: COMMIT
    coordinatorEpoch: 0

0.8 to 2.1, without batch lines:

    offset: 5 position: 299 CreateTime: 1795252572896 isvalid: true keysize: 4 valuesize: 6 magic: 2 compresscodec: NONE
    producerId: 1001 producerEpoch: 0 sequence: -1 isTransactional: true headerKeys: []
"""

import dataclasses
import re

from analyzer.kafka.pasting.fences import END
from analyzer.parse.lines.batch_lines import CODEC, FLAG, NUMBER, SMALL, TIMESTAMP_TYPE


def _time(group: str) -> str:
    return rf"(?:{TIMESTAMP_TYPE}): (?P<{group}>{NUMBER})"


_LONG = (
    rf" {_time('time2')} baseOffset: {NUMBER} lastOffset: {NUMBER} baseSequence: {SMALL} lastSequence: {SMALL}"
    rf" producerEpoch: {SMALL} partitionLeaderEpoch: {SMALL} batchSize: {SMALL} magic: \d compressType: {CODEC}"
    rf" position: {NUMBER}"
)
PIPE_HEAD = (
    rf"\| offset: (?P<offset>{NUMBER}) (?P<long>isValid: (?:{FLAG}) crc: (?:null|{NUMBER}) )?(?:{_time('time')} )?"
    rf"key[sS]ize: (?P<key>{SMALL}) value[sS]ize: (?P<value>{SMALL})(?:{_LONG})?"
)
SIZES = re.compile(rf" key[sS]ize: (?P<key>{SMALL}) value[sS]ize: (?P<value>{SMALL})".encode())
PIPE_V2 = rf" sequence: (?P<sequence>{SMALL}) headerKeys: \["
_PIPE_LEGACY = rf" crc: {NUMBER} isvalid: (?:{FLAG})| isValid: (?:{FLAG}) crc: {NUMBER}}}?"
_PIPE = re.compile(rf"{PIPE_HEAD}(?:{PIPE_V2}|{_PIPE_LEGACY})".encode())

FLAT = re.compile(
    (
        rf"offset: (?P<offset>{NUMBER}) position: (?P<position>\d{{1,18}}) "
        rf"(?:(?P<label>{TIMESTAMP_TYPE}): (?P<time>{NUMBER}) )?isvalid: (?P<valid>{FLAG}) "
        rf"(?:keysize: (?P<key>{SMALL}) valuesize|payloadsize): (?P<value>{SMALL}) magic: (?P<magic>\d) "
        rf"compresscodec: (?P<codec>{CODEC})"
        rf"(?: producerId: (?P<producer>{NUMBER})(?: producerEpoch: (?P<epoch>{SMALL}))?"
        rf" sequence: (?P<sequence>{SMALL}) isTransactional: (?P<transactional>{FLAG}) headerKeys: \["
        rf"| crc: (?P<crc>\d{{1,10}})(?: keysize: (?P<oldkey>{SMALL}))?)"
    ).encode()
)

MARKER = re.compile(rb"\] endTxnMarker: (COMMIT|ABORT) coordinatorEpoch: (-?\d{1,10})(?:" + END.encode() + rb")?")
"""The rest of a marker's record line after `headerKeys: [`."""

MARKER_KEY_BYTES = 4
MARKER_VALUE_BYTES = 6


@dataclasses.dataclass(slots=True)
class RecordHead:
    """The fields of a record line before its raw text; `text_at` is the index where that begins.

    `raw_headers` says whether header keys and their `]` come first.
    """

    offset: int
    timestamp: int | None
    key_size: int
    value_size: int
    sequence: int
    raw_headers: bool
    long: bool
    text_at: int

    @property
    def text_bytes(self) -> int:
        """Bytes of its key and value."""
        return max(self.key_size, 0) + max(self.value_size, 0)

    def lacks_contents(self, buffer: bytes, edge: int) -> bool:
        """Whether its line, which ends at `edge`, prints no value although there is one; a null prints no key."""
        return self.value_size >= 0 and buffer[self.text_at : edge] == b"]"


def record_head(buffer: bytes, start: int, edge: int) -> RecordHead | None:
    """Return the head of the record line `buffer[start:edge]` of 2.2 and later, None if it is no such line."""
    match = _PIPE.match(buffer, start, edge)
    if not match:
        return None
    offset, long, time, key, value, time2, sequence = match.groups()
    return RecordHead(
        int(offset),
        int(time or time2 or -1),
        int(key),
        int(value),
        -1 if sequence is None else int(sequence),
        sequence is not None,
        long is not None,
        match.end(),
    )
