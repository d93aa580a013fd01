"""Rows have every column of their table; columns of other tables are null."""

import pyarrow as pa
import pytest

from analyzer.parse.rows import SCHEMA, BrokenRow, Rows, _nulls

PLACE = (0, 3, 120)
DAMAGE = {"damage": "cut_tail", "bytes": 7, "offset_before": 4, "offset_after": None}


def test_nulls_are_as_many_as_asked_for():
    for count in (0, 3, 1, 5, 0):
        for kind in {field.type for field in SCHEMA}:
            column = _nulls(kind, count)
            assert (len(column), column.null_count, column.type) == (count, count, kind)
    assert _nulls(pa.float32(), 0).type == pa.float32()


def test_a_row_by_name_has_the_order_of_its_table():
    rows = Rows("file")
    rows.add("damaged_ranges", PLACE, **dict(reversed(DAMAGE.items())))
    (batch,) = rows.take(10)
    (row,) = batch.to_pylist()
    told = {name: value for name, value in row.items() if value is not None}
    known = {name: value for name, value in DAMAGE.items() if value is not None}
    assert told == known | {"table": "damaged_ranges", "file_id": "file", "section": 0, "line": 3, "byte_offset": 120}


@pytest.mark.parametrize("wrong", [{"byte": 7}, {"bytes": None, "damage_": 1}])
def test_a_row_with_other_columns_is_refused(wrong):
    own = {name: value for name, value in DAMAGE.items() if name != "bytes"} | wrong
    with pytest.raises(BrokenRow):
        Rows("file").add("damaged_ranges", PLACE, **own)


@pytest.mark.parametrize("own", [(1, 2), tuple(range(15))])
def test_a_forgotten_column_shifts_none(own):
    """A commit has 13 columns after its place: without one of them the record's number would be taken for it."""
    with pytest.raises(BrokenRow):
        Rows("file").add_row(("offset_commits", own), PLACE, 5)
