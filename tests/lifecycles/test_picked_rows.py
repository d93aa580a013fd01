"""The row of a group that a flag picks, put together from plain columns."""

from pyspark.sql import functions as F

from analyzer.lifecycles.picked_rows import field_at, fields_at, row_at
from analyzer.lifecycles.placing import REF_TYPE

ROWS = f"g string, offset bigint, state string, ref {REF_TYPE}, wanted boolean"
PLACE = {"path": "a.log", "line": None, "byte_offset": 61, "record": 3}


def test_the_flagged_row_comes_back_whole_with_its_nulls(spark):
    rows = spark.createDataFrame(
        [("x", 1, "Ongoing", PLACE, True), ("x", 9, "Zzz", None, False), ("y", 5, None, None, True)], ROWS
    )
    names = ("offset", "ref", "state")
    picked = rows.groupBy("g").agg(*fields_at("wanted", names)).select("g", row_at("wanted", names).alias("row"))
    found = {row.g: row.row.asDict(recursive=True) for row in picked.collect()}
    assert found == {
        "x": {"offset": 1, "ref": PLACE, "state": "Ongoing"},
        "y": {"offset": 5, "ref": None, "state": None},
    }


def test_a_group_without_a_flagged_row_has_none(spark):
    rows = spark.createDataFrame([("x", 1, "Ongoing", PLACE, False)], ROWS)
    picked = rows.groupBy("g").agg(*fields_at("wanted", ("offset", "ref")))
    whole = picked.select(
        row_at("wanted", ("offset", "ref")).alias("row"), field_at("wanted", "ref").alias("ref"), F.lit(1).alias("n")
    )
    assert [tuple(row) for row in whole.collect()] == [(None, None, 1)]
