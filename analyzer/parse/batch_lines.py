r"""From batch lines of DumpLogSegments to columns of `batches`.

Every version prints `key: value` pairs; only their choice and order differ. Since 3.2.0, on one line:

    baseOffset: 8 lastOffset: 8 count: 1 baseSequence: -1 lastSequence: -1 producerId: 0 producerEpoch: 0
    partitionLeaderEpoch: 0 isTransactional: true isControl: true deleteHorizonMs: OptionalLong.empty position: 152
    CreateTime: 1665506597998 size: 78 magic: 2 compresscodec: none crc: 3355926470 isvalid: true
"""

import dataclasses
import re
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from analyzer.tables import ARROW_TYPES, TABLES

NUMBER = r"-?\d{1,18}"
SMALL = r"-?\d{1,10}"
FLAG = r"true|false"
TIMESTAMP_TYPE = r"CreateTime|LogAppendTime|NoTimestampType"
CODEC = r"\w{1,22}"

_FIELDS: dict[str, tuple[str, str]] = {
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
"""Kafka's key: our column and what its value looks like."""

_HEAD = "baseOffset lastOffset {count}baseSequence lastSequence producerId producerEpoch partitionLeaderEpoch "
_OLD_TAIL = "position {time} isvalid size magic compresscodec crc"
_TAIL = "position {time} size magic compresscodec crc isvalid"


_TYPES = {column.name: column.type for column in TABLES["batches"].columns}


@dataclasses.dataclass(frozen=True)
class Layout:
    """One form of batch line: the tool version that first prints it, and the keys in order."""

    since: str
    keys: tuple[str, ...]

    @property
    def pattern(self) -> str:
        """The line as a regular expression of the common ground of Python's re and RE2."""
        return " ".join(
            f"(?:{TIMESTAMP_TYPE}): {NUMBER}" if key == "{time}" else f"{key}: (?:{_FIELDS[key][1]})"
            for key in self.keys
        )

    @property
    def legacy(self) -> bool:
        """Whether it is a line of message format 0 or 1."""
        return self.keys[0] == "offset"

    @property
    def closed(self) -> bool:
        """Whether a line of it that lost its end cannot be taken for a whole one."""
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

_NO_PRODUCER: dict[str, int | bool] = {
    "base_sequence": -1,
    "last_sequence": -1,
    "producer_id": -1,
    "producer_epoch": -1,
    "partition_leader_epoch": -1,
    "is_transactional": False,
    "is_control": False,
}
"""What a batch of message format 0 or 1 has by its nature (AbstractLegacyRecordBatch)."""

CODECS = {
    "NoCompressionCodec": "none",
    "GZIPCompressionCodec": "gzip",
    "SnappyCompressionCodec": "snappy",
    "LZ4CompressionCodec": "lz4",
}


@dataclasses.dataclass(slots=True)
class BatchHead:
    """What the reading of a dump itself needs of a batch line."""

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
    """Return the head of the batch line `buffer[start:edge]`, None where it is no batch line.

    Of a line without its end only a closed layout is taken: the last number of the others may be torn.
    """
    if buffer[start : start + 11] != b"baseOffset:" and buffer[start : start + 7] != b"offset:":
        return None
    for layout, pattern in _heads():
        match = pattern.fullmatch(buffer, start, edge)
        if match and (whole or layout.closed):
            return _head_of(layout, match)
    return None


def _head_of(layout: Layout, match: re.Match[bytes]) -> BatchHead:
    codec = match["compresscodec"]
    compressed = codec.lower() not in (b"none", b"nocompressioncodec")
    if layout.legacy:
        offset = int(match["offset"])
        base, last, count, control = (-1 if compressed else offset), offset, (None if compressed else 1), False
    else:
        base, last = int(match["baseOffset"]), int(match["lastOffset"])
        count = int(match["count"]) if "count" in layout.keys and match["count"] != b"null" else None
        control = "isControl" in layout.keys and match["isControl"] == b"true"
    return BatchHead(layout, int(match["position"]), int(match["size"]), base, last, count, control, compressed)


def batch_columns(layout: Layout, text: bytes | pa.Buffer, count: int, *, checked: bool) -> dict[str, pa.Array] | None:
    """Return the columns that `count` batch lines of one layout carry, by their names in `batches`.

    A number that its column cannot hold becomes null. Lines that were not `checked` one by one are checked here:
    None where one of them is no line of this layout.
    """
    names: list[str] = []
    for key in layout.keys:
        names += ["=label", "max_timestamp"] if key == "{time}" else [f"={key}", _FIELDS[key][0]]
    wanted = [name for name in names if not checked or name[0] != "=" or name == "=label"]
    try:
        table = _read_pairs(text, names, wanted)
    except pa.ArrowInvalid:
        return None
    if table.num_rows != count:
        return None
    read = {name: table[name].combine_chunks() for name in wanted}
    if not checked and not _fits(layout, read):
        return None
    labels = pa.array([label.removesuffix(":") for label in read["=label"].dictionary.to_pylist()], pa.string())
    out = {name: _as_column(name, values) for name, values in read.items() if name[0] != "="}
    out["timestamp_type"] = labels.take(read["=label"].indices)
    return _legacy_columns(out, count) if layout.legacy else out


def _read_pairs(text: bytes | pa.Buffer, names: list[str], wanted: list[str]) -> pa.Table:
    """Read `key: value key: value ...` lines as a table with a space between the columns."""
    return csv.read_csv(
        pa.BufferReader(text),
        read_options=csv.ReadOptions(column_names=names, use_threads=False, block_size=len(text) + 1),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False, ignore_empty_lines=False),
        convert_options=csv.ConvertOptions(
            include_columns=wanted,
            column_types={name: _csv_type(name) for name in wanted},
            null_values=["null"],
            strings_can_be_null=True,
            true_values=["true"],
            false_values=["false"],
        ),
    )


def _fits(layout: Layout, read: dict[str, pa.Array]) -> bool:
    """Whether columns that were read without a look at the lines are what `layout.pattern` matches."""
    for key in layout.keys:
        label = "=label" if key == "{time}" else f"={key}"
        printed = rf"(?:{TIMESTAMP_TYPE}):" if key == "{time}" else rf"{key}:"
        name, shape = ("max_timestamp", NUMBER) if key == "{time}" else _FIELDS[key]
        if not all(re.fullmatch(printed, text or "") for text in read[label].dictionary.to_pylist()):
            return False
        values = read[name]
        if values.null_count or read[label].null_count:
            return False
        if pa.types.is_dictionary(values.type):
            texts = values.dictionary.to_pylist()
        elif pa.types.is_boolean(values.type):
            continue
        else:
            texts = [str(bound.as_py()) for bound in pc.min_max(values).values()]
        if not all(re.fullmatch(shape, text) for text in texts):
            return False
    return True


def _csv_type(name: str) -> pa.DataType:
    """Return how a column is read: int columns wide first, so that a nonsense number raises nothing."""
    if name[0] == "=" or name in ("codec", "delete_horizon_ms"):
        return pa.dictionary(pa.int32(), pa.string())
    return pa.bool_() if _type_of(name) == "boolean" else pa.int64()


def _type_of(name: str) -> str:
    return _TYPES[name]


def _as_column(name: str, values: pa.Array) -> pa.Array:
    if name == "delete_horizon_ms":
        texts = [text.removeprefix("OptionalLong[").rstrip("]") for text in values.dictionary.to_pylist()]
        numbers = pa.array([None if text == "OptionalLong.empty" else int(text) for text in texts], pa.int64())
        return numbers.take(values.indices)
    if name == "codec":
        return codecs(values.dictionary).take(values.indices)
    if _type_of(name) != "int":
        return values
    try:
        return values.cast(pa.int32())
    except pa.ArrowInvalid:
        fits = pc.equal(pc.cast(values, pa.int32(), safe=False), values)
        return pc.cast(pc.if_else(fits, values, pa.scalar(None, pa.int64())), pa.int32())


def codecs(printed: pa.Array) -> pa.Array:
    """Return the codecs' names of today, `none gzip snappy lz4 zstd`, for what any version prints."""
    return pa.array([CODECS.get(name) or name.lower() for name in printed.to_pylist()], pa.string())


def _legacy_columns(columns: dict[str, pa.Array], count: int) -> dict[str, pa.Array]:
    """Add what a batch of format 0 or 1 does not print; an uncompressed one is one record."""
    single = pc.equal(columns["codec"], "none")
    columns["base_offset"] = pc.if_else(single, columns["last_offset"], pa.scalar(None, pa.int64()))
    columns["count"] = pc.if_else(single, pa.scalar(1, pa.int64()), pa.scalar(None, pa.int64()))
    for name, value in _NO_PRODUCER.items():
        columns[name] = pa.repeat(pa.scalar(value, ARROW_TYPES[_type_of(name)]), count)
    return columns
