"""Replaces names inside records of __cluster_metadata, in place, by the schemas of `kafka/metadata_schemas.py`."""

from analyzer.anonymize.raw.field_edits import Content, Editor, edited
from analyzer.anonymize.replacing import Replacing
from analyzer.kafka.metadata_schemas import Array, Shape, Struct, record_types
from analyzer.parse.contents.metadata_sizes import FRAME_VERSION
from analyzer.parse.segments.fields import FieldReader

_OWN_NAMES = frozenset({"resourceName", "host", "rack", "entityName", "userName", "principalName", "user"})
"""Fields of metadata records whose strings nobody at Kafka chose, even if they are words of its own."""
_WIDTHS = {"int8": 1, "bool": 1, "int16": 2, "uint16": 2, "int32": 4, "int64": 8, "float64": 8}


def metadata_record(value: Content, to: Replacing) -> Content:
    """Return the value of a record of __cluster_metadata with other names."""
    return edited(value, to, _metadata)


def control_record(key: Content, value: Content, to: Replacing) -> Content:
    """Return the value of a control record of the quorum with other names; voters have hosts."""
    type_id = int.from_bytes(key[2:4], "big") if key else -1
    kind = record_types(control=True).get(type_id)

    def edit(editor: Editor) -> None:
        shape = kind.versions.get(FieldReader(bytes(editor.out)).int16()) if kind else None
        if shape is None:
            raise ValueError("a control record that no schema describes")
        _struct(editor, shape)

    return edited(value, to, edit)


def _metadata(editor: Editor) -> None:
    frame = editor.varint()
    kind = record_types().get(editor.varint())
    shape = kind.versions.get(editor.varint()) if kind else None
    if frame != FRAME_VERSION or shape is None:
        editor.rest()
        return
    _struct(editor, shape)
    editor.rest()


def _struct(editor: Editor, shape: Struct) -> None:
    of_topic = any(name == "topicId" for name, _ in shape.fields)
    for name, of in shape.fields:
        _value(editor, of, own=name in _OWN_NAMES or (of_topic and name == "name"))
    for _ in range(editor.varint()):
        tag, size = editor.varint(), editor.varint()
        if tag in shape.tags:
            _value(editor, shape.tags[tag][1], own=False)
        else:
            editor.replace(size, editor.to.payload)


def _value(editor: Editor, shape: Shape, *, own: bool) -> None:
    if isinstance(shape, Struct):
        _struct(editor, shape)
    elif isinstance(shape, Array):
        for _ in range(editor.count_or_null() or 0):
            _value(editor, shape.of, own=own)
    elif shape == "string":
        editor.word(compact=True, own=own)
    elif shape == "bytes":
        editor.byte_array(editor.to.payload, compact=True)
    elif shape == "uuid":
        editor.replace(16, editor.to.uuid)
    else:
        editor.take(_WIDTHS[shape])
