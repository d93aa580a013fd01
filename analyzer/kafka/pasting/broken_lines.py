r"""Lines of a dump that mail broke at a width, put together again.

baseOffset: 8 lastOffset: 8 count: 1 baseSequence: -1 lastSequence: -1
producerId: 0 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: true
isControl: true deleteHorizonMs: OptionalLong.empty position: 152 CreateTime:
1665506597998 size: 78 magic: 2 compresscodec: none crc: 3355926470 isvalid: true
"""

import re
from collections.abc import Iterator, Sequence

_KEY = (
    r"(?:lastOffset|count|baseSequence|lastSequence|producerId|producerEpoch|partitionLeaderEpoch|isTransactional"
    r"|isControl|deleteHorizonMs|position|CreateTime|LogAppendTime|NoTimestampType|size|magic|compresscodec|crc|isvalid"
    r"|key[sS]ize|value[sS]ize|sequence|headerKeys|endTxnMarker|coordinatorEpoch)"
)
_REST = re.compile(rf"(?P<value>[^\s:]{{1,30}}(?: |$))?(?:{_KEY}: \S+ ?)*(?:{_KEY}:)?")
_BATCH = re.compile(r"baseOffset: -?\d+(?: |$)")
_RECORD = re.compile(r"\| offset: -?\d+(?: |$)")
_ENDS_IN_KEY = re.compile(rf"(?:^| ){_KEY}:$")
_LONGEST = 20
"""Lines that one line may have become."""


def rejoined(lines: Sequence[str]) -> list[str]:
    """Return the lines, each broken one whole where it begins, followed by as many empty ones as it had more."""
    out: list[str] = []
    for whole, taken in _wholes(lines):
        out += [whole, *[""] * (taken - 1)]
    return out


def _wholes(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    at = 0
    while at < len(lines):
        whole, taken = lines[at], 1
        while at + taken < len(lines) and taken < _LONGEST and _goes_on(whole.rstrip(), lines[at + taken].strip()):
            whole = f"{whole.rstrip()} {lines[at + taken].strip()}"
            taken += 1
        yield whole, taken
        at += taken


def _goes_on(line: str, rest: str) -> bool:
    """Return whether a line lacks what the next one begins with."""
    if line == "Dumping":
        return re.fullmatch(r"\S+", rest) is not None
    match = _REST.fullmatch(rest) if rest else None
    open_key = _ENDS_IN_KEY.search(line) is not None
    if match is None or (match["value"] is not None) != open_key:
        return False
    if _BATCH.match(line):
        return open_key or " isvalid: " not in line or " crc: " not in line
    if not _RECORD.match(line):
        return False
    return open_key or " headerKeys: [" not in line or rest.startswith(("endTxnMarker:", "coordinatorEpoch:"))
