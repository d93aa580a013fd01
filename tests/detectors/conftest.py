"""What the tests of the detectors share: all examples and simulated histories, judged as captures of one case."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from captures import simulated
from pages import examples
from writing import write

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


@pytest.fixture(scope="session")
def root(tmp_path_factory) -> Path:
    """The folder that holds a folder of files for each capture."""
    return tmp_path_factory.mktemp("captures")


@pytest.fixture(scope="session")
def judged(spark, root, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """The document of every capture, by name: one ingest and one analysis of them all."""
    files = {example.name: example.files for example in examples()} | {one.name: one.files for one in simulated()}
    captures = [scan_capture(CaptureRequest((str(write(texts, root / name)),), name)) for name, texts in files.items()]
    case = Case(spark, str(tmp_path_factory.mktemp("detectors") / "case"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    return {document["capture"]["name"]: document for document in documents}
