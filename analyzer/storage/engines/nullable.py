"""Rows in which every field may be null, and is null where the struct around it is; counted where that is wanted."""

import functools
import itertools
from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType


def nullable(rows: DataFrame, shape: StructType | None = None) -> DataFrame:
    """Return the same rows, each field declared nullable, and null where its whole struct is null.

    `shape`: their columns, where they are known; to ask for those of a plan has the server analyze all of it.
    An expression for each field would do the same; planning a hundred of them takes longer than most analyses.
    """
    return rows.mapInArrow(_masked_batches, _all_nullable(shape or rows.schema))


class Counted:
    """The same rows, which are counted when they are computed.

    Sail calls the Python functions of a plan in this process, so each can leave a number in this module.
    """

    def __init__(self, rows: DataFrame, shape: StructType | None = None) -> None:
        """Give the rows, of this shape, a number; they are computed by whoever takes `rows`. See `nullable`."""
        self._name = next(_NAMES)
        counted = functools.partial(_counted_batches, self._name)
        self.rows = rows.mapInArrow(counted, _all_nullable(shape or rows.schema))

    def are_none(self) -> bool | None:
        """Return whether there were none; None where nobody counted, because another process computed them."""
        counts = _COUNTS.pop(self._name, None)
        return None if counts is None else sum(counts) == 0


_NAMES = itertools.count()
_COUNTS: dict[int, list[int]] = {}
"""How many rows each batch had, by the number of the table."""


def _counted_batches(name: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    counts = _COUNTS.setdefault(name, [])
    for batch in _masked_batches(batches):
        counts.append(batch.num_rows)
        yield batch


def _all_nullable(row: StructType) -> StructType:
    return StructType([StructField(one.name, _may_be_null(one.dataType)) for one in row.fields])


def _may_be_null(kind: DataType) -> DataType:
    match kind:
        case StructType():
            return _all_nullable(kind)
        case ArrayType(elementType=element):
            return ArrayType(_may_be_null(element))
        case MapType(keyType=key, valueType=value):
            return MapType(key, _may_be_null(value))
    return kind


def _masked_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.RecordBatch.from_arrays([_masked(one) for one in batch.columns], names=batch.schema.names)


def _masked(values: pa.Array) -> pa.Array:
    """Return the values; below a null struct Arrow allows anything, and readers of a single field would see it.

    Structs inside arrays and maps stay as they are: nobody reads a single field of all of them.
    """
    if not pa.types.is_struct(values.type):
        return values
    fields = [_masked(one) for one in values.flatten()]
    kinds = [pa.field(one.name, kept.type) for one, kept in zip(values.type, fields, strict=True)]
    return pa.StructArray.from_arrays(fields, fields=kinds, mask=values.is_null())
