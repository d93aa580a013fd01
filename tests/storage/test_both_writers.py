"""Facts written by the tasks themselves and facts written by Spark: the same rows, in tables that take further ones."""

import json

import pytest
from pyspark.sql import functions as F

from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.tables import STORES

FORMS = ("dumps", "logdir")


@pytest.fixture(scope="module")
def cases(spark, lab, tmp_path_factory) -> dict[str, Case]:
    """One case by each writer: a folder of this machine, and the same as an address, which Spark writes to."""
    folder = tmp_path_factory.mktemp("cases")
    out = {"tasks": Case(spark, str(folder / "tasks")), "spark": Case(spark, (folder / "spark").as_uri())}
    for case in out.values():
        for form in FORMS:
            capture = scan_capture(CaptureRequest((str(lab / "dev" / "late_write" / form),), form))
            assert ingest(case, [capture]) > 0
    return out


def rows(case: Case, table: str) -> list[str]:
    return sorted(json.dumps(row.asDict(recursive=True), sort_keys=True) for row in case.read(table).collect())


@pytest.mark.parametrize("table", [*(table.name for table in STORES["facts"]), "captures", "capture_files"])
def test_both_give_the_same_rows(cases, table):
    assert rows(cases["tasks"], table) == rows(cases["spark"], table)


def test_there_are_rows(cases):
    assert len(rows(cases["tasks"], "batches")) > 100
    assert rows(cases["tasks"], "coordinator_states")
    assert rows(cases["tasks"], "producer_states")


@pytest.mark.parametrize("writer", ["tasks", "spark"])
def test_facts_of_a_file_can_be_deleted(cases, writer):
    case = cases[writer]
    one = case.read("batches").select("file_id").limit(1)
    file_id = one.collect()[0].file_id
    left = case.read("batches").where(F.col("file_id") != file_id).count()
    case.delete_facts(case.spark.createDataFrame([(file_id,)], "file_id string"))
    assert case.read("batches").count() == left
    assert case.read("sections").where(F.col("file_id") == file_id).isEmpty()


def test_a_table_that_spark_made_takes_files_of_tasks(spark, lab, tmp_path):
    place = tmp_path / "case"
    for location, form in ((place.as_uri(), "dumps"), (str(place), "logdir")):
        capture = scan_capture(CaptureRequest((str(lab / "dev" / "late_write" / form),), form))
        ingest(Case(spark, location), [capture])
    both = Case(spark, str(place)).read("batches")
    assert both.where("line IS NULL").count() > 0
    assert both.where("line IS NOT NULL").count() > 0


@pytest.mark.parametrize("writer", ["tasks", "spark"])
def test_results_of_a_capture_take_the_place_of_its_older_ones(cases, writer):
    case = cases[writer]
    new = ["it's", "a\\'b"]
    for captures, code in (([*new, "a"], "OLD"), (new, "NEW")):
        case.replace_rows(captures, {"findings": [{"capture": name, "code": code} for name in captures]}, "results")
    assert {(row.capture, row.code) for row in case.read("findings").collect()} == {
        ("a", "OLD"),
        *((name, "NEW") for name in new),
    }


@pytest.mark.parametrize("name", ["a b", "100%25", "[INC-7] {stuck}", "back\\slash", "what?", "Zürich #2"])
def test_a_folder_may_have_any_name(spark, lab, tmp_path, name):
    dump = max((lab / "dev" / "late_write" / "dumps").rglob("*.log.txt"), key=lambda one: one.stat().st_size)
    capture = scan_capture(CaptureRequest((str(dump),), "c"))
    place = tmp_path / name / "case"
    ingest(Case(spark, str(place)), [capture])
    assert Case(spark, str(place)).read("batches").count() > 50
    assert (place / "facts" / "_delta_log").is_dir()
    assert [path.name for path in tmp_path.iterdir()] == [name]
