"""The corpus judged once: every scenario's text dumps as captures of one case, in one analysis."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A real cluster's files: where they lie, what happened (truth.json), and what we said."""

    name: str
    folder: Path
    truth: dict[str, Any]
    document: dict[str, Any]

    @property
    def dumps(self) -> Path:
        """Where the text dumps are."""
        return self.folder / "dumps"

    def expected(self) -> list[dict[str, Any]]:
        """Return what an expert should find."""
        return list(self.truth.get("expected_findings", []))


@pytest.fixture(scope="session")
def dumps_case(lab: Path, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A case with every scenario's text dumps, a capture each, by the scenario's name."""
    folders = sorted(path.parent for path in (lab / "dev").glob("*/dumps"))
    captures = [scan_capture(CaptureRequest((str(folder / "dumps"),), folder.name)) for folder in folders]
    case = Case(spark, str(tmp_path_factory.mktemp("lab") / "case"))
    ingest(case, captures)
    return case


@pytest.fixture(scope="session")
def scenarios(lab: Path, dumps_case: Case) -> dict[str, Scenario]:
    folders = sorted(path.parent for path in (lab / "dev").glob("*/dumps"))
    documents = analyze(dumps_case, [folder.name for folder in folders], Config())
    return {
        folder.name: Scenario(folder.name, folder, json.loads((folder / "truth.json").read_text()), document)
        for folder, document in zip(folders, documents, strict=True)
    }
