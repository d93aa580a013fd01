"""From a scenario's files to the same files with evidence taken away: compacted, fewer, older, or by another clock.

Each function changes a copy of a capture's folder in place, dumps and raw files alike.
"""

import dataclasses
import re
import shutil
import struct
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from aiokafka.record.default_records import DefaultRecordBatch

STATE = "__transaction_state-"
TEXT_BATCH = re.compile(
    rb"^(?:baseOffset|offset): (\d+)(?: lastOffset: (\d+))? .*?(?:CreateTime|LogAppendTime): (-?\d+)"
)
TEXT_KEY = re.compile(rb'transactionalId"?[=:]\s*"?(.*?)(?:" *}|\s+payload:|,|$)')
TEXT_MOMENT = re.compile(rb"\b1\d{12}\b")
RAW_HEAD = 61
"""Bytes of a batch before its records."""


@dataclasses.dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it stands in a file: its bytes, offsets, broker's or client's time, and keys of coordinator records."""

    content: bytes
    base_offset: int
    end_offset: int
    at_ms: int
    keys: frozenset[bytes]


def altered(files: Path, target: Path, alter: Callable[[Path], None]) -> Path:
    """Copy a folder of files, alter the copy, and return it."""
    shutil.copytree(files, target)
    alter(target)
    return target


def compacted(folder: Path) -> None:
    """Keep the batches of the coordinator's logs that hold the newest record of an id."""
    logs: dict[Path, list[Path]] = defaultdict(list)
    for path in _state_logs(folder):
        logs[path.parent].append(path)
    for paths in logs.values():
        newest: dict[bytes, int] = {}
        for path in paths:
            for batch in read_batches(path)[1]:
                for key in batch.keys:
                    newest[key] = max(batch.base_offset, newest.get(key, -1))
        for path in paths:
            head, batches = read_batches(path)
            kept = [one for one in batches if not one.keys or any(newest[key] == one.base_offset for key in one.keys)]
            _write(path, head, _in_place(kept) if path.suffix == ".txt" else kept)


def without_states(folder: Path) -> None:
    """Remove the coordinator's logs."""
    _remove(path for path in _files(folder) if STATE in str(path))


def only_states(folder: Path) -> None:
    """Remove everything but the coordinator's logs."""
    _remove(path for path in _files(folder) if STATE not in str(path))


def only_snapshots(folder: Path) -> None:
    """Remove the logs of all partitions but the coordinator's; snapshots and checkpoints stay."""
    _remove(path for path in _logs(folder) if STATE not in str(path))


def data_older(folder: Path, before_ms: int | None = None) -> None:
    """End every log but the coordinator's at this moment, or at three quarters of the coordinator's history."""
    _older(folder, before_ms or _late_moment(folder), states=False)


def states_older(folder: Path, before_ms: int | None = None) -> None:
    """End the coordinator's logs at this moment, or at three quarters of their history."""
    _older(folder, before_ms or _late_moment(folder), states=True)


def coordinator_ahead(folder: Path, by_ms: int) -> None:
    """Move the coordinator's clock; only in text, where no checksum covers the times."""
    for path in _state_logs(folder):
        content = path.read_bytes()
        path.write_bytes(TEXT_MOMENT.sub(lambda match: b"%d" % (int(match[0]) + by_ms), content))


ABLATIONS: dict[str, Callable[[Path], None]] = {
    "compacted": compacted,
    "without states": without_states,
    "only states": only_states,
    "only snapshots": only_snapshots,
    "data older": data_older,
    "states older": states_older,
    "coordinator 2 s ahead": lambda folder: coordinator_ahead(folder, 2_000),
    "coordinator 2 s behind": lambda folder: coordinator_ahead(folder, -2_000),
}
TEXT_ONLY = frozenset({"coordinator 2 s ahead", "coordinator 2 s behind"})


def captured_at(folder: Path) -> int:
    """Return the moment of the capture that lies in this folder, epoch milliseconds."""
    return int(tomllib.loads((folder / "capture.toml").read_text())["captured_at"])


def _older(folder: Path, before_ms: int, *, states: bool) -> None:
    for path in _logs(folder):
        if (STATE in str(path)) is states and path.exists():  # it may have gone with an earlier one's end
            head, batches = read_batches(path)
            later = [number for number, batch in enumerate(batches) if batch.at_ms > before_ms]
            if later:
                kept = batches[: later[0]]
                _write(path, head, kept)
                _forget_later_files(path.parent, kept[-1].end_offset if kept else _base(path))
    if not states:  # what the brokers themselves noted is as old
        _remove(path for path in _files(folder) if path.name.endswith("-offset-checkpoint"))


def _forget_later_files(folder: Path, end: int) -> None:
    """Remove what an older copy would not have: snapshots and segments beyond its end, epochs from its end on."""
    _remove(path for path in folder.iterdir() if re.match(r"\d{20}\.", path.name) and _base(path) > end)
    epochs = folder / "leader-epoch-checkpoint"
    if epochs.exists():
        entries = [line for line in epochs.read_text().splitlines()[2:] if int(line.split()[1]) < end]
        epochs.write_text("\n".join(["0", str(len(entries)), *entries]) + "\n")


def _late_moment(folder: Path) -> int:
    """Return the time at three quarters of the coordinator's records, or of all, where there are none."""
    times = {path: [batch.at_ms for batch in read_batches(path)[1]] for path in _logs(folder)}
    states = [at_ms for path in _state_logs(folder) for at_ms in times[path]]
    moments = sorted(states or [at_ms for one in times.values() for at_ms in one])
    return moments[len(moments) * 3 // 4]


def _files(folder: Path) -> list[Path]:
    """The files of a capture, without what the user says about it."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "capture.toml")


def _logs(folder: Path) -> list[Path]:
    return [path for path in _files(folder) if path.suffix == ".log" or re.search(r"\.log(\.\w+)*\.txt$", path.name)]


def _state_logs(folder: Path) -> list[Path]:
    return [path for path in _logs(folder) if STATE in str(path)]


def _remove(paths: Iterator[Path]) -> None:
    for path in list(paths):
        path.unlink()


def _base(path: Path) -> int:
    """Return the offset in a file's name, 0 where there is none."""
    name = path.name.split(".")[0]
    return int(name) if name.isdigit() else 0


def read_batches(path: Path) -> tuple[bytes, list[Batch]]:
    """Return what stands before the first batch of a log, and its batches."""
    content = path.read_bytes()
    return _read_text(content) if path.suffix == ".txt" else (b"", list(_read_raw(content)))


def _read_text(content: bytes) -> tuple[bytes, list[Batch]]:
    head, found = b"", list[list[bytes]]()
    for line in content.splitlines(keepends=True):
        if TEXT_BATCH.match(line):
            found.append([line])
        elif found:
            found[-1].append(line)
        else:
            head += line
    return head, [_text_batch(lines) for lines in found]


def _text_batch(lines: list[bytes]) -> Batch:
    match = TEXT_BATCH.match(lines[0])
    keys = frozenset(found[1] for line in lines if (found := TEXT_KEY.search(line.rstrip())))
    return Batch(b"".join(lines), int(match[1]), int(match[2] or match[1]) + 1, int(match[3]), keys)


def _read_raw(content: bytes) -> Iterator[Batch]:
    at = 0
    while at + RAW_HEAD <= len(content):
        base, size = struct.unpack_from(">qi", content, at)
        last, attributes = struct.unpack_from(">i", content, at + 23)[0], struct.unpack_from(">h", content, at + 21)[0]
        (newest_ms,) = struct.unpack_from(">q", content, at + 35)
        batch = content[at : at + 12 + size]
        if len(batch) < RAW_HEAD or at + 12 + size > len(content):
            return
        keyed = content[at + 16] == 2 and not attributes & 0b100111  # neither compressed nor a control batch
        keys = frozenset(record.key for record in DefaultRecordBatch(batch) if record.key) if keyed else frozenset()
        yield Batch(batch, base, base + last + 1, newest_ms, keys)
        at += 12 + size


def _in_place(batches: list[Batch]) -> list[Batch]:
    """Return batches of a dump at the positions that they have in a segment that was written anew."""
    out, position = [], 0
    for batch in batches:
        content = re.sub(rb" position: \d+", b" position: %d" % position, batch.content, count=1)
        out.append(dataclasses.replace(batch, content=content))
        size = re.search(rb" size: (\d+)", batch.content)
        position += int(size[1]) if size else 0
    return out


def _write(path: Path, head: bytes, batches: list[Batch]) -> None:
    path.write_bytes(head + b"".join(batch.content for batch in batches))
