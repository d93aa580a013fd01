"""What does not fit on a disk is said before the work."""

import shutil

from analyzer.storage.room import too_little_room


def test_input_that_is_larger_than_the_disk_is_told_with_the_folder_and_the_numbers(tmp_path):
    free = shutil.disk_usage(tmp_path).free
    said = too_little_room(str(tmp_path / "cases" / "new"), 100 * free)
    assert said is not None
    assert f"free in {tmp_path}, " in said
    assert "--case FOLDER" in said


def test_a_case_elsewhere_needs_room_for_what_is_computed_only():
    here = too_little_room("schema:forensics", 10**18)
    assert here is not None
    assert f"may need {10**17 // 10**6:,} MB" in here


def test_nothing_is_said_of_what_fits(tmp_path):
    assert too_little_room(str(tmp_path), 1_000) is None
