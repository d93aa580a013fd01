"""Evidence that is missing accuses nobody, calms nobody, and does not hide that a transaction hangs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from ablations import ABLATIONS, TEXT_ONLY, altered
from judged_together import Document, judged
from judging import PLACE, Row, called_clean, false_accusations, hangs, named
from less_evidence import surer
from parts import FORMS

SHOWN = {
    "normal_mix": "dumps",
    "in_flight": "logdir",
    "late_write": "dumps",
    "S5_kafka13727_3_after_pass2": "dumps",
    "S8_marker_lost": "logdir",
    "S14_prepare_stuck_down": "logdir",
    "group_commit_hang": "logdir",
}
"""The scenarios that are judged without --soak, each in one form."""
WHOLE = "whole"
UNPROVEN: dict[str, set[tuple[str, int, int]]] = {
    "S5_kafka13727_5_recovered": {("accounts", 0, 1)},
    "S8_marker_lost": {("payments", 0, 0), ("payments", 1, 1), ("payments", 2, 2)},
    "S8b_truncation": {("payments", 0, 0), ("payments", 1, 1), ("payments", 2, 2)},
    "group_commit_hang": {("__consumer_offsets", 21, 3), ("__consumer_offsets", 22, 2)},
    "group_commit_hang_json": {("__consumer_offsets", 12, 2), ("__consumer_offsets", 15, 3)},
}
"""Hangs that no file proves once the coordinator is compacted (RULES D 1 d).

Of payments and of accounts-0 nothing in the copy is as new as the rest of the id; the group commits are a second old.
"""
Key = tuple[str, str, str]
"""Scenario, form, and what was taken away."""


@pytest.fixture(scope="module")
def wanted(lab: Path, soak: bool) -> dict[str, Row]:
    """What happened in each scenario that is judged, by name."""
    every = sorted(path.parent for path in (lab / "dev").glob("*/truth.json") if (path.parent / "logdir").is_dir())
    return {one.name: json.loads((one / "truth.json").read_text()) for one in every if soak or one.name in SHOWN}


@pytest.fixture(scope="module")
def missing(spark, lab, wanted, soak, tmp_path_factory) -> dict[Key, Document]:
    """The document of each scenario, in each form, whole and with each kind of evidence taken away."""
    root = tmp_path_factory.mktemp("missing")
    folders = dict(_folders(lab / "dev", list(wanted), root / "files", soak=soak))
    documents = judged(spark, {"|".join(key): folder for key, folder in folders.items()}, root)
    return {key: documents["|".join(key)] for key in folders}


def _folders(dev: Path, names: list[str], root: Path, *, soak: bool) -> Iterator[tuple[Key, Path]]:
    for name in names:
        for form in FORMS if soak else [SHOWN[name]]:
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


def test_what_is_open_is_listed_where_only_snapshots_are_here(missing, wanted):
    key = ("in_flight", SHOWN["in_flight"], "only snapshots")
    opens = {tuple(row[name] for name in PLACE) for row in missing[key]["open_transactions"]}
    assert {tuple(one[name] for name in PLACE) for one in wanted["in_flight"]["expected_findings"]} <= opens


def test_a_stuck_decision_is_named_where_only_states_are_here(missing, wanted):
    key = ("S14_prepare_stuck_down", SHOWN["S14_prepare_stuck_down"], "only states")
    happened = {(e["kind"], e["transactional_id"]) for e in wanted[key[0]]["expected_findings"]}
    stuck = {(kind, one) for kind, one in happened if kind == "prepare_stuck"}
    assert stuck
    assert stuck == {(finding["name"], finding["transactional_id"]) for finding in missing[key]["findings"]}


@every_kind
def test_something_was_taken_away(missing, kind):
    facts = {
        key: (document["open_transactions"], document["partitions"], document["coverage"], document["expiry"])
        for key, document in missing.items()
        if key[2] in {kind, WHOLE}
    }
    changed = [key for key, seen in facts.items() if key[2] == kind and seen != facts[*key[:2], WHOLE]]
    assert len(changed) >= 2
