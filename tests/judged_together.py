"""Captures of many test files judged in few analyses: what a small capture costs is the planning, not its rows."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.errors import InputError
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import Capture, scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

Captures = Mapping[str, "Mapping[str, str | bytes] | Path"]
"""The files of each capture, by its name; or the folder in which they lie already."""
Asking = Callable[..., Captures]
Document = dict[str, Any]
Documents = dict[str, Document]

ASKED: list[Asking] = []
TOGETHER = 80
"""Captures of real brokers that one analysis judges; of those written by hand it judges all."""
UNUSABLE: Document = {
    "verdict": "unusable", "findings": [], "open_transactions": [], "partitions": [], "coverage": {}, "expiry": [],
}  # fmt: skip


def judged_together(captures: Asking) -> Any:
    """Make a fixture of a function that returns captures: it gives their documents, by the same names.

    The function may take `root`, an empty folder of its own, the `lab`, and whether to `soak`. Captures that the tests
    of this session ask for, of whatever file, are judged together; there a capture's name has that of its test file
    before it. A test that asks for such a fixture only while it runs has to name it in `usefixtures`, too.
    """
    ASKED.append(captures)

    @pytest.fixture(scope="module", name=captures.__name__)
    def documents(documents_of_all: Mapping[Asking, Documents]) -> Documents:
        return documents_of_all[captures]

    return documents


def judge_all(request: pytest.FixtureRequest, folder: Path) -> dict[Asking, Documents]:
    """Judge the captures that the tests of this session ask for."""
    fixtures = [(item.module.__name__, item.fixturenames) for item in request.session.items]
    wanted = {(module, name) for module, names in fixtures for name in names}
    documents: dict[Asking, Documents] = {}
    by_hand: dict[tuple[Asking, str], Path] = {}
    of_brokers: dict[tuple[Asking, str], Path] = {}
    for number, asking in enumerate(one for one in ASKED if (one.__module__, one.__name__) in wanted):
        root = folder / str(number)
        root.mkdir()
        takes = inspect.signature(asking).parameters
        given = asking(**{name: root if name == "root" else request.getfixturevalue(name) for name in takes})
        documents[asking] = {}
        for name, files in given.items():
            where = files if isinstance(files, Path) else written(files, root / name)
            (of_brokers if "lab" in takes else by_hand)[asking, name] = where
    spark = request.getfixturevalue("spark")
    for kind, folders, together in (("hand", by_hand, len(by_hand)), ("brokers", of_brokers, TOGETHER)):
        named = {f"{one.__module__.rpartition('.')[2]} {one.__name__} {name}": (one, name) for one, name in folders}
        paths = {told: folders[key] for told, key in named.items()}
        for told, document in judged(spark, paths, folder / kind, together).items():
            asking, name = named[told]
            documents[asking][name] = document
    return documents


def judged(spark: SparkSession, folders: Mapping[str, Path], scratch: Path, together: int = TOGETHER) -> Documents:
    """Return the document of each folder, by its name; what has nothing to read is `unusable`."""
    documents: Documents = {}
    for start in range(0, len(folders), together or 1):
        part = list(folders.items())[start : start + together]
        case = Case(spark, str(scratch / f"case-{start}"))
        captures = [capture for name, folder in part if (capture := _scanned(name, folder))]
        ingest(case, captures)
        found = analyze(case, [capture.name for capture in captures], Config()) if captures else []
        documents |= {name: dict(UNUSABLE) for name, _ in part}
        documents |= {document["capture"]["name"]: document for document in found}
    return documents


def _scanned(name: str, folder: Path) -> Capture | None:
    try:
        return scan_capture(CaptureRequest((str(folder),), name))
    except InputError:
        return None


def written(files: Mapping[str, str | bytes], folder: Path) -> Path:
    """Write the files of a capture into its folder."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
