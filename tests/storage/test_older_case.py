"""A case that an older version wrote, whose tables lack columns: it is read, and written to, as it is."""

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.sql import SparkSession

from analyzer.storage.case import Case
from analyzer.storage.reading.rows import rows_of_folder
from analyzer.tables import store_schema

LATER = ("taken_at", "copied_at", "problem")


@pytest.fixture
def location(tmp_path) -> str:
    older = pa.schema([field for field in store_schema("catalog") if field.name not in LATER])
    row = {"table": "capture_files", "capture": "old", "path": "a.txt"}
    write_deltalake(f"{tmp_path}/catalog", pa.Table.from_pylist([row], schema=older))
    return str(tmp_path)


def test_columns_that_are_not_there_yet_are_null(spark: SparkSession, location: str):
    (row,) = Case(spark, location).read("capture_files").collect()
    assert (row.capture, row.copied_at, row.problem) == ("old", None, None)
    (stored,) = rows_of_folder(location)("capture_files", {"capture": ["old"]})
    assert (stored["path"], stored["copied_at"]) == ("a.txt", None)


def test_the_next_write_adds_them(spark: SparkSession, location: str):
    case = Case(spark, location)
    case.append_rows({"capture_files": [{"capture": "new", "path": "b.txt", "copied_at": 7}]}, "catalog")
    rows = {row.capture: row.copied_at for row in case.read("capture_files").collect()}
    assert rows == {"old": None, "new": 7}
    assert set(LATER) <= {field.name for field in DeltaTable(f"{location}/catalog").schema().fields}
