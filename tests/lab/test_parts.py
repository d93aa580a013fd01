"""Random parts of real captures, and real files with damaged bytes: never surer than the whole, never a crash."""

from pathlib import Path

import pytest
from judged_together import Document, judged
from less_evidence import contradicted, surer
from parts import Part, damaged, random_part

FEW, MANY = 20, 300
"""Captures of each kind, without and with --soak."""


@pytest.fixture(scope="module")
def random_parts(spark, lab, soak, tmp_path_factory) -> list[tuple[Part, Document, Document]]:
    """Random parts with their documents and those of the whole."""
    return judged_with_the_whole(
        spark, lab / "dev", random_part, MANY if soak else FEW, tmp_path_factory.mktemp("parts")
    )


@pytest.fixture(scope="module")
def damaged_files(spark, lab, soak, tmp_path_factory) -> list[tuple[Part, Document, Document]]:
    """Captures with damaged files, with their documents and those of the undamaged ones."""
    return judged_with_the_whole(spark, lab / "dev", damaged, MANY if soak else FEW, tmp_path_factory.mktemp("damaged"))


def judged_with_the_whole(spark, dev: Path, make, count: int, root: Path) -> list[tuple[Part, Document, Document]]:
    made = [make(dev, root / str(seed), seed) for seed in range(count)]
    folders = {part.name: root / str(part.seed) for part in made}
    folders |= {part.whole: dev / part.scenario / part.form for part in made}
    documents = judged(spark, folders, root / "cases")
    return [(part, documents[part.name], documents[part.whole]) for part in made]


def test_a_part_is_never_surer_than_the_whole(random_parts):
    wrong = {part: surer(document, whole) for part, document, whole in random_parts}
    assert {part: said for part, said in wrong.items() if said} == {}


def test_parts_show_less_or_the_same(random_parts):
    verdicts = {document["verdict"] for _, document, _ in random_parts}
    assert verdicts >= {"clean", "findings", "inconclusive"}


def test_damage_makes_nothing_certain_that_the_files_contradict(damaged_files):
    wrong = {part: contradicted(document, whole, OF_DAMAGE) for part, document, whole in damaged_files}
    assert {part: said for part, said in wrong.items() if said} == {}


def test_damage_is_seen(damaged_files):
    seen = [document for _, document, whole in damaged_files if document["coverage"] != whole["coverage"]]
    assert len(seen) > FEW // 3


OF_DAMAGE = frozenset({"corrupt_log", "replica_divergence", "sequence_gap"})
"""What damaged bytes themselves are: a wrong checksum, copies that differ, records that are not there."""
