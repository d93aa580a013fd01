"""What the tests of look-ups share: every scenario of the lab as dumps and as a log dir in one case, and how to ask it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from analyzer.config import Config
from analyzer.lookups.asking import Asking, asking
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.reading.tables import tables_of_folder


@pytest.fixture(scope="session")
def folders(lab: Path) -> dict[str, Path]:
    """Every scenario's dumps and log dir, by the name of their capture."""
    found = [*(lab / "dev").glob("*/dumps"), *(lab / "dev").glob("*/logdir")]
    return {f"{path.parent.name}/{path.name}": path for path in sorted(found)}


@pytest.fixture(scope="session")
def lab_case(folders, spark, tmp_path_factory) -> str:
    """Where a case lies that holds all of them, analyzed."""
    location = str(tmp_path_factory.mktemp("lookups") / "case")
    captures = [scan_capture(CaptureRequest((str(path),), name)) for name, path in folders.items()]
    case = Case(spark, location)
    ingest(case, captures)
    analyze(case, list(folders), Config())
    return location


@pytest.fixture(scope="session")
def ask(lab_case) -> Callable[[str], Asking]:
    """A function: the name of a capture in, how to ask it out; it needs no session."""
    read = tables_of_folder(lab_case)
    return lambda name: asking(read, name, lab_case)
