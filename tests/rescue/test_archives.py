"""rescue on captures that were read from archives, as collect.sh writes them: their files are unpacked again."""

import shutil
from pathlib import Path

import pytest
from saved import rows_of

WHERE = ("--topic", "payments", "--partition", 1, "--producer-id", 2)


@pytest.mark.parametrize("named", [True, False], ids=["the archive", "its folder"])
def test_the_command_that_a_report_prints_finds_the_records_in_the_archive(lab, command, spark, tmp_path, named):
    folder = tmp_path / "collected"
    folder.mkdir()
    source = lab / "dev" / "late_write" / "logdir"
    archive = Path(shutil.make_archive(str(folder / "broker-0"), "gztar", source))
    case = tmp_path / "case"
    command("run", archive if named else folder, "--case", case, "--quiet")
    saved = command("rescue", "--case", case, *WHERE, "-o", tmp_path / "out")
    assert saved.code == 0, saved.err
    assert [row["offset"] for row in rows_of(tmp_path / "out")] == list(range(7))
    quoted = " ".join(command("who", "payments-1@3", "--case", case).out.split())
    assert "(the file is in an archive, which is not unpacked again for a quote)" in quoted
    archive.unlink()
    gone = command("rescue", "--case", case, *WHERE, "-o", tmp_path / "again")
    assert gone.code == 2
    assert "is no longer there" in gone.err
