"""The documents of Sail, and of Spark through Connect, are Spark's, finding by finding, line by line."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from judged_together import judged

from analyzer.config import Config
from analyzer.storage.jvm.jars import fetch_jars

JUDGE = """
import json, os, sys
from pyspark.sql import SparkSession
from analyzer.config import Config, SparkConfig
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.session import build_session

case_folder, out, folders = sys.argv[1:]
if "JARS" in os.environ:
    remote = SparkSession.builder.remote("local[2]").config("spark.jars", os.environ["JARS"])
    remote = remote.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    remote = remote.config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    assert "connect" in type(remote.config("spark.sql.shuffle.partitions", "1").getOrCreate()).__module__
config = Config(spark=SparkConfig(engine="sail", master="local[2]"))
captures = [scan_capture(CaptureRequest((folder,), name)) for name, folder in json.loads(folders).items()]
spark, owned = build_session(config)
assert owned != ("JARS" in os.environ)
case = Case(spark, case_folder)
ingest(case, captures)
documents = analyze(case, [capture.name for capture in captures], config)
with open(out, "w", encoding="utf-8") as stream:
    stream.writelines(json.dumps(document) + "\\n" for document in documents)
spark.stop()
"""
DUMPS = (
    "S14_prepare_stuck_down", "S15_clean_compaction_mid", "S5_kafka13727_3_after_pass2", "S8_marker_lost",
    "S8b_truncation", "S8c_slipped_after_lost_marker", "concurrent_group_producers", "coordinator_expansion_mid",
    "data_expansion", "group_commit_hang_json", "in_flight", "late_write", "legacy_formats", "pid_hijack", "snapshot_only",
)  # fmt: skip
"""Scenarios whose dumps are judged by both engines; all of them with --soak, and with `make engines`."""
RAW = ("S5r_reassigned_replica", "S8_marker_lost", "concurrent_group_producers", "coordinator_expansion_mid")
"""Scenarios whose raw files are, too."""
THROUGH_CONNECT = ("late_write", "concurrent_group_producers raw", "coordinator_expansion_mid", "damaged")
BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""A server for four captures does not live long enough for the second compiler."""


@pytest.fixture(scope="module")
def folders(lab, soak, tmp_path_factory) -> dict[str, Path]:
    """The folders of captures by name: dumps, and log dirs, of which one is damaged."""
    found = {
        path.parent.name: path for path in sorted((lab / "dev").glob("*/dumps")) if soak or path.parent.name in DUMPS
    }
    assert found.keys() >= set(DUMPS)
    whole = lab / "dev" / "late_write" / "logdir"
    raw = {f"{name} raw": lab / "dev" / name / "logdir" for name in RAW}
    return found | raw | {"damaged": damaged(whole, tmp_path_factory.mktemp("damaged") / "logdir")}


@pytest.fixture(scope="module")
def on_sail(folders, tmp_path_factory) -> dict[str, dict]:
    """Their documents, computed by Sail in a process of its own."""
    return judged_apart(folders, tmp_path_factory.mktemp("sail"), {})


def judged_apart(folders: dict[str, Path], scratch: Path, settings: dict[str, str]) -> dict[str, dict]:
    out = scratch / "documents.jsonl"
    given = json.dumps({name: str(folder) for name, folder in folders.items()})
    command = [sys.executable, "-c", JUDGE, str(scratch / "case"), str(out), given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env=os.environ | settings)
    assert done.returncode == 0, done.stderr
    documents = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return {document["capture"]["name"]: document for document in documents}


def comparable(document: dict) -> dict:
    """Return the document as JSON gives it back, without where the case lies and what computed it."""
    whole = json.loads(json.dumps(document).replace(document["case"], "CASE"))
    assert whole["coverage"].pop("engine").split()[0] in {"Spark", "Sail"}
    del whole["case"]
    return whole


def test_sail_gives_the_documents_that_spark_gives(folders, spark, on_sail, tmp_path):
    on_spark = judged(spark, folders, tmp_path)
    assert on_sail.keys() == on_spark.keys() == folders.keys()
    for name, document in on_spark.items():
        assert document["coverage"]["engine"].startswith("Spark ")
        assert on_sail[name]["coverage"]["engine"].startswith("Sail ")
        assert comparable(on_sail[name]) == comparable(document), name


def test_a_connect_session_gives_the_documents_that_spark_gives(folders, on_sail, tmp_path):
    """Spark is behind a Connect session that was there before, as on serverless compute."""
    jars = ",".join(map(str, fetch_jars(Config()).files))
    settings = {"JARS": jars, "SPARK_REMOTE": "local[2]", "PYSPARK_PYTHON": sys.executable, "JDK_JAVA_OPTIONS": BRIEF}
    documents = judged_apart({name: folders[name] for name in THROUGH_CONNECT}, tmp_path, settings)
    assert documents.keys() == set(THROUGH_CONNECT)
    for name, document in documents.items():
        assert document["coverage"]["engine"].startswith("Spark ")
        assert comparable(document) == comparable(on_sail[name]), name


def damaged(source: Path, target: Path) -> Path:
    """Return a copy of a log dir with bytes flipped in every segment, and the end of every third cut off."""
    shutil.copytree(source, target)
    chance = random.Random(7)
    for number, path in enumerate(sorted(target.rglob("*.log"))):
        content = bytearray(path.read_bytes())
        for _ in range(min(3, len(content))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content[: len(content) * 2 // 3] if number % 3 == 0 else content)
    return target
