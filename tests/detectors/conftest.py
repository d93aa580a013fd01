"""What the tests of the detectors share: all examples and simulated histories, judged as captures of one case."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from captures import simulated
from judged_captures import documents_of
from pages import examples


@pytest.fixture(scope="session")
def root(tmp_path_factory) -> Path:
    """The folder that holds a folder of files for each capture."""
    return tmp_path_factory.mktemp("captures")


@pytest.fixture(scope="session")
def judged(spark, root, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """The document of every capture, by name: one ingest and one analysis of them all."""
    files = {example.name: example.files for example in examples()} | {one.name: one.files for one in simulated()}
    return documents_of(spark, root, files, tmp_path_factory.mktemp("detectors") / "case")
