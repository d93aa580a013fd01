"""Parses many batch lines of one layout into columns of `batches` at once, as space-separated values."""

import re

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from analyzer.parse.codecs import codec_name
from analyzer.parse.lines.batch_lines import FIELDS, NUMBER, TIMESTAMP_TYPE, Layout
from analyzer.parse.rows import Array
from analyzer.tables import ARROW_TYPES, TABLES

_NO_PRODUCER: dict[str, int | bool] = {
    "base_sequence": -1,
    "last_sequence": -1,
    "producer_id": -1,
    "producer_epoch": -1,
    "partition_leader_epoch": -1,
    "is_transactional": False,
    "is_control": False,
}
"""What every batch of message format 0 or 1 has (AbstractLegacyRecordBatch)."""

_TYPES = {column.name: column.type for column in TABLES["batches"].columns}


def batch_columns(layout: Layout, text: bytes | pa.Buffer, count: int, *, checked: bool) -> dict[str, Array] | None:
    """Return the columns that `count` batch lines of one layout carry, by their names in `batches`.

    A number that its column cannot hold becomes null. Unless the lines were `checked` one by one, they are checked
    here: None if one of them has another layout.
    """
    names: list[str] = []
    for key in layout.keys:
        names += ["=label", "max_timestamp"] if key == "{time}" else [f"={key}", FIELDS[key][0]]
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


def _fits(layout: Layout, read: dict[str, Array]) -> bool:
    """Whether columns that were read without checking the lines hold what `layout.pattern` matches."""
    for key in layout.keys:
        label = "=label" if key == "{time}" else f"={key}"
        printed = rf"(?:{TIMESTAMP_TYPE}):" if key == "{time}" else rf"{key}:"
        name, shape = ("max_timestamp", NUMBER) if key == "{time}" else FIELDS[key]
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
    """Return the type a column is read as; int columns are read wide, so that an absurd number does not raise."""
    if name[0] == "=" or name in ("codec", "delete_horizon_ms"):
        return pa.dictionary(pa.int32(), pa.string())
    return pa.bool_() if _type_of(name) == "boolean" else pa.int64()


def _type_of(name: str) -> str:
    return _TYPES[name]


def _as_column(name: str, values: Array) -> Array:
    if name == "delete_horizon_ms":
        texts = [text.removeprefix("OptionalLong[").rstrip("]") for text in values.dictionary.to_pylist()]
        numbers = pa.array([None if text == "OptionalLong.empty" else int(text) for text in texts], pa.int64())
        return numbers.take(values.indices)
    if name == "codec":
        return pa.array([codec_name(text) for text in values.dictionary.to_pylist()], pa.string()).take(values.indices)
    if _type_of(name) != "int":
        return values
    try:
        return values.cast(pa.int32())
    except pa.ArrowInvalid:
        fits = pc.equal(pc.cast(values, pa.int32(), safe=False), values)
        return pc.cast(pc.if_else(fits, values, pa.scalar(None, pa.int64())), pa.int32())


def _legacy_columns(columns: dict[str, Array], count: int) -> dict[str, Array]:
    """Add the columns that a batch of format 0 or 1 does not print; an uncompressed one is one record."""
    single = pc.equal(columns["codec"], "none")
    columns["base_offset"] = pc.if_else(single, columns["last_offset"], pa.scalar(None, pa.int64()))
    columns["count"] = pc.if_else(single, pa.scalar(1, pa.int64()), pa.scalar(None, pa.int64()))
    for name, value in _NO_PRODUCER.items():
        columns[name] = pa.repeat(pa.scalar(value, ARROW_TYPES[_type_of(name)]), count)
    return columns
