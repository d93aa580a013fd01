"""What may happen around an ingest: files that go, another run on the same case, a task that raises."""

import shutil
from pathlib import Path

import pytest

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.pipeline.ingest import GONE, ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.faults import explain_fault


def test_a_file_that_is_gone_when_its_turn_comes(spark, lab, tmp_path):
    folder = tmp_path / "broker-0"
    shutil.copytree(lab / "dev" / "late_write" / "logdir", folder)
    retained = max(folder.rglob("*.log"), key=lambda path: path.stat().st_size)
    kept = retained.read_bytes()
    capture = scan_capture(CaptureRequest((str(folder),), "before"))
    retained.unlink()
    case = Case(spark, str(tmp_path / "case"))

    read = ingest(case, [capture])

    files = {row.path: row for row in case.read("capture_files").collect()}
    problems = {path: row.problem for path, row in files.items() if row.problem}
    assert problems == {retained.relative_to(folder).as_posix(): GONE}
    assert read == len(capture.sources()) - 1 == case.read("files").count()
    retained.write_bytes(kept)
    assert ingest(case, [scan_capture(CaptureRequest((str(folder),), "after"))]) == 1
    assert case.read("capture_files").where("capture = 'after' AND problem IS NOT NULL").isEmpty()


def test_of_two_files_of_one_content_only_the_one_that_is_gone_is_called_gone(spark, lab, tmp_path):
    folder = tmp_path / "broker-0"
    shutil.copytree(lab / "dev" / "late_write" / "dumps", folder / "first")
    shutil.copytree(folder / "first", folder / "second")
    copies = [max(half.rglob("*.log*.txt"), key=lambda path: path.stat().st_size) for half in sorted(folder.iterdir())]
    for gone, kept in (copies, reversed(copies)):
        capture = scan_capture(CaptureRequest((str(folder),), gone.relative_to(folder).parts[0]))
        content = gone.read_bytes()
        gone.unlink()
        case = Case(spark, str(tmp_path / gone.relative_to(folder).parts[0]))

        assert ingest(case, [capture]) == len(capture.sources())

        files = {row.path: row for row in case.read("capture_files").collect()}
        assert {path: row.problem for path, row in files.items() if row.problem} == {
            gone.relative_to(folder).as_posix(): GONE
        }
        stored = case.read("batches").where(f"file_id = '{files[kept.relative_to(folder).as_posix()].file_id}'")
        assert not stored.isEmpty()
        gone.write_bytes(content)


def test_a_file_that_is_read_later_is_no_longer_listed_as_unreadable(spark, lab, tmp_path):
    folder = tmp_path / "broker-0"
    shutil.copytree(lab / "dev" / "late_write" / "dumps", folder)
    late = max(folder.rglob("*.log*.txt"), key=lambda path: path.stat().st_size)
    content = late.read_bytes()
    first = scan_capture(CaptureRequest((str(folder),), "c"))
    other = scan_capture(CaptureRequest((str(folder),), "other"))
    late.unlink()
    case = Case(spark, str(tmp_path / "case"))
    ingest(case, [first, other])
    late.write_bytes(content)

    assert ingest(case, [scan_capture(CaptureRequest((str(folder),), "c"))]) == 1

    rows = case.read("capture_files").where("capture = 'c'").collect()
    assert len(rows) == len({row.path for row in rows}) == len(first.files)
    assert not [row.path for row in rows if row.problem]
    assert case.read("captures").count() == 2
    problems = case.read("capture_files").where("capture = 'other' AND problem IS NOT NULL")
    assert [row.path for row in problems.collect()] == [late.relative_to(folder).as_posix()]
    assert case.read("files").count() == len(first.sources())


def test_two_runs_do_not_write_into_one_case(spark, lab, tmp_path):
    capture = scan_capture(CaptureRequest((str(lab / "dev" / "late_write" / "dumps"),), "c"))
    case = Case(spark, str(tmp_path / "case"))
    with case.only_writer(), pytest.raises(EnvironmentFault, match="another run is writing to the case"):
        ingest(case, [capture])
    assert ingest(case, [capture]) > 0


def test_what_a_task_raised_is_what_the_user_reads(spark):
    def broken(batches):
        raise OSError(5, "Input/output error", "orders-0/00000000000000000000.log")
        yield from batches

    with pytest.raises(Exception, match="Input/output error") as caught:
        spark.range(1).mapInArrow(broken, "id bigint").collect()
    fault = explain_fault(caught.value, Config())
    assert fault is not None
    assert "[Errno 5] Input/output error: 'orders-0/00000000000000000000.log'" in fault.message()
    assert Path(__file__).name not in fault.message()
