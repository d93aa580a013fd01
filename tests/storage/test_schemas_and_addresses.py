"""A case in a schema of the metastore or at an address: the answers of a folder, and one writer at a time."""

import threading

import pytest

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


@pytest.fixture
def schema(spark, tmp_path):
    spark.sql(f"CREATE DATABASE incidents LOCATION '{(tmp_path / 'incidents').as_uri()}'")
    yield Case(spark, "schema:incidents")
    spark.sql("DROP DATABASE incidents CASCADE")


def judged(case, paths):
    ingest(case, [scan_capture(CaptureRequest(paths, "c", 1_795_262_400_000))])
    analyze(case, ["c"], Config())
    (row,) = case.read("summaries").collect()
    return row.document.replace(case.location, "CASE")


def test_a_schema_gives_the_answers_of_a_folder(schema, spark, lab, tmp_path, soak):
    if not soak:
        pytest.skip("minutes: make soak")
    paths = (str(lab / "dev" / "late_write" / "dumps"),)
    assert judged(schema, paths) == judged(Case(spark, str(tmp_path / "case")), paths)


def test_a_schema_holds_what_was_read(schema, lab):
    dumps = (lab / "dev" / "late_write" / "dumps").rglob("*.log*.txt")
    capture = scan_capture(CaptureRequest((str(max(dumps, key=lambda path: path.stat().st_size)),), "it's"))
    assert ingest(schema, [capture]) == 1
    assert ingest(schema, [capture]) == 0
    assert schema.read("batches").count() + schema.read("coordinator_states").count() > 0
    schema.replace_rows(["it's"], {"captures": [capture.row]}, "catalog")
    assert [row.capture for row in schema.read("captures").collect()] == ["it's"]


def test_of_writers_that_ask_at_once_one_is_let_in(spark, tmp_path):
    """The others are told; the next one is let in once the first has ended."""
    case = Case(spark, (tmp_path / "case").as_uri())
    everybody, asked, outcomes = threading.Barrier(3), threading.Barrier(3), []

    def write():
        everybody.wait()
        try:
            with case.only_writer() as check_held:
                outcomes.append("held")
                asked.wait()
                check_held()
        except EnvironmentFault as fault:
            outcomes.append(str(fault))
            asked.wait()

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert outcomes.count("held") == 1
    assert sum("is writing to the case file:" in one for one in outcomes) == 2
    with case.only_writer():
        pass


def test_a_lease_that_another_took_over_is_noticed(spark, tmp_path, monkeypatch):
    """What a killed writer held can be had once its time is over; a writer that slept so long notices."""
    case = Case(spark, (tmp_path / "case").as_uri())
    monkeypatch.setattr("analyzer.storage.lease.ENDS_AFTER_S", -1)
    with case.only_writer() as slept:
        monkeypatch.undo()
        with case.only_writer() as check_held:
            check_held()
            with pytest.raises(EnvironmentFault, match=r"another run from .* is writing"):
                slept()
