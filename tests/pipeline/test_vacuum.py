"""Old captures, however named, leave a case with the facts that were theirs alone; what is left gives the answers that it gave."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession, functions as F

from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.vacuum import vacuum
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.upkeep import delete_captures

HOUR = 3_600_000
NOON = 1_795_262_400_000


NAMES = [f"it's \\ {number}" for number in range(3)]


@pytest.fixture(scope="module")
def case(spark: SparkSession, lab: Path, tmp_path_factory) -> Case:
    """Three captures, an hour apart: the first two share a file of the third, the first has one of its own."""
    root = tmp_path_factory.mktemp("vacuum")
    files = sorted(path for path in (lab / "dev" / "late_write" / "dumps").rglob("*.txt"))[:4]
    case = Case(spark, str(root / "case"))
    for number, names in enumerate((files[:3], files[1:3], files[1:4])):
        paths = tuple(str(path) for path in names)
        ingest(case, [scan_capture(CaptureRequest(paths, NAMES[number], NOON + number * HOUR))])
    return case


def test_old_captures_go_with_what_was_theirs_alone(case):
    case.replace_rows([NAMES[2]], {"summaries": [{"capture": NAMES[2], "document": "{}"}]}, "results")
    facts = case.read("batches").count()
    before = {row.file_id for row in case.read("files").collect()}
    theirs = {row.file_id for row in case.read("capture_files").where(F.col("capture") == NAMES[0]).collect()}
    kept = {row.file_id for row in case.read("capture_files").where(F.col("capture") != NAMES[0]).collect()}

    dropped = vacuum(case, NOON + HOUR)

    assert dropped.captures == (NAMES[0],)
    assert dropped.contents == len(theirs - kept) == 1
    assert {row.file_id for row in case.read("files").collect()} == before - (theirs - kept)
    assert {row.capture for row in case.read("captures").collect()} == set(NAMES[1:])
    assert {row.file_id for row in case.read("sections").collect()} <= kept
    assert case.read("batches").count() <= facts
    assert [(row.capture, row.document) for row in case.read("summaries").collect()] == [(NAMES[2], "{}")]


def test_the_newest_capture_stays_however_old(case):
    assert vacuum(case, NOON + 99 * HOUR).captures == (NAMES[1],)
    assert {row.capture for row in case.read("captures").collect()} == {NAMES[2]}
    assert vacuum(case, NOON + 99 * HOUR).captures == ()


def test_names_are_quoted_where_spark_deletes(spark, tmp_path):
    case = Case(spark, str(tmp_path / "[INC-7]"))
    case.append_rows({"captures": [{"capture": name} for name in NAMES]}, "catalog")
    delete_captures(case, NAMES[:2])
    assert [row.capture for row in case.read("captures").collect()] == NAMES[2:]
