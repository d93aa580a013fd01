"""The spark-submit command: what stands in it, and that Spark runs it with the package, the jars and the settings."""

import itertools
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.config import Config, SparkConfig
from analyzer.storage.jvm.jars import fetch_jars
from analyzer.storage.settings import Work
from analyzer.submit import build_submit_command

JOB = """
import sys
from analyzer.config import Config
from analyzer.storage.session import build_session
spark, owned = build_session(Config())
spark.range(7).write.format("delta").save(sys.argv[1])
rows = spark.read.format("delta").load(sys.argv[1]).count()
import analyzer
zone, partitions = spark.conf.get("spark.sql.session.timeZone"), spark.conf.get("spark.sql.shuffle.partitions")
print("ran", owned, rows, zone, partitions, spark.conf.get("spark.executor.cores"), "analyzer.zip" in analyzer.__file__)
"""


def test_spark_runs_the_command(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(JOB, encoding="utf-8")
    config = Config(
        spark=SparkConfig(
            master="local[2]", driver_memory="1g", shuffle_partitions=3, extra={"spark.executor.cores": "2"}
        )
    )
    command = build_submit_command(config, [str(tmp_path / "table")], script=job)
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.splitlines()[-1] == "ran True 7 UTC 3 2 True"


def test_the_arguments_stand_after_the_job() -> None:
    config = Config(spark=SparkConfig(master="spark://head:7077", extra={"spark.executor.memory": "4g"}))
    command = build_submit_command(config, ["run", "a b", "--format", "json"])
    assert command[-3:] == ["a b", "--format", "json"]
    assert Path(command[-4]).parts[-3:] == ("analyzer", "jobs", "run.py")
    assert command[1:7] == ["--master", "spark://head:7077", "--name", "txn-forensics", "--driver-memory", "2g"]
    settings = [value for flag, value in itertools.pairwise(command) if flag == "--conf"]
    assert "spark.executor.memory=4g" in settings
    assert f"spark.pyspark.driver.python={sys.executable}" in settings
    assert command[command.index("--jars") + 1].split(",") == [str(path) for path in fetch_jars(config).files]


@pytest.mark.parametrize(("master", "of_executors"), [("spark://head:7077", True), ("local[2]", False)])
def test_java_options_of_the_user_stand_last(master: str, of_executors: bool) -> None:
    names = [f"spark.{role}.extraJavaOptions" for role in ("driver", "executor")]
    config = Config(spark=SparkConfig(master=master, extra=dict.fromkeys(names, "-Da=b")))
    settings = dict(one.split("=", 1) for one in build_submit_command(config, ["report"]) if one.startswith("spark."))
    ours = set(Work.LARGE.value)
    assert [ours <= set(settings[name].split()) for name in names] == [True, of_executors]
    assert {settings[name].split()[-1] for name in names} == {"-Da=b"}


def test_a_command_without_a_script_of_its_own_is_named_to_the_general_one() -> None:
    command = build_submit_command(Config(), ["expand", "clicks"])
    assert Path(command[-3]).name == "command.py"
    assert command[-2:] == ["expand", "clicks"]


def test_dry_run_prints_what_a_shell_runs(tmp_path: Path) -> None:
    asked = ["submit", "--dry-run", "--", "run", "a b; rm $HOME", "--case", str(tmp_path)]
    ran = subprocess.run([sys.executable, "-m", "analyzer", *asked], capture_output=True, text=True, check=True)
    words = shlex.split(ran.stdout)
    assert words[-3:] == ["a b; rm $HOME", "--case", str(tmp_path)]
    assert Path(words[0]).name == "spark-submit"
    assert all(Path(file).is_file() for file in words[words.index("--py-files") + 1].split(","))
