"""The session: an active one is left alone, settings follow the configuration, a start-up archive never hurts."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from analyzer.config import Config, SparkConfig
from analyzer.storage.exercise import exercise
from analyzer.storage.jvm import start_archive
from analyzer.storage.jvm.jars import fetch_jars
from analyzer.storage.jvm.start_archive import find_archive, make_archive
from analyzer.storage.session import build_session
from analyzer.storage.settings import (
    Work,
    cluster_settings,
    java_options,
    local_cores,
    local_settings,
    session_settings,
)

ROOT = Path(__file__).parent.parent.parent


def test_an_active_session_is_used_as_it_is_and_not_ours_to_stop(spark: SparkSession) -> None:
    assert build_session(Config()) == (spark, False)


def test_the_suite_runs_on_the_settings_of_the_product(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert spark.conf.get("spark.databricks.delta.snapshotPartitions") == "1"
    assert spark.conf.get("spark.ui.enabled") == "false"


def test_the_exercise_runs(spark: SparkSession, tmp_path: Path) -> None:
    assert exercise(spark, tmp_path) == 400


@pytest.mark.parametrize(
    ("master", "cores"),
    [
        ("local", 1),
        ("local[3]", 3),
        ("local[2,4]", 2),
        ("local-cluster[2,1,1024]", 0),
        ("spark://a:7077", 0),
        ("yarn", 0),
    ],
)
def test_cores_of_a_master(master: str, cores: int) -> None:
    assert local_cores(master) == cores


def test_shuffle_partitions_follow_the_cores_and_the_configuration() -> None:
    two = Config(spark=SparkConfig(master="local[2]"))
    name = "spark.sql.shuffle.partitions"
    assert session_settings(two, Work.SMALL)[name] == "2"
    assert session_settings(two)[name] == "8"
    assert session_settings(Config(spark=SparkConfig(shuffle_partitions=5)))[name] == "5"
    assert name not in session_settings(Config(spark=SparkConfig(master="yarn")))


def test_settings_of_the_user_win_and_java_options_are_joined() -> None:
    extra = {
        "spark.ui.enabled": "true",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.driver.extraJavaOptions": "-Da=b",
    }
    config = Config(spark=SparkConfig(master="local[2]", extra=extra))
    settings = session_settings(config) | local_settings(config, (Path("/j/a.jar"), Path("/j/b.jar")), ["-Dx=y"])
    assert settings["spark.ui.enabled"] == "true"
    assert settings["spark.sql.session.timeZone"] == "Asia/Tokyo"
    assert settings["spark.driver.extraJavaOptions"] == "-Dx=y -Da=b"
    assert settings["spark.driver.extraClassPath"] == "/j/a.jar:/j/b.jar"


def test_a_cluster_is_sent_the_jars() -> None:
    config = Config(spark=SparkConfig(master="spark://a:7077"))
    settings = cluster_settings(config, (Path("/j/a.jar"), Path("/j/b.jar")), [])
    assert settings["spark.jars"] == "/j/a.jar,/j/b.jar"
    assert "spark.driver.extraClassPath" not in settings
    assert settings["spark.executor.extraJavaOptions"].split() == list(Work.LARGE.value)


def test_only_small_inputs_get_the_quick_compiler() -> None:
    brief, small, large = (
        java_options(Config(), work, log_level="error", log_file=Path("/l.properties"), archive=None) for work in Work
    )
    assert ("-XX:NewRatio=1" in brief, "-XX:NewRatio=1" in small, "-XX:NewRatio=1" in large) == (True, True, False)
    assert set(brief) ^ set(small) == {*Work.BRIEF.value, *Work.SMALL.value}
    assert not {*Work.BRIEF.value, *Work.SMALL.value} & set(large)


def test_an_archive_counts_only_in_its_whole_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jars = fetch_jars(Config())
    monkeypatch.setenv("TXN_FORENSICS_CACHE", str(tmp_path))
    archive = tmp_path / "start" / f"{start_archive._key(jars)}-1000.jsa"
    archive.parent.mkdir()
    archive.write_bytes(b"x" * 999)
    assert find_archive(jars) is None
    archive.write_bytes(b"x" * 1000)
    assert find_archive(jars) == archive
    assert make_archive(jars) == archive


def test_a_session_starts_in_spite_of_an_archive_that_is_none(tmp_path: Path) -> None:
    jars = fetch_jars(Config())
    archive = tmp_path / "start" / f"{start_archive._key(jars)}-1000.jsa"
    archive.parent.mkdir()
    archive.write_bytes(b"x" * 1000)
    code = "from analyzer.config import Config\nfrom analyzer.storage.session import build_session\n"
    code += "from analyzer.storage.settings import Work\n"
    code += "print(build_session(Config(), Work.BRIEF)[0].range(3).count())"
    environment = {
        "TXN_FORENSICS_CACHE": str(tmp_path),
        "TXN_FORENSICS_JARS": str(jars.folder),
        "PYTHONPATH": str(ROOT),
    }
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=120,
    )
    assert (ran.stdout, ran.stderr) == ("3\n", "")


def test_starting_spark_leaves_ctrl_c_to_whom_it_belonged(spark):
    handler = signal.getsignal(signal.SIGINT)
    assert not getattr(handler, "__module__", "").startswith("pyspark"), handler
