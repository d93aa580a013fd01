"""A case that gets a capture every hour keeps few files, and gives the same rows."""

import shutil

import pytest
from deltalake import DeltaTable

from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage import upkeep
from analyzer.storage.case import Case

STORES = ("catalog", "facts")
TABLES = ("captures", "capture_files", "files", "sections", "batches")


def files_of(case: Case) -> int:
    return sum(len(DeltaTable(case.path(store)).file_uris()) for store in STORES)


def rows_of(case: Case) -> list:
    return [sorted(map(str, case.read(table).collect())) for table in TABLES]


@pytest.fixture(scope="module")
def five_hours(lab, spark, tmp_path_factory):
    """A case with five captures, each of one file that the others do not have, and what adds another one to a case."""
    dumps = sorted((lab / "dev" / "late_write" / "dumps").rglob("*.txt"))
    folder = tmp_path_factory.mktemp("hours") / "case"

    def add(case: Case, number: int) -> None:
        ingest(case, [scan_capture(CaptureRequest((str(dumps[number]),), f"hour {number}", 1_795_262_400_000))])

    for number in range(5):
        add(Case(spark, str(folder)), number)
    return folder, add


@pytest.fixture
def hourly(five_hours, spark, tmp_path):
    """A copy of that case, and what adds the next capture."""
    folder, add = five_hours
    case = Case(spark, str(shutil.copytree(folder, tmp_path / "case")))
    return case, lambda number: add(case, number)


def test_many_small_files_are_joined(hourly, monkeypatch):
    case, _ = hourly
    before, rows = files_of(case), rows_of(case)
    monkeypatch.setattr(upkeep, "MANY_SMALL", 4)
    upkeep.join_small_files(case)
    assert files_of(case) < before / 2
    assert rows_of(case) == rows


def test_a_capture_joins_the_files_of_those_before_it(hourly, monkeypatch):
    case, add = hourly
    monkeypatch.setattr(upkeep, "MANY_SMALL", 4)
    before = files_of(case)
    add(5)
    assert files_of(case) < before


def test_few_files_stay_as_they_are(hourly):
    case, _ = hourly
    before = [DeltaTable(case.path(store)).version() for store in STORES]
    upkeep.join_small_files(case)
    assert [DeltaTable(case.path(store)).version() for store in STORES] == before


def test_large_files_are_not_rewritten(hourly, monkeypatch):
    case, _ = hourly
    monkeypatch.setattr(upkeep, "MANY_SMALL", 4)
    monkeypatch.setattr(upkeep, "SMALL_BYTES", 1)
    before = files_of(case)
    upkeep.join_small_files(case)
    assert files_of(case) == before
