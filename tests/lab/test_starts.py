"""The beginning of a log is not here: which snapshots say what was open there, and which do not."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from judged_together import Document, judged_together

FIRST_KEPT = "00000000000000000176"
"""The first segment that stays of segmented-0, whose transactions all end."""


def logs(lab: Path, target: Path, scenario: str, partition: str) -> Path:
    """Copy a broker's folder of one partition; return the copy of the partition's folder."""
    broker = lab / "dev" / scenario / "logdir" / "broker-0"
    copy = Path(shutil.copytree(broker / partition, target / "broker-0" / partition))
    shutil.copy(broker.parent / "capture.toml", target)
    for segment in copy.glob("*.log"):
        if scenario == "normal_mix" and segment.stem < FIRST_KEPT:
            segment.unlink()
    return copy


def apart(keep: str) -> Callable[[Path], None]:
    """Move the snapshots whose names match to another folder, and remove the others."""

    def change(folder: Path) -> None:
        there = folder.parent.parent / "snapshots" / folder.name
        there.mkdir(parents=True)
        for snapshot in sorted(folder.glob("*.snapshot")):
            if snapshot.match(keep):
                shutil.move(snapshot, there)
            else:
                snapshot.unlink()

    return change


def broken(folder: Path) -> None:
    """Turn over a bit in every snapshot, so that no checksum holds."""
    for snapshot in folder.glob("*.snapshot"):
        content = bytearray(snapshot.read_bytes())
        content[-1] ^= 1
        snapshot.write_bytes(bytes(content))


def unnamed(folder: Path) -> None:
    """Have the newest snapshot as text that does not name its file, saved under the snapshot's name."""
    newest = max(folder.glob("*.snapshot"))
    apart("none.of.them")(folder)
    line = (
        "producerId: 3 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong[7] "
        "lastTimestamp: 1795252401091 firstSequence: 0 lastSequence: 1 lastOffset: 8 offsetDelta: 1 "
        "timestamp: 1795252401091"
    )
    (folder / f"{newest.name}.txt").write_text(f"{line}\n")


def tiered(folder: Path) -> None:
    """Have no snapshot, and an answer of kafka-configs.sh that the topic has tiered storage."""
    apart("none.of.them")(folder)
    told = "remote.storage.enable=true sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:remote.storage.enable=true}"
    answer = f"Dynamic configs for topic {folder.name.rpartition('-')[0]} are:\n  {told}\n"
    (folder.parent.parent / "configs.txt").write_text(answer)


CASES: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "own": ("normal_mix", "segmented-0", lambda _: None),
    "none": ("normal_mix", "segmented-0", apart("none.of.them")),
    "tiered": ("normal_mix", "segmented-0", tiered),
    "broken": ("normal_mix", "segmented-0", broken),
    "apart, at the log's end": ("normal_mix", "segmented-0", apart("*245.snapshot")),
    "apart, at the log's start": ("normal_mix", "segmented-0", apart("*176.snapshot")),
    "apart, below the log's start": ("normal_mix", "segmented-0", apart("*116.snapshot")),
    "apart, and something is open": ("snapshot_only", "purged-0", apart("*.snapshot")),
    "a dump without a name": ("snapshot_only", "purged-0", unnamed),
}
PROVEN = ("own", "apart, at the log's end", "apart, at the log's start", "a dump without a name")


@judged_together
def documents(lab, root) -> dict[str, Path]:
    for name, (scenario, partition, change) in CASES.items():
        change(logs(lab, root / name, scenario, partition))
    return {name: root / name for name in CASES}


def starts(document: Document) -> list[str]:
    return [note["note"] for note in document["coverage"]["notes"] if note["kind"] == "missing_start"]


@pytest.mark.parametrize("name", CASES)
def test_what_proves_the_start(documents, name):
    assert bool(starts(documents[name])) is (name not in PROVEN)
    assert name in PROVEN or documents[name]["verdict"] != "clean"


def test_a_dump_of_a_snapshot_counts_without_its_files_name(documents):
    (row,) = documents["a dump without a name"]["open_transactions"]
    assert (row["producer_id"], row["first_offset"]) == (3, 7)


def test_segments_that_are_only_remote_are_not_asked_for(documents):
    asked = {
        name: note["fetch"]
        for name in ("none", "tiered")
        for note in documents[name]["coverage"]["notes"]
        if note["kind"] == "missing_start"
    }
    assert asked["none"] == "the .snapshot files of segmented-0, or its earlier segments"
    assert asked["tiered"].startswith("the .snapshot files of segmented-0; earlier segments are in remote storage")


def test_what_is_open_in_another_copys_snapshot_is_told(documents):
    (note,) = starts(documents["apart, and something is open"])
    assert "snapshot of another copy has transactions open from before it (1, the first since offset 7)" in note
    (nothing,) = starts(documents["none"])
    assert nothing.endswith("no producer snapshot shows which transactions were open at that point")


def test_what_the_log_begins_with_is_missed_unless_it_is_remote(documents):
    """The folder's leader-epoch-checkpoint begins at 0, and the segments up to 176 were taken away."""
    holes = {
        name: [note["note"] for note in documents[name]["coverage"]["notes"] if note["kind"] == "offset_hole"]
        for name in ("own", "tiered")
    }
    said = "offsets 0..175 are not in any file here, although the log begins with them by its checkpoint files"
    assert holes == {"own": [said], "tiered": []}
