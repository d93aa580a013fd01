"""Decodes binary records of `__cluster_metadata` by their schemas into rows of `metadata_records`.

value: frame version (unsigned varint, 1), type (unsigned varint), version (unsigned varint), then the fields.
key of a control record: version i16, type i16; its value begins with its own version.
"""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.kafka.metadata_schemas import Array, Shape, Struct, record_types
from analyzer.parse.contents.metadata import TABLE, Fields, Meaning, meaning_of
from analyzer.parse.contents.metadata_sizes import FRAME_VERSION
from analyzer.parse.contents.record import Record
from analyzer.parse.rows import Row
from analyzer.parse.segments.fields import BROKEN, FieldReader


def metadata_row(record: Record, batch: Sequence[object]) -> Row:
    """Return the row of a record; one that cannot be decoded has no fields and says why. `batch`: epoch, is_control."""
    quorum_epoch, is_control = batch
    meaning = _control(record) if is_control else _data(record.value)
    return (TABLE, (record.offset, record.timestamp, quorum_epoch, *meaning))


def _data(value: bytes | None) -> Meaning:
    if value is None:
        return meaning_of(None, None, None, undecoded="the record has no value")
    reader = FieldReader(value)
    try:
        frame = reader.varint()
        type_id, version = reader.varint(), reader.varint()
    except BROKEN as fault:
        return meaning_of(None, None, None, undecoded=str(fault))
    if frame != FRAME_VERSION:
        return meaning_of(None, None, None, undecoded=f"frame version {frame} is not known")
    return _decoded(reader, type_id, version, control=False)


def _control(record: Record) -> Meaning:
    try:
        key = FieldReader(record.key or b"")
        key.int16()
        type_id = key.int16()
        version = FieldReader(record.value or b"").int16()
    except BROKEN as fault:
        return meaning_of(None, None, None, control=True, undecoded=str(fault))
    return _decoded(FieldReader(record.value or b""), type_id, version, control=True)


def _decoded(reader: FieldReader, type_id: int, version: int, *, control: bool) -> Meaning:
    """Return the record with its fields, or without them and why."""
    kind = record_types(control=control).get(type_id)
    shape = kind.versions.get(version) if kind else None
    if shape is None:
        why = f"version {version} of this type is not known" if kind else f"type {type_id} is not known"
        return meaning_of(type_id, version, None, control=control, undecoded=why)
    try:
        fields = _struct(reader, shape)
        reader.end()
    except BROKEN as fault:
        return meaning_of(type_id, version, None, control=control, undecoded=str(fault))
    return meaning_of(type_id, version, fields, control=control, whole=True)


def _struct(reader: FieldReader, shape: Struct) -> Fields:
    fields = {name: _value(reader, of) for name, of in shape.fields}
    for tag, content in reader.tags().items():
        if tag in shape.tags:
            name, of = shape.tags[tag]
            inside = FieldReader(content)
            fields[name] = _value(inside, of)
            inside.end()
    return fields


def _value(reader: FieldReader, shape: Shape) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(shape, Struct):
        return _struct(reader, shape)
    if isinstance(shape, Array):
        count = reader.count_or_null()
        return None if count is None else [_value(reader, shape.of) for _ in range(count)]
    return _PLAIN[shape](reader)


def _float(reader: FieldReader) -> float | str:
    """Return a number; JSON has none that is not finite."""
    number = reader.float64()
    return number if math.isfinite(number) else str(number)


def _base64(reader: FieldReader) -> str | None:
    content = reader.content()
    return None if content is None else base64.b64encode(content).decode()


def _uuid(reader: FieldReader) -> str:
    """Return an id as Kafka prints it (Uuid.toString)."""
    return base64.urlsafe_b64encode(reader.take(16)).decode().rstrip("=")


_PLAIN: Mapping[str, Callable[[FieldReader], Any]] = {
    "int8": FieldReader.int8,
    "int16": FieldReader.int16,
    "uint16": FieldReader.uint16,
    "int32": FieldReader.int32,
    "int64": FieldReader.int64,
    "float64": _float,
    "bool": lambda reader: reader.int8() != 0,
    "uuid": _uuid,
    "string": lambda reader: reader.text(compact=True),
    "bytes": _base64,
}
"""How a value of each plain type is read."""
