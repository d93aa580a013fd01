"""Evidence that is missing accuses nobody, calms nobody, and does not hide that a transaction hangs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from ablations import ABLATIONS, TEXT_ONLY, altered
from judging import Document, Row, called_clean, false_accusations, hangs, judged, named
from less_evidence import surer

SHOWN = ("normal_mix", "in_flight", "late_write", "S8_marker_lost", "coordinator_expansion_mid", "group_commit_hang")
"""The scenarios that are judged without --soak."""
WHOLE = "whole"
UNPROVEN: dict[str, set[tuple[str, int, int]]] = {}
"""Hangs by scenario that no file proves once the coordinator is compacted: the partition's copy shows no newer moment."""
Key = tuple[str, str, str]
"""Scenario, form, and what was taken away."""


@pytest.fixture(scope="module")
def wanted(lab: Path, soak: bool) -> dict[str, Row]:
    """What happened in each scenario that is judged, by name."""
    every = sorted(path.parent for path in (lab / "dev").glob("*/truth.json") if (path.parent / "logdir").is_dir())
    return {one.name: json.loads((one / "truth.json").read_text()) for one in every if soak or one.name in SHOWN}


@pytest.fixture(scope="module")
def missing(spark, lab, wanted, tmp_path_factory) -> dict[Key, Document]:
    """The document of each scenario, in each form, whole and with each kind of evidence taken away."""
    root = tmp_path_factory.mktemp("missing")
    folders = dict(_folders(lab / "dev", list(wanted), root / "files"))
    documents = judged(spark, {"|".join(key): folder for key, folder in folders.items()}, root)
    return {key: documents["|".join(key)] for key in folders}


def _folders(dev: Path, names: list[str], root: Path) -> Iterator[tuple[Key, Path]]:
    for name in names:
        for form in ("dumps", "logdir"):
            files = dev / name / form
            if files.is_dir():
                yield (name, form, WHOLE), files
                for kind, alter in ABLATIONS.items():
                    if form == "dumps" or kind not in TEXT_ONLY:
                        yield (name, form, kind), altered(files, root / name / form / kind, alter)


def of_kind(missing: dict[Key, Document], kind: str) -> Iterator[tuple[Key, Document]]:
    for key, document in missing.items():
        if key[2] == kind:
            yield key, document


every_kind = pytest.mark.parametrize("kind", ABLATIONS)


@every_kind
def test_nobody_is_accused_who_did_nothing(missing, wanted, kind):
    false = {key: false_accusations(document, wanted[key[0]]) for key, document in of_kind(missing, kind)}
    assert {key: headlines for key, headlines in false.items() if headlines} == {}


@every_kind
def test_nothing_broken_is_called_clean(missing, wanted, kind):
    assert [key for key, document in of_kind(missing, kind) if called_clean(document, wanted[key[0]])] == []


@every_kind
def test_no_verdict_gets_surer(missing, kind):
    wrong = {key: surer(document, missing[*key[:2], WHOLE]) for key, document in of_kind(missing, kind)}
    assert {key: said for key, said in wrong.items() if said} == {}


def test_hangs_are_named_though_the_coordinator_is_compacted(missing, wanted):
    for key, document in of_kind(missing, "compacted"):
        silent = hangs(wanted[key[0]]) - named(document)
        assert silent <= UNPROVEN.get(key[0], set()), key


@pytest.mark.parametrize("kind", ["only snapshots", "only states"])
def test_what_is_open_is_named_where_only_its_traces_are_here(missing, kind):
    documents = [document for _, document in of_kind(missing, kind)]
    assert sum(bool(document["open_transactions"] or document["findings"]) for document in documents) > len(SHOWN)


@every_kind
def test_something_was_taken_away(missing, kind):
    facts = {
        key: (document["open_transactions"], document["partitions"], document["coverage"])
        for key, document in missing.items()
        if key[2] in {kind, WHOLE}
    }
    changed = [key for key, seen in facts.items() if key[2] == kind and seen != facts[*key[:2], WHOLE]]
    assert len(changed) > len(SHOWN)
