"""Runs without --case keep a case each, under a short name; other commands take the newest, or the one that is named."""

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from analyzer.cli.case.unnamed import place_of_run
from analyzer.config import Config, SparkConfig
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.lock import only_writer
from analyzer.storage.named_cases import (
    case_name,
    cases_dir,
    keep_newest,
    location_of,
    named_cases,
    new_case,
)


@pytest.fixture
def kept(first) -> dict:
    """The document of a run that kept the case `late_write-1`."""
    shutil.copytree(first / "cases", cases_dir(), dirs_exist_ok=True)
    return json.loads((first / "told.json").read_text())


def again(number: int) -> None:
    """A later run of the same files, without running them."""
    folder = shutil.copytree(cases_dir() / "late_write-1", cases_dir() / f"late_write-{number}")
    os.utime(folder, (2e9 + number, 2e9 + number))


def test_a_run_keeps_a_case_and_the_next_command_takes_it(command_alone, first, kept):
    assert kept["case"] == "late_write-1"
    assert "case late_write-1 is kept; txn-forensics cases lists the last 20\n" in (first / "said").read_text()
    told = command_alone("report", "--format", "json")
    assert told.err == "case late_write-1, the newest of `txn-forensics cases`\n"
    assert json.loads(told.out) == kept
    assert command_alone("report", "--case", "late_write-1", "--format", "json").err == ""
    finding = kept["findings"][0]["id"]
    assert finding in command_alone("explain", finding).out
    assert "the newest" in command_alone("fetch").err


def test_a_query_and_an_analysis_take_the_newest_case(command, kept):
    assert command("sql", "SELECT count(*) AS n FROM findings", "--format", "csv").out.splitlines() == ["n", "4"]
    assert command("analyze").code == 1


def test_a_command_that_a_report_prints_finds_its_case_from_another_run(command_alone, kept, tmp_path):
    again(2)
    (place,) = (one for one in kept["findings"] if one["code"] == "TXN003")
    words = shlex.split(place["action"]["save_command"])
    assert words[:4] == ["txn-forensics", "rescue", "--case", "late_write-1"]
    saved = command_alone(*words[1:-1], tmp_path / "saved")
    assert "7 records saved from text" in saved.out, saved.err
    assert (tmp_path / "saved" / "records.jsonl").is_file()


def test_a_command_that_a_report_prints_asks_about_its_own_capture(command, kept, lab):
    """A later run into the same case makes another capture the newest: its row 1 is another transaction."""
    case = cases_dir() / "late_write-1"
    told = command("report", "--case", case).out
    printed = re.sub(r" \\\n +", " ", told)
    (plan,) = re.findall(r"txn-forensics (plan 1 2 3 .*)", printed)
    (rescue,) = set(re.findall(r"txn-forensics (rescue .*)", printed))
    before = command(*shlex.split(plan)).out
    assert command("run", lab / "dev" / "pid_hijack" / "dumps", "--case", case, "--quiet").code == 1
    assert command(*shlex.split(plan)).out == before
    assert "7 records saved" in command(*shlex.split(rescue)[:-1], case.parent / "saved").out
    for lookup in (("who", "payments-1@0"), ("txn", "pay-writer-2")):
        asked = command(*lookup, "--case", case, "--capture", kept["capture"]["name"]).out
        assert f"--capture {kept['capture']['name']}" in re.sub(r" \\\n +", " ", asked)


def test_a_report_says_which_files_of_its_capture_are_gone(command, kept, late_write, tmp_path):
    """What a later run into the same case no longer finds is kept; its report says so, and how to begin afresh."""
    folder, case = Path(shutil.copytree(late_write, tmp_path / "late_write")), tmp_path / "case"
    assert "no longer there" not in command("run", folder, "--case", case).out
    shutil.rmtree(folder / "broker-0" / "payments-1")
    later = " ".join(command("run", folder, "--case", case).out.split())
    assert "files that were read into this capture are no longer there: broker-0/payments-1/" in later
    assert "To judge only what is there now, run again with a new --case" in later
    assert "payments-1 0..6*" in later
    afresh = command("run", folder, "--case", case, "--capture", "afresh").out
    assert "no longer there" not in afresh
    assert "payments-1 0..6*" not in afresh


def test_what_an_archive_holds_is_there_as_long_as_the_archive_is(command, late_write, tmp_path):
    packed, case = tmp_path / "packed", tmp_path / "case"
    packed.mkdir()
    archive = Path(shutil.make_archive(str(packed / "broker-0"), "gztar", late_write))
    assert "no longer there" not in command("run", packed, "--case", case, "--capture", "one").out
    other = tmp_path / "late_write"
    shutil.copytree(late_write / "broker-0" / "payments-1", other / "broker-0" / "payments-1")
    assert "no longer there" not in command("run", other, "--case", case, "--capture", "one").out
    archive.unlink()
    assert "no longer there: broker-0.tar.gz" in command("run", other, "--case", case, "--capture", "one").out


def test_cases_are_listed_and_removed(command_alone, kept):
    again(2)
    listed = [json.loads(line) for line in command_alone("cases", "--format", "json").out.splitlines()]
    assert [one["name"] for one in listed] == ["late_write-2", "late_write-1"]
    assert {one["verdict"] for one in listed} == {"findings"}
    assert all(one["bytes"] > 1000 for one in listed)
    head, row, *_ = command_alone("cases").out.splitlines()
    assert head.split() == ["NAME", "WRITTEN", "CAPTURE", "VERDICT", "SIZE"]
    assert row.split()[0] == "late_write-2"
    assert command_alone("cases", "--remove", "late_write-2").out == "removed late_write-2\n"
    assert "no case late_write-2" in command_alone("cases", "--remove", "late_write-1", "late_write-2").err
    assert [one.name for one in named_cases()] == ["late_write-1"]
    assert command_alone("cases", "--keep", "0").out == "removed late_write-1\n"
    missing = command_alone("report")
    assert missing.code == 2
    assert "no case is kept yet" in missing.err
    assert command_alone("cases").out.startswith("no cases in ")


@pytest.mark.parametrize("arguments", [("--remove",), ("--keep", "1", "a"), ("--keep", "-1")])
def test_what_is_removed_must_be_named(command_alone, arguments):
    assert command_alone("cases", *arguments).code == 2


def test_the_oldest_goes_when_there_are_too_many(kept):
    for number in (2, 3, 4):
        again(number)
    gone, left = keep_newest(2)
    assert ([one.name for one in gone], left) == (["late_write-2", "late_write-1"], [])
    assert [one.name for one in named_cases()] == ["late_write-4", "late_write-3"]
    assert new_case("late_write").name == "late_write-5"


def test_a_case_that_is_written_to_is_not_removed(command_alone):
    folder = new_case("busy")
    with only_writer(folder):
        gone, left = keep_newest(0)
        assert (gone, [one.name for one in left]) == ([], ["busy-1"])
        assert "another run is writing" in command_alone("cases", "--remove", "busy-1").err
    assert folder.is_dir()


def test_a_data_directory_that_is_none_keeps_nothing(late_write, capsys):
    cases_dir().write_text("a file")
    with place_of_run(
        None, Config(), [scan_capture(CaptureRequest((str(late_write),)))], lambda: None, quiet=True
    ) as place:
        assert place.name == ""
        assert Path(place.location).is_dir()
    assert not Path(place.location).exists()
    assert "nothing is kept of this run" in capsys.readouterr().err


def test_a_run_that_is_part_of_a_cluster_keeps_nothing_here(late_write, monkeypatch):
    capture = scan_capture(CaptureRequest((str(late_write),)))
    with place_of_run(
        None, Config(spark=SparkConfig(master="spark://head:7077")), [capture], lambda: None, quiet=True
    ) as place:
        assert place.name == ""
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    with place_of_run(None, Config(), [capture], lambda: None, quiet=True) as place:
        assert place.name == ""
    assert named_cases() == []


def test_a_run_that_fails_keeps_nothing(late_write):
    capture = scan_capture(CaptureRequest((str(late_write),)))
    run = place_of_run(None, Config(), [capture], lambda: None, quiet=True)
    assert run.__enter__() == (str(cases_dir() / "late_write-1"), "late_write-1")
    assert not run.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert named_cases() == []


def test_the_cases_of_two_runs_are_compared_by_their_names(command_alone, kept):
    again(2)
    told = command_alone("compare", "late_write-1", "late_write-2")
    assert told.code == 1, told.err
    assert "STILL" in told.out


def test_a_name_is_a_folder_here_only_if_a_case_lies_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = new_case("orders")
    assert folder.stat().st_mode & 0o77 == 0
    (tmp_path / "orders-1").mkdir()
    assert location_of("orders-1") == str(folder)
    assert case_name(str(folder)) == "orders-1"
    (tmp_path / "orders-1" / "catalog" / "_delta_log").mkdir(parents=True)
    assert location_of("orders-1") == "orders-1"
    assert case_name(str(folder)) == str(folder)
    for other in ("orders-2", "./orders-1", "schema:orders-1", "s3://bucket/orders-1", str(folder), "", ".."):
        assert location_of(other) == other


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("incident/host1", "incident-host1-1"),
        ("späte Schrift", "sp-te-Schrift-1"),
        ("--", "case-1"),
        ("x" * 90, "x" * 40 + "-1"),
    ],
)
def test_names_can_be_pasted_into_any_shell(stem, name):
    assert new_case(stem).name == name


def test_the_data_directory_is_that_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("TXN_FORENSICS_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert cases_dir() == tmp_path / ".local" / "share" / "txn-forensics" / "cases"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert cases_dir() == Path("/data/txn-forensics/cases")
    monkeypatch.setattr("sys.platform", "darwin")
    assert cases_dir() == tmp_path / "Library" / "Application Support" / "txn-forensics" / "cases"
