"""One bit of a batch is not as it was written: its checksum says so, and nothing that the batch says is believed."""

import itertools
import random
import shutil
from pathlib import Path

from ablations import read_batches
from judged_together import judged_together
from less_evidence import surer

SCENARIOS = ("S14_prepare_stuck_healed", "coordinator_expansion_before", "late_write_verified", "normal_mix")
"""Runs without a fault."""
SEEDS, SEEDS_OF_SOAK = 2, 8
MOST = 10_000
"""No log of these runs has so many offsets."""
HEADER = range(21, 61)
"""Bytes of a batch's header that its checksum covers: attributes to count (DefaultRecordBatch)."""
LEADER_EPOCH = range(12, 16)
"""Bytes that it does not cover. Nothing shows that the last batch of a log has another epoch than its leader had."""


@judged_together
def flipped(lab, root, soak) -> dict[str, Path]:
    """Each scenario with one bit flipped in the header of a random batch, of data or of the coordinator."""
    folders = {}
    for scenario in SCENARIOS:
        for seed in range(SEEDS_OF_SOAK if soak else SEEDS):
            folders[f"{scenario} {seed}"] = root / f"{scenario}-{seed}"
            shutil.copytree(lab / "dev" / scenario / "logdir", folders[f"{scenario} {seed}"])
            _flip(folders[f"{scenario} {seed}"], random.Random(f"{scenario} {seed}"), HEADER)
        folders[f"{scenario} epoch"] = root / f"{scenario}-epoch"
        shutil.copytree(lab / "dev" / scenario / "logdir", folders[f"{scenario} epoch"])
        _flip(folders[f"{scenario} epoch"], random.Random(scenario), LEADER_EPOCH, but_last=1)
    return folders


def _flip(folder: Path, rng: random.Random, within: range, but_last: int = 0) -> None:
    segments = {path: _begins(path) for path in sorted(folder.rglob("*.log"))}
    path = rng.choice([path for path, begins in segments.items() if len(begins) > but_last])
    data = bytearray(path.read_bytes())
    begins = segments[path]
    data[rng.choice(begins[: len(begins) - but_last]) + rng.choice(within)] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def _begins(path: Path) -> list[int]:
    *begins, _ = itertools.accumulate((len(batch.content) for batch in read_batches(path)[1]), initial=0)
    return begins


def test_the_damage_is_found_once(flipped):
    for name, document in flipped.items():
        assert [finding["name"] for finding in document["findings"] if finding["confidence"] != "possible"] == [
            "corrupt_log"
        ], name


@judged_together
def whole(lab) -> dict[str, Path]:
    return {scenario: lab / "dev" / scenario / "logdir" for scenario in SCENARIOS}


def test_nothing_is_surer(flipped, whole):
    for name, document in flipped.items():
        others = dict(document, findings=[row for row in document["findings"] if row["name"] != "corrupt_log"])
        assert surer(others, whole[name.split()[0]]) == [], name


def test_the_offsets_are_those_that_the_batches_around_it_leave(flipped):
    for name, document in flipped.items():
        found = next(finding for finding in document["findings"] if finding["name"] == "corrupt_log")
        offsets = [found[name] for name in ("first_offset", "last_offset") if found[name] is not None]
        assert offsets == sorted(offsets), name
        assert all(0 <= offset < MOST for offset in offsets), name
