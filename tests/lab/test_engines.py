"""Every scenario on Sail, some through Spark Connect: the documents are Spark's, finding by finding, line by line."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
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

case_folder, out, *folders = sys.argv[1:]
if "JARS" in os.environ:
    remote = SparkSession.builder.remote("local[2]").config("spark.jars", os.environ["JARS"])
    remote = remote.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    remote = remote.config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    assert "connect" in type(remote.config("spark.sql.shuffle.partitions", "1").getOrCreate()).__module__
config = Config(spark=SparkConfig(engine="sail", master="local[2]"))
captures = [scan_capture(CaptureRequest((folder,), folder.split("/")[-2])) for folder in folders]
spark, owned = build_session(config)
assert owned != ("JARS" in os.environ)
case = Case(spark, case_folder)
ingest(case, captures)
documents = analyze(case, [capture.name for capture in captures], config)
with open(out, "w", encoding="utf-8") as stream:
    stream.writelines(json.dumps(document) + "\\n" for document in documents)
spark.stop()
"""
RAW = ("S5r_reassigned_replica", "S8_marker_lost", "concurrent_group_producers", "coordinator_expansion_mid")
"""Scenarios whose raw files are judged on Sail too; `make engines` compares them all."""

THROUGH_CONNECT = ("late_write", "concurrent_group_producers", "coordinator_expansion_mid")


def judged_on_sail(folders: list[Path], scratch: Path) -> dict[str, dict]:
    """Return the documents of these folders by scenario, computed by Sail in a process of its own."""
    return judged(folders, scratch, {})


def judged_through_connect(folders: list[Path], scratch: Path) -> dict[str, dict]:
    """Return the same, computed by Spark behind a Connect session that was there before, as on serverless compute."""
    jars = ",".join(map(str, fetch_jars(Config()).files))
    return judged(folders, scratch, {"JARS": jars, "SPARK_REMOTE": "local[2]", "PYSPARK_PYTHON": sys.executable})


def judged(folders: list[Path], scratch: Path, settings: dict[str, str]) -> dict[str, dict]:
    out = scratch / "documents.jsonl"
    command = [sys.executable, "-c", JUDGE, str(scratch / "case"), str(out), *map(str, folders)]
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


def test_text_dumps_give_the_documents_that_spark_gives(scenarios, tmp_path):
    sail = judged_on_sail([scenario.dumps for scenario in scenarios.values()], tmp_path)
    assert sail.keys() == scenarios.keys()
    for name, scenario in scenarios.items():
        assert sail[name]["coverage"]["engine"].startswith("Sail ")
        assert comparable(sail[name]) == comparable(scenario.document), name


def test_a_connect_session_gives_the_documents_that_spark_gives(scenarios, tmp_path):
    few = {name: scenarios[name] for name in THROUGH_CONNECT}
    documents = judged_through_connect([scenario.dumps for scenario in few.values()], tmp_path)
    for name, scenario in few.items():
        assert documents[name]["coverage"]["engine"].startswith("Spark ")
        assert comparable(documents[name]) == comparable(scenario.document), name


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


def test_raw_files_give_the_documents_that_spark_gives(lab, spark, tmp_path):
    folders = [lab / "dev" / name / "logdir" for name in RAW]
    folders.append(damaged(lab / "dev" / "late_write" / "logdir", tmp_path / "damaged" / "logdir"))
    captures = [scan_capture(CaptureRequest((str(folder),), folder.parent.name)) for folder in folders]
    case = Case(spark, str(tmp_path / "spark"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    sail = judged_on_sail(folders, tmp_path)
    for document in documents:
        name = document["capture"]["name"]
        assert comparable(sail[name]) == comparable(document), name
