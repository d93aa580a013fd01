"""How many bytes the fields of a metadata record take: fewer than its value has, and the tool left fields out.

An old tool prints a record of a newer version without the tagged fields that it does not know, and without an error.
"""

import base64
from typing import Any

from analyzer.kafka.metadata_schemas import Array, Shape, Struct

FRAME_VERSION = 1
_SIZES = {"int8": 1, "bool": 1, "int16": 2, "uint16": 2, "int32": 4, "int64": 8, "float64": 8, "uuid": 16}
_BROKEN = (AttributeError, KeyError, TypeError, ValueError)
"""What JSON of another shape than the schema's raises."""


def value_size(type_id: int, version: int, shape: Struct, fields: dict[str, Any]) -> int | None:
    """Return the size of a record's value with these fields, None if they have not the schema's shape."""
    try:
        frame = varint_size(FRAME_VERSION) + varint_size(type_id) + varint_size(version)
        return frame + _struct_size(shape, fields)
    except _BROKEN:
        return None


def varint_size(number: int) -> int:
    """Return how many bytes an unsigned varint takes."""
    return max((number.bit_length() + 6) // 7, 1)


def _struct_size(shape: Struct, fields: dict[str, Any]) -> int:
    size = sum(_size(of, fields[name]) for name, of in shape.fields)
    tags = [(tag, _size(of, fields[name])) for tag, (name, of) in shape.tags.items() if name in fields]
    return size + varint_size(len(tags)) + sum(varint_size(tag) + varint_size(length) + length for tag, length in tags)


def _size(shape: Shape, value: Any) -> int:  # noqa: ANN401 - a JSON value
    if isinstance(shape, Struct):
        return _struct_size(shape, value)
    if isinstance(shape, Array):
        elements = value or ()
        return varint_size(0 if value is None else len(value) + 1) + sum(_size(shape.of, one) for one in elements)
    if shape in _SIZES:
        return _SIZES[shape]
    content = b"" if value is None else base64.b64decode(value) if shape == "bytes" else value.encode()
    return varint_size(0 if value is None else len(content) + 1) + len(content)
