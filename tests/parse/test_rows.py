"""Columns that rows of one table do not have."""

import pyarrow as pa

from analyzer.parse.rows import SCHEMA, _nulls


def test_nulls_are_as_many_as_asked_for():
    for count in (0, 3, 1, 5, 0):
        for kind in {field.type for field in SCHEMA}:
            column = _nulls(kind, count)
            assert (len(column), column.null_count, column.type) == (count, count, kind)
    assert _nulls(pa.float32(), 0).type == pa.float32()
