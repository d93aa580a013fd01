"""A case on Sail: who gets it, what a crash leaves, a second writer, and a machine without Java."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.config import Config, SparkConfig
from analyzer.errors import ConfigError, EnvironmentFault
from analyzer.storage.engines.choice import choose_engine
from analyzer.storage.lock import only_writer

DIES_BEFORE_THE_CATALOG = """
import os, sys, threading, time
from pathlib import Path
from analyzer.cli import main

def kill_once_facts_are_there():
    while not (Path(sys.argv[-1]) / "facts" / "_delta_log").exists():
        time.sleep(0.001)
    os.kill(os.getpid(), 9)

threading.Thread(target=kill_once_facts_are_there, daemon=True).start()
main()
"""


def command(*arguments: str | Path, code: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    """Run `txn-forensics ARGUMENTS` in a process of its own, or this code with them."""
    start = ["-c", code] if code else ["-m", "analyzer"]
    return subprocess.run(
        [sys.executable, *start, *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=300, env=env,
    )  # fmt: skip


@pytest.fixture(scope="module")
def late_write(lab: Path) -> Path:
    return lab / "dev" / "late_write" / "dumps"


def judged(outcome: subprocess.CompletedProcess) -> dict:
    assert outcome.returncode == 1, outcome.stderr
    document = json.loads(outcome.stdout)
    return json.loads(outcome.stdout.replace(document["case"], "CASE"))


def test_what_a_crash_leaves_is_read_again(late_write, tmp_path):
    case = tmp_path / "killed"
    arguments = ("--engine", "sail", "--quiet", "--format", "json", "--case")
    dead = command("ingest", late_write, "--engine", "sail", "--case", case, code=DIES_BEFORE_THE_CATALOG)
    assert dead.returncode == -signal.SIGKILL
    assert (case / "facts" / "_delta_log").exists()
    again = judged(command("run", late_write, *arguments, case))
    assert again == judged(command("run", late_write, *arguments, tmp_path / "whole"))
    assert again["findings"]


def test_a_case_has_one_writer(late_write, tmp_path):
    with only_writer(tmp_path / "case"):
        outcome = command("run", late_write, "--engine", "sail", "--quiet", "--case", tmp_path / "case")
    assert outcome.returncode == 2
    assert "another run is writing to the case" in outcome.stderr


def test_no_java_is_needed(tmp_path):
    env = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    outcome = command("doctor", "--engine", "sail", env=env)
    assert outcome.returncode == 0, outcome.stdout
    assert "not needed on Sail" in outcome.stdout
    assert "wrote 10 rows and read 10 with Sail" in outcome.stdout


def wanting(engine: str, **others: object) -> Config:
    return Config(spark=dataclasses.replace(SparkConfig(), engine=engine, **others))


def test_auto_takes_sail_for_small_input_in_a_folder_only(tmp_path, monkeypatch):
    monkeypatch.setattr("analyzer.storage.engines.choice.is_started", lambda: False)
    folder = str(tmp_path / "case")

    def chosen(config: Config, location: str, size: int | None) -> str:
        return choose_engine(config, location, size).spark.engine

    auto = wanting("auto", sail_limit_mb=1)
    assert chosen(auto, folder, 1_000_000) == "sail"
    assert chosen(auto, folder, None) == "sail"
    assert chosen(auto, folder, 1_000_001) == "spark"
    assert chosen(auto, "schema:incidents", 1) == "spark"
    assert chosen(auto, "s3://bucket/case", 1) == "spark"
    assert chosen(auto, str(tmp_path / "case[7]"), 1) == "spark"
    assert chosen(wanting("auto", master="spark://head:7077"), folder, 1) == "spark"
    assert chosen(wanting("spark"), folder, 1) == "spark"
    assert chosen(wanting("sail", sail_limit_mb=1), folder, 1 << 40) == "sail"


def test_auto_leaves_a_session_that_is_there_to_spark(spark, tmp_path):
    assert choose_engine(wanting("auto"), str(tmp_path), 1).spark.engine == "spark"


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(EnvironmentFault, match="sail cannot keep a case at schema:incidents"):
        choose_engine(wanting("sail"), "schema:incidents", 1)
    with pytest.raises(ConfigError, match="engine = 'flink'"):
        choose_engine(wanting("flink"), str(tmp_path), 1)
