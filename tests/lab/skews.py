"""From a scenario's dumps to the same dumps as if some files were older, clocks apart, or the coordinator's compacted."""

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

STATE = "__transaction_state-"
BATCH = re.compile(r"^(?:baseOffset|offset): (\d+) .*?(?:CreateTime|LogAppendTime): (\d+) ")
ID = re.compile(r"transactionalId=(.*?)(?: payload|,transactionalIdMetadata|$)")
TIME = re.compile(r"\b1\d{12}\b")

Lines = list[str]


def skewed(dumps: Path, target: Path, skew: str) -> Path:
    """Return a copy of the dumps with this skew applied."""
    shutil.copytree(dumps, target)
    captured_at = tomllib.loads((dumps / "capture.toml").read_text())["captured_at"]
    SKEWS[skew](target, captured_at)
    return target


def older(folder: Path, before_ms: int, *, states: bool) -> None:
    """Cut every log of the coordinator, or every other one, where it gets younger than this moment."""
    for path in _logs(folder):
        mine = path.parent.name.startswith(STATE) == states and not path.parent.name.startswith("__consumer")
        if mine and path.exists():  # it may have gone with an earlier one's end
            batches, head = _batches(path)
            kept = []
            for batch in batches:
                match = BATCH.match(batch[0])
                if match and int(match[2]) > before_ms:
                    break
                kept.append(batch)
            _write(path, head, kept)
            if len(kept) < len(batches):
                _forget_later_files(path.parent, _end(kept))


def ahead(folder: Path, by_ms: int) -> None:
    """Move the coordinator's clock."""
    for path in _logs(folder):
        if path.parent.name.startswith(STATE):
            text = path.read_text()
            path.write_text(TIME.sub(lambda match: str(int(match[0]) + by_ms), text))


def compacted(folder: Path) -> None:
    """Keep the last record of each id in the coordinator's logs."""
    for path in _logs(folder):
        if path.parent.name.startswith(STATE):
            batches, head = _batches(path)
            last = {}
            for batch in batches:
                named = [match[1] for line in batch[1:] if (match := ID.search(line))]
                last[named[0] if named else batch[0]] = batch
            _write(path, head, sorted(last.values(), key=lambda batch: int(BATCH.match(batch[0])[1])))


SKEWS: dict[str, Callable[[Path, int], None]] = {
    "states a minute older": lambda folder, at: older(folder, at - 60_000, states=True),
    "states 2 s older": lambda folder, at: older(folder, at - 2_000, states=True),
    "data a minute older": lambda folder, at: older(folder, at - 60_000, states=False),
    "data 2 s older": lambda folder, at: older(folder, at - 2_000, states=False),
    "coordinator 2 s ahead": lambda folder, _: ahead(folder, 2_000),
    "coordinator 2 s behind": lambda folder, _: ahead(folder, -2_000),
    "coordinator compacted": lambda folder, _: compacted(folder),
}


def _logs(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.txt") if ".log." in path.name)


def _batches(path: Path) -> tuple[list[Lines], Lines]:
    head: Lines = []
    batches: list[Lines] = []
    for line in path.read_text().splitlines():
        if BATCH.match(line) and not line.startswith("|"):
            batches.append([line])
        elif batches:
            batches[-1].append(line)
        else:
            head.append(line)
    return batches, head


def _write(path: Path, head: Lines, batches: list[Lines]) -> None:
    path.write_text("".join(f"{line}\n" for line in [*head, *(line for batch in batches for line in batch)]))


def _end(batches: list[Lines]) -> int:
    last = re.search(r"lastOffset: (\d+)", batches[-1][0]) if batches else None
    return int(last[1]) + 1 if last else 0


def _forget_later_files(folder: Path, end: int) -> None:
    """Remove what an older copy would not have: snapshots and segments beyond its end, epochs that begin there."""
    for path in folder.iterdir():
        base = re.match(r"(\d{20})\.", path.name)
        if base and int(base[1]) > end:
            path.unlink()
    epochs = folder / "leader-epoch-checkpoint"
    if epochs.exists():
        entries = [line for line in epochs.read_text().splitlines()[2:] if int(line.split()[1]) <= end]
        epochs.write_text("\n".join(["0", str(len(entries)), *entries]) + "\n")
