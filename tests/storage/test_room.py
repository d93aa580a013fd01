"""What does not fit on a disk is said before the work."""

import dataclasses
import shutil

from analyzer.config import Config
from analyzer.storage.room import too_little_room

SAIL = Config(spark=dataclasses.replace(Config().spark, engine="sail"))
SPARK = Config(spark=dataclasses.replace(Config().spark, engine="spark"))


def test_input_that_is_larger_than_the_disk_is_told_with_the_folder_and_the_numbers(tmp_path):
    free = shutil.disk_usage(tmp_path).free
    said = too_little_room(SAIL, str(tmp_path / "cases" / "new"), 100 * free)
    assert said is not None
    assert f"free in {tmp_path}, " in said
    assert "--case FOLDER" in said
    assert "TMPDIR" in said


def test_a_case_elsewhere_needs_room_for_what_is_computed_only():
    here = too_little_room(SPARK, "schema:forensics", 10**18)
    assert here is not None
    assert f"may need {10**17 // 10**6:,} MB" in here
    assert "spark.local.dir" in here


def test_a_cluster_computes_on_its_own_disks():
    cluster = Config(spark=dataclasses.replace(SPARK.spark, master="spark://somewhere:7077"))
    assert too_little_room(cluster, "schema:forensics", 10**18) is None


def test_nothing_is_said_of_what_fits(tmp_path):
    assert too_little_room(SAIL, str(tmp_path), 1_000) is None
