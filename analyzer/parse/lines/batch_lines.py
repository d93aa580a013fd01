r"""The layouts of a batch line in every version of DumpLogSegments, and the fields that drive the reader.

Every version prints `key: value` pairs; only their choice and order differ. Since 3.2.0, on one line:

    baseOffset: 8 lastOffset: 8 count: 1 baseSequence: -1 lastSequence: -1 producerId: 0 producerEpoch: 0
    partitionLeaderEpoch: 0 isTransactional: true isControl: true deleteHorizonMs: OptionalLong.empty position: 152
    CreateTime: 1665506597998 size: 78 magic: 2 compresscodec: none crc: 3355926470 isvalid: true
"""

import dataclasses
import re
from functools import cache

from analyzer.parse.codecs import codec_name

NUMBER = r"-?\d{1,18}"
SMALL = r"-?\d{1,10}"
FLAG = r"true|false"
TIMESTAMP_TYPE = r"CreateTime|LogAppendTime|NoTimestampType"
CODEC = r"\w{1,22}"

FIELDS: dict[str, tuple[str, str]] = {
    "baseOffset": ("base_offset", NUMBER),
    "lastOffset": ("last_offset", NUMBER),
    "offset": ("last_offset", NUMBER),
    "count": ("count", r"\d{1,10}|null"),
    "baseSequence": ("base_sequence", SMALL),
    "lastSequence": ("last_sequence", SMALL),
    "producerId": ("producer_id", NUMBER),
    "producerEpoch": ("producer_epoch", SMALL),
    "partitionLeaderEpoch": ("partition_leader_epoch", SMALL),
    "isTransactional": ("is_transactional", FLAG),
    "isControl": ("is_control", FLAG),
    "deleteHorizonMs": ("delete_horizon_ms", r"OptionalLong\.empty|OptionalLong\[" + NUMBER + r"\]"),
    "position": ("position", r"\d{1,18}"),
    "size": ("size", r"\d{1,10}"),
    "magic": ("magic", r"\d"),
    "compresscodec": ("codec", CODEC),
    "crc": ("crc", r"\d{1,10}"),
    "isvalid": ("crc_valid", FLAG),
}
"""By Kafka's key: our column and the pattern of its value."""

_HEAD = "baseOffset lastOffset {count}baseSequence lastSequence producerId producerEpoch partitionLeaderEpoch "
_OLD_TAIL = "position {time} isvalid size magic compresscodec crc"
_TAIL = "position {time} size magic compresscodec crc isvalid"


@dataclasses.dataclass(frozen=True)
class Layout:
    """One form of batch line: the version that first prints it, and its keys in order."""

    since: str
    keys: tuple[str, ...]

    @property
    def pattern(self) -> str:
        """The line as a regular expression that both Python's re and RE2 understand."""
        return " ".join(
            f"(?:{TIMESTAMP_TYPE}): {NUMBER}" if key == "{time}" else f"{key}: (?:{FIELDS[key][1]})"
            for key in self.keys
        )

    @property
    def legacy(self) -> bool:
        """Whether the line is of message format 0 or 1."""
        return self.keys[0] == "offset"

    def printed_since(self, line: bytes) -> str:
        """Return the first version that prints this line: since 3.0.0 the codec is in lower case."""
        lower_case = self.since == "2.2.0" and line.partition(b" compresscodec: ")[2][:1].islower()
        return "3.0.0" if lower_case else self.since

    @property
    def closed(self) -> bool:
        """Whether a line that is cut can be told from a whole one."""
        return self.keys[-1] == "isvalid"


def _layout(since: str, head: str, tail: str) -> Layout:
    return Layout(since, tuple((head + tail).split()))


_COUNTED = _HEAD.format(count="count ")
LAYOUTS = (
    _layout("3.2.0", _COUNTED + "isTransactional isControl deleteHorizonMs ", _TAIL),
    _layout("2.2.0", _COUNTED + "isTransactional isControl ", _TAIL),
    _layout("2.0.1", _COUNTED + "isTransactional isControl ", _OLD_TAIL),
    _layout("2.0.0", _COUNTED + "isTransactional ", _OLD_TAIL),
    _layout("0.11.0", _HEAD.format(count="") + "isTransactional ", _OLD_TAIL),
    _layout("2.2.0", "offset ", _TAIL),
    _layout("0.11.0", "offset ", _OLD_TAIL),
)


@dataclasses.dataclass(slots=True)
class BatchHead:
    """The fields of a batch line that drive the reader."""

    layout: Layout
    position: int
    size: int
    base_offset: int
    last_offset: int
    count: int | None
    is_control: bool
    compressed: bool

    @property
    def end(self) -> int:
        """Where the next batch begins in the segment."""
        return self.position + self.size

    def overlaps(self, other: "BatchHead") -> bool:
        """Whether both claim the same bytes of the segment."""
        return self.position < other.end and other.position < self.end


_CAPTURED = ("baseOffset", "lastOffset", "offset", "count", "isControl", "position", "size", "compresscodec")


@cache
def _heads() -> tuple[tuple[Layout, re.Pattern[bytes]], ...]:
    heads = []
    for layout in LAYOUTS:
        pattern = layout.pattern
        for key in _CAPTURED:
            pattern = pattern.replace(f"{key}: (?:", f"{key}: (?P<{key}>", 1) if key in layout.keys else pattern
        heads.append((layout, re.compile(pattern.encode())))
    return tuple(heads)


def batch_head(buffer: bytes, start: int, edge: int, *, whole: bool = True) -> BatchHead | None:
    """Return the head of the batch line `buffer[start:edge]`, None if it is no batch line.

    A line without its end is taken only in a closed layout: in the others its last number may be cut.
    """
    if buffer[start : start + 11] != b"baseOffset:" and buffer[start : start + 7] != b"offset:":
        return None
    for layout, pattern in _heads():
        match = pattern.fullmatch(buffer, start, edge)
        if match and (whole or layout.closed):
            return _head_of(layout, match)
    return None


def _head_of(layout: Layout, match: re.Match[bytes]) -> BatchHead:
    compressed = codec_name(match["compresscodec"].decode()) != "none"
    if layout.legacy:
        offset = int(match["offset"])
        base, last, count, control = (-1 if compressed else offset), offset, (None if compressed else 1), False
    else:
        base, last = int(match["baseOffset"]), int(match["lastOffset"])
        count = int(match["count"]) if "count" in layout.keys and match["count"] != b"null" else None
        control = "isControl" in layout.keys and match["isControl"] == b"true"
    return BatchHead(layout, int(match["position"]), int(match["size"]), base, last, count, control, compressed)
