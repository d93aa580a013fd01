"""The shapes of the records of `__cluster_metadata`, by type and version, as the clusters' own classes define them.

They were read out of Kafka 4.3.1, whose types and versions include those of every release since 3.3.
"""

import dataclasses
import functools
import json
from collections.abc import Mapping
from importlib import resources
from typing import Union


@dataclasses.dataclass(frozen=True, slots=True)
class Struct:
    """Fields in the order of the wire, and tagged fields by number; all structs of these records are flexible."""

    fields: tuple[tuple[str, "Shape"], ...]
    tags: Mapping[int, tuple[str, "Shape"]]


@dataclasses.dataclass(frozen=True, slots=True)
class Array:
    """A compact array, which may be null."""

    of: "Shape"


Shape = Union[str, Struct, Array]  # noqa: UP007 - a forward reference inside
"""A plain type (int8, int16, uint16, int32, int64, float64, bool, uuid, string, bytes), or one made of others."""


@dataclasses.dataclass(frozen=True, slots=True)
class RecordType:
    """A type of record: its name as the dump tool prints it, and its shape by version."""

    type_id: int
    name: str
    versions: Mapping[int, Struct]


@functools.cache
def record_types(*, control: bool = False) -> Mapping[int, RecordType]:
    """Return the types of metadata records by their id, or those of the control records of a KRaft log."""
    text = resources.files("analyzer.kafka").joinpath("metadata_records.json").read_text(encoding="utf-8")
    kinds = json.loads(text)["control" if control else "records"]
    return {
        int(type_id): RecordType(
            int(type_id),
            kind["name"],
            {int(version): _struct(shape) for version, shape in kind["versions"].items()},
        )
        for type_id, kind in kinds.items()
    }


@functools.cache
def types_by_name(*, control: bool = False) -> Mapping[str, RecordType]:
    """Return the same types by their name."""
    return {kind.name: kind for kind in record_types(control=control).values()}


def _struct(told: dict[str, list[list[object]]]) -> Struct:
    fields = tuple((str(name), _shape(shape)) for name, shape in told["fields"])
    tags = {int(str(tag)): (str(name), _shape(shape)) for tag, name, shape in told.get("tags", [])}
    return Struct(fields, tags)


def _shape(told: object) -> Shape:
    if isinstance(told, dict):
        return Array(_shape(told["array"])) if "array" in told else _struct(told)
    return str(told)
