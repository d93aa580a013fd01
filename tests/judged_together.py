"""Captures of many test files judged in one analysis: what a small capture costs is the planning, not its rows."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

Captures = Mapping[str, "Mapping[str, str | bytes] | Path"]
"""The files of each capture, by its name; or the folder in which they lie already."""
Asking = Callable[..., Captures]
Documents = dict[str, dict[str, Any]]

ASKED: list[Asking] = []


def judged_together(captures: Asking) -> Any:
    """Make a fixture of a function that returns captures: it gives their documents, by the same names.

    The function may take `root`, an empty folder of its own. All captures that the tests of this session ask for,
    of whatever file, are judged in one case; in it a capture's name has that of its test file before it.
    """
    ASKED.append(captures)

    @pytest.fixture(scope="module", name=captures.__name__)
    def documents(documents_of_all: Mapping[Asking, Documents]) -> Documents:
        return documents_of_all[captures]

    return documents


def judge_all(spark: SparkSession, folder: Path, items: list[pytest.Item]) -> dict[Asking, Documents]:
    """Judge the captures that these tests ask for."""
    wanted = {(item.module.__name__, name) for item in items for name in getattr(item, "fixturenames", ())}
    asked = [one for one in ASKED if (one.__module__, one.__name__) in wanted]
    folders: dict[str, tuple[Asking, str, Path]] = {}
    for number, one in enumerate(asked):
        root = folder / str(number)
        root.mkdir()
        given = one(root) if inspect.signature(one).parameters else one()
        for name, files in given.items():
            where = files if isinstance(files, Path) else written(files, root / name)
            folders[f"{one.__module__.rpartition('.')[2]} {one.__name__} {name}"] = (one, name, where)
    case = Case(spark, str(folder / "case"))
    ingest(case, [scan_capture(CaptureRequest((str(where),), name)) for name, (_, _, where) in folders.items()])
    documents: dict[Asking, Documents] = {one: {} for one in asked}
    for (one, name, _), document in zip(folders.values(), analyze(case, list(folders), Config()), strict=True):
        documents[one][name] = document
    return documents


def written(files: Mapping[str, str | bytes], folder: Path) -> Path:
    """Write the files of a capture into its folder."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
