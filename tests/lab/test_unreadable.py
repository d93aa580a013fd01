"""A partition's folders are gone, or cannot be looked into: never clean, and what told of the partition is named."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from judged_together import Document, judged_together

SHOWN = (
    "normal_mix",
    "late_write_verified",
    "S5_fixed_1_before",
    "S14_prepare_stuck_healed",
    "coordinator_expansion_rf3_before",
)
"""The scenarios that are judged without --soak: clean as a whole, of one broker and of several."""
STATE = "__transaction_state"
NAMED = 10
"""Partitions that a note names one by one."""
CAPS = "-dac_override,-dac_read_search"
"""What lets root read any file."""


def offsets(logdir: Path) -> dict[str, int]:
    """Return the highest offset by which a checkpoint of any broker names each partition."""
    found: dict[str, int] = defaultdict(int)
    for path in logdir.glob("*/*-offset-checkpoint"):
        for line in path.read_text().splitlines()[2:]:
            topic, partition, offset = line.split()
            found[f"{topic}-{partition}"] = max(found[f"{topic}-{partition}"], int(offset))
    return dict(found)


def victim(name: str, logdir: Path) -> str:
    """Return a random partition that is here and of which a checkpoint says that it holds something."""
    held = {partition for partition, offset in offsets(logdir).items() if offset > 0}
    here = {path.parent.name for path in logdir.glob("*/*/*.log")}
    absent = [partition for partition in held - here if partition.startswith(STATE)]
    pool = [one for one in held & here if len(absent) < NAMED or not one.startswith(STATE)]
    return random.Random(name).choice(sorted(pool))


def folders(copy: Path, partition: str) -> list[Path]:
    """Return the folders of all replicas of a partition."""
    return sorted(copy.glob(f"*/{partition}"))


@pytest.fixture(scope="module")
def victims(lab: Path, soak: bool) -> dict[str, str]:
    return chosen_victims(lab, soak=soak)


def chosen_victims(lab: Path, *, soak: bool) -> dict[str, str]:
    """The partition that is taken from each scenario."""
    every = sorted(path.parent for path in (lab / "dev").glob("*/logdir"))
    chosen = [one for one in every if (one / "truth.json").is_file() and (soak or one.name in SHOWN)]
    return {one.name: victim(one.name, one / "logdir") for one in chosen}


def copies(lab: Path, names: dict[str, str], root: Path) -> Iterator[tuple[str, Path, list[Path]]]:
    """Yield each scenario with a copy of its log dirs, and the folders of its partition there."""
    for name, partition in names.items():
        copy = root / name
        shutil.copytree(lab / "dev" / name / "logdir", copy)
        yield name, copy, folders(copy, partition)


@judged_together
def removed(lab, soak, root) -> dict[str, Path]:
    captures = {}
    for name, copy, gone in copies(lab, chosen_victims(lab, soak=soak), root / "files"):
        for folder in gone:
            shutil.rmtree(folder)
        captures[name] = copy
    return captures


@pytest.fixture(scope="module")
def unreadable(lab, victims, tmp_path_factory) -> dict[str, Document]:
    """The documents of a run by somebody who may not look into the folders."""
    root = tmp_path_factory.mktemp("unreadable")
    closed, captures = [], {}
    for name, copy, gone in copies(lab, victims, root / "files"):
        captures[name], closed = copy, [*closed, *gone]
    prefix = _without_rights()
    try:
        for folder in closed:
            folder.chmod(0)
        run = [sys.executable, "-m", "analyzer", "run", "--each", "--format", "json", "--engine", "sail"]
        done = subprocess.run(
            [*prefix, *run, "--case", str(root / "case"), *map(str, captures.values())],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        for folder in closed:
            folder.chmod(0o755)
    documents = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(documents) == len(captures), done.stderr
    return dict(zip(captures, documents, strict=True))


def _without_rights() -> list[str]:
    """Return how to run a command that may not read what its owner closed; skips where that cannot be had."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root reads every file, and there is no setpriv to run as anybody less")
    prefix = ["setpriv", f"--bounding-set={CAPS}", f"--inh-caps={CAPS}"]
    if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode:
        pytest.skip("root reads every file, and setpriv may not take that right away here")
    return prefix


def told(document: Document, partition: str) -> list[str]:
    """Return the notes that make `clean` impossible and name the partition, with the checkpoint that names it."""
    topic, _, number = partition.rpartition("-")
    kind = "missing_state" if topic == STATE else "missing_partition"
    notes = [one["note"] for one in document["coverage"]["notes"] if one["kind"] == kind]
    named = [note for note in notes if (f" {number}" in note if topic == STATE else partition in note)]
    return [note for note in named if "-offset-checkpoint:" in note]


@pytest.mark.usefixtures("removed")
@pytest.mark.parametrize("way", ["removed", "unreadable"])
def test_never_clean_and_the_checkpoint_is_named(request, victims, way):
    documents = request.getfixturevalue(way)
    assert set(documents) == set(victims)
    assert [name for name, document in documents.items() if document["verdict"] == "clean"] == []
    silent = [name for name, document in documents.items() if not told(document, victims[name])]
    assert silent == []


def test_folders_that_cannot_be_read_are_listed(unreadable, victims):
    for name, document in unreadable.items():
        notes = [one for one in document["coverage"]["notes"] if one["kind"] == "unread_file"]
        closed = {one["file"].rpartition("/")[2] for one in notes}
        assert closed == {victims[name]}, name
        assert {one["note"] for one in notes} == {"cannot be read: permission denied"}


@judged_together
def altered(lab, root) -> dict[str, Path]:
    """The folder of a follower is gone; or a checkpoint lists a partition that is not here, up to some offset."""
    one = root / "one"
    shutil.copytree(lab / "dev" / "coordinator_expansion_rf3_before" / "logdir", one)
    partition = next(name for name in sorted(offsets(one)) if len(folders(one, name)) > 1 and offsets(one)[name])
    shutil.rmtree(folders(one, partition)[-1])
    captures = {"one": one}
    for offset in (0, 1):
        captures[f"listed to {offset}"] = copy = root / str(offset)
        shutil.copytree(lab / "dev" / "late_write_verified" / "logdir", copy)
        checkpoint = next(copy.glob("*/replication-offset-checkpoint"))
        version, number, *entries = checkpoint.read_text().splitlines()
        lines = [version, str(int(number) + 1), *entries, f"never-copied 0 {offset}"]
        checkpoint.write_text("\n".join(lines) + "\n")
    return captures


def test_one_replica_that_is_here_is_enough(altered):
    """The leader's log is judged, and nothing is missing."""
    document = altered["one"]
    assert [one for one in document["coverage"]["notes"] if one["kind"] in ("missing_partition", "missing_state")] == []


@pytest.mark.parametrize(("offset", "verdict"), [(0, "clean"), (1, "inconclusive")])
def test_a_partition_that_holds_nothing_is_not_missed(altered, offset, verdict):
    assert altered[f"listed to {offset}"]["verdict"] == verdict
