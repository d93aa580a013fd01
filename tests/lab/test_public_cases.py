"""What people posted of stuck transactions, as they had it: each case's true answer, and no other accusation."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from judged_together import Document, judged_together
from judging import agree, false_accusations

CASES = Path(__file__).parent.parent / "cases.tar.xz"
"""Reports from public places, reduced to their evidence, with names replaced; each truth.json names its source."""


def unpacked(folder: Path) -> dict[str, Path]:
    with tarfile.open(CASES) as archive:
        archive.extractall(folder, filter="data")
    return {path.parent.name: path.parent for path in sorted(folder.glob("cases/*/truth.json"))}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return unpacked(tmp_path_factory.mktemp("public"))


@judged_together
def documents(root: Path) -> dict[str, Path]:
    return {name: path / "dumps" for name, path in unpacked(root).items()}


@pytest.fixture(scope="module")
def truths(cases: dict[str, Path]) -> dict[str, dict[str, Any]]:
    return {name: json.loads((path / "truth.json").read_text()) for name, path in cases.items()}


def is_told(expected: dict[str, Any], document: Document) -> bool:
    """Whether a finding, or the verdict on an open transaction, is the expected one."""
    names = {expected["kind"], *expected.get("accept", [])}
    rows = [(row["name"], row) for row in document["findings"]]
    rows += [(row["verdict"], row) for row in document["open_transactions"]]
    about = ("topic", "partition", "producer_id", "transactional_id")
    return any(name in names and agree(expected, row, about) for name, row in rows)


def test_every_case_is_here(truths):
    assert len(truths) == 18
    assert sum(len(truth["expected_findings"]) for truth in truths.values()) == 11


def test_what_was_true_is_told(documents, truths):
    missing = {
        name: [one["kind"] for one in truth["expected_findings"] if not is_told(one, documents[name])]
        for name, truth in truths.items()
    }
    assert {name: kinds for name, kinds in missing.items() if kinds} == {}


def test_nothing_else_is_accused(documents, truths):
    accused = {name: false_accusations(documents[name], truth) for name, truth in truths.items()}
    assert {name: headlines for name, headlines in accused.items() if headlines} == {}
    for name, truth in truths.items():
        assert {row["name"] for row in documents[name]["findings"]} & set(truth["not_expected"]) == set(), name


def test_what_hangs_is_never_clean(documents, truths):
    assert {
        name
        for name, truth in truths.items()
        if truth.get("must_not_be_clean") and documents[name]["verdict"] == "clean"
    } == set()
    assert {documents[name]["verdict"] for name in truths} <= {"clean", "findings", "inconclusive"}
