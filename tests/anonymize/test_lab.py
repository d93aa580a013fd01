"""Copies of real captures give the same reports under other names, and hold no name, key or payload any more.

A sample in CI; with `--soak` (make anonymized) every scenario of the corpus, dumps and raw files.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from copies import Copy, comparable, contents_of, copy_of, found, secrets_in
from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

SAMPLE = ("data_expansion", "late_write", "legacy_formats")
WORD_FOR_WORD = ("legacy_formats", "normal_mix")
"""Scenarios whose reports choose nothing by the order of names."""
VARIANTS = ("dumps", "logdir")


@pytest.fixture(scope="module")
def copies(lab: Path, soak: bool, tmp_path_factory: pytest.TempPathFactory) -> list[Copy]:
    target = tmp_path_factory.mktemp("copies")
    names = sorted(path.name for path in (lab / "dev").iterdir()) if soak else SAMPLE
    folders = [lab / "dev" / name / variant for name in names for variant in VARIANTS]
    folders = [*filter(Path.is_dir, folders), *(sorted((lab / "dev").glob("S16*/cases/*/")) if soak else ())]
    named = {f"{folder.parent.name}-{folder.name}": folder for folder in folders}
    return [copy_of(name, folder, target / name) for name, folder in named.items()]


@pytest.fixture(scope="module")
def documents(copies: list[Copy], spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The reports of all originals and copies by name."""
    folders = {f"{copy.name} {kind}": folder for copy in copies
               for kind, folder in (("old", copy.original), ("new", copy.folder))}  # fmt: skip
    case = Case(spark, str(tmp_path_factory.mktemp("case") / "case"))
    ingest(case, [scan_capture(CaptureRequest((str(folder),), name)) for name, folder in folders.items()])
    read = analyze(case, list(folders), Config())
    return dict(zip(folders, read, strict=True))


def test_every_file_is_in_the_copy(copies: list[Copy]):
    for copy in copies:
        files = {str(path.relative_to(copy.original)) for path in copy.original.rglob("*") if path.is_file()}
        left_out = {name for name, why in copy.done.left_out if why}
        assert copy.done.paths.keys() | left_out == files, copy.name
        assert not left_out or copy.original.parent.name == "cases", "only damaged input has files that nobody can read"


def of_no_choice(told: dict[str, Any]) -> dict[str, Any]:
    """What is found, whichever of several equally damaged copies was chosen: the first by name."""
    rows = [{key: one[key] for key in one.keys() - {"authority"}} for one in told["partitions"]]
    return told | {"partitions": comparable(rows)}


def test_the_copy_gives_the_same_findings(copies: list[Copy], documents: dict[str, Any]):
    for copy in copies:
        old, new = (documents[f"{copy.name} {kind}"] for kind in ("old", "new"))
        told, wanted = found(copy.restored(new)), found(old)
        if copy.done.left_out:
            assert told.pop("unparsed") <= wanted.pop("unparsed"), copy.name
        if copy.original.parent.name == "cases":
            told, wanted = of_no_choice(told), of_no_choice(wanted)
        assert told == wanted, copy.name


def test_most_reports_are_the_same_word_for_word(copies: list[Copy], documents: dict[str, Any]):
    reports = {copy.name: [documents[f"{copy.name} {kind}"] for kind in ("old", "new")] for copy in copies}
    same = {copy.name for copy in copies
            if comparable(copy.restored(reports[copy.name][1])) == comparable(reports[copy.name][0])}  # fmt: skip
    print(f"{len(same)} of {len(copies)} reports are the same word for word")  # noqa: T201 - with -s: a figure
    assert same >= {name for name in reports if name.startswith(WORD_FOR_WORD)}


def test_no_name_key_or_payload_is_left(copies: list[Copy], lab: Path):
    for copy in copies:
        secrets = copy.names() | secrets_in(copy.original.parent / "logdir")
        text = b"\0".join(contents_of(copy.folder))
        assert not [secret for secret in secrets if secret in text], copy.name
