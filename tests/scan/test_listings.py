"""What manifest.txt says of an archive: the moment of each file, and what was left on the broker, however it is written."""

import pytest

from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

NAME = "broker-1/orders-0/00000000000000000000.log"
LEFT = "broker-1/orders-0/00000000000000000009.log"
BATCH = bytes(8) + b"\0\0\0\x31" + bytes(49)


def scanned(folder, lines, captured_at=None):
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(BATCH)
    (folder / "broker-1" / "manifest.txt").write_text("\n".join(["collect.sh\t1", "broker\t1", *lines]) + "\n")
    files = scan_capture(CaptureRequest((str(folder),), "x", captured_at)).files
    return {file["path"]: file for file in files}


def moments(file):
    return file["taken_at"], file["copied_at"]


def lines(life="running", name=NAME):
    return [f"captured_at\t1000\twhy\t{life}", f"file\t{name}\t61\t1500\t900", f"there\t{LEFT}\t77"]


def test_a_file_shows_the_moment_of_its_copy(tmp_path):
    files = scanned(tmp_path, lines())
    assert moments(files[NAME]) == (1000, 1500)
    left = files[LEFT]
    assert (left["file_id"], left["bytes"], left["file_kind"], left["folder_segment"]) == (None, 77, "segment", 9)


def test_files_of_a_broker_that_was_down_show_its_last_sign_of_life(tmp_path):
    assert moments(scanned(tmp_path, lines("stopped"))[NAME]) == (1000, 1000)


@pytest.mark.parametrize("life", ["running", "stopped"])
def test_an_answer_shows_the_moment_at_which_it_was_asked_for(tmp_path, life):
    """A broker that is down, or whose files are a copy, may have been asked about by another one's address."""
    name = "broker-1/views/kafka-topics.txt"
    (tmp_path / "broker-1/views").mkdir(parents=True)
    (tmp_path / name).write_text("$ kafka-topics.sh --describe\n")
    assert moments(scanned(tmp_path, [*lines(life), f"view\t{name}\t9\t1700"])[name]) == (1000, 1700)


def test_a_moment_that_the_user_gives_is_that_of_every_file(tmp_path):
    assert moments(scanned(tmp_path, lines(), 1_795_252_670_874)[NAME]) == (None, None)


@pytest.mark.parametrize(
    "line",
    [
        "there\t../../etc/passwd\t5",
        "there\t/etc/passwd\t5",
        f"there\t{LEFT}\t-5",
        f"there\t{LEFT}",
        "there\tbroker-1/orders 0/00000000000000000009.log\t5",
        "there\tbroker-1/$(id)-0/00000000000000000009.log\t5",
    ],
)
def test_a_hostile_line_adds_nothing(tmp_path, line):
    assert set(scanned(tmp_path, [line])) == {NAME, "broker-1/manifest.txt"}


def test_a_manifest_of_somebody_else_is_no_manifest(tmp_path):
    path = tmp_path / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(BATCH)
    (tmp_path / "broker-1" / "manifest.txt").write_text("\n".join(lines()))
    files = scan_capture(CaptureRequest((str(tmp_path),), "x")).files
    assert {file["taken_at"] for file in files} == {None}


def test_of_several_archives_the_earliest_moment_counts(tmp_path):
    for number, moment in enumerate([1_795_252_670_874, 1_795_249_070_874]):
        folder = tmp_path / str(number)
        scanned(folder, lines())
        (folder / "capture.toml").write_text(f"captured_at = {moment}\n")
    for order in ([0, 1], [1, 0]):
        capture = scan_capture(CaptureRequest(tuple(str(tmp_path / str(one)) for one in order), "x"))
        assert capture.row["captured_at"] == 1_795_249_070_874
