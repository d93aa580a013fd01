"""Measures `run --open-only` beside a full run on a broker's log dir with many segments and three hanging transactions.

usage: python bench/open_only.py [--mb 20000] [--partitions 200] [--segment-mb 10] [--engine auto] [--keep FOLDER]
"""

import argparse
import json
import random
import struct
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crc32c import crc32c
from make_segments import (
    BASE_MS,
    COMPLETE,
    CONTROL,
    ONGOING,
    PREPARE,
    STATE_PARTITIONS,
    TIMEOUT_MS,
    TRANSACTIONAL,
    Log,
    record,
)
from measure import measure

from analyzer.kafka.hashing import partition_for

HANGS = 3
BATCH_BYTES, BATCHES_PER_TXN = 256 << 10, 8
STEP_MS = 50
ENTRY = struct.Struct(">qhiqiqiq")
"""A producer in a snapshot: id, epoch, last sequence and offset, delta, time, coordinator epoch, first open offset."""


class Partition(Log):
    """A partition's segments, with a producer snapshot at each roll."""

    time = BASE_MS

    def __init__(self, folder: Path, segment_bytes: int) -> None:
        """Begin the first segment, with no producer known."""
        self.producers: dict[int, tuple[int, int, int]] = {}
        super().__init__(folder, segment_bytes)

    def roll(self) -> None:
        """Begin the next segment and tell what is open there."""
        super().roll()
        if self.offset:
            entries = [
                ENTRY.pack(producer_id, 0, sequence, last, 0, self.time, 0, open_from)
                for producer_id, (sequence, last, open_from) in self.producers.items()
            ]
            body = struct.pack(">i", len(entries)) + b"".join(entries)
            name = self.folder / f"{self.offset:020d}.snapshot"
            name.write_bytes(struct.pack(">hI", 1, crc32c(body)) + body)


class Broker:
    """The log dir while it is written: one producer for each partition, and the coordinator's records."""

    def __init__(self, folder: Path, partitions: int, segment_mb: int) -> None:
        """Begin every log."""
        self.folder, self.time = folder, BASE_MS
        size = segment_mb * 1_000_000
        self.logs = [Partition(folder / f"orders-{number}", size) for number in range(partitions)]
        self.states = [Log(folder / f"__transaction_state-{number}", size) for number in range(STATE_PARTITIONS)]
        self.sequences = dict[int, int]()
        value = random.Random(1).randbytes(BATCH_BYTES - 100)
        self.records = record(b"key", value)

    def transaction(self, number: int, turn: int, *, lost: bool) -> None:
        """Append a transaction of a partition; a lost one has no marker, though its coordinator wrote that it ended."""
        log, producer_id = self.logs[number], 1000 + 2 * number + turn
        self.state(number, turn, ONGOING)
        open_from = log.offset
        for _ in range(BATCHES_PER_TXN):
            self.time = log.time = self.time + STEP_MS
            sequence = self.sequences.get(producer_id, 0)
            log.append(self.records, 1, TRANSACTIONAL, self.time, (producer_id, 0, sequence))
            self.sequences[producer_id] = sequence + 1
            log.producers[producer_id] = (sequence, log.offset - 1, open_from)
        self.state(number, turn, PREPARE[1])
        if not lost:
            marker = record(struct.pack(">hh", 0, 1), struct.pack(">hi", 0, 3))
            log.append(marker, 1, TRANSACTIONAL | CONTROL, self.time, (producer_id, 0, -1))
            log.producers[producer_id] = (sequence, log.offset - 1, -1)
        self.state(number, turn, COMPLETE[1])

    def state(self, number: int, turn: int, status: int) -> None:
        """Append a record of __transaction_state, value version 0."""
        name = f"svc-{number}-{turn}"
        listed = b"" if status in COMPLETE else struct.pack(">h", 6) + b"orders" + struct.pack(">ii", 1, number)
        head = struct.pack(">hqhibi", 0, 1000 + 2 * number + turn, 0, TIMEOUT_MS, status, 1 if listed else 0)
        key = struct.pack(">hh", 0, len(name)) + name.encode()
        value = head + listed + struct.pack(">qq", self.time, self.time)
        log = self.states[partition_for(name, STATE_PARTITIONS)]
        log.append(record(key, value), 1, 0, self.time, (-1, -1, -1))


def write(folder: Path, mb: int, partitions: int, segment_mb: int) -> None:
    """Write the log dir; in each of some partitions one transaction hangs, halfway through its log."""
    broker = Broker(folder, partitions, segment_mb)
    turns = mb * 1_000_000 // (partitions * BATCHES_PER_TXN * BATCH_BYTES)
    hanging = set(range(0, partitions, -(-partitions // HANGS)))
    for turn in range(turns):
        for number in range(partitions):
            hangs = number in hanging
            broker.transaction(number, int(hangs and turn > turns // 2), lost=hangs and turn == turns // 2)
    for log in (*broker.logs, *broker.states):
        log.out.close()
    (folder / "meta.properties").write_text("version=0\nbroker.id=0\n", encoding="ascii")


def verdicts(document: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Return what is said of each open transaction."""
    names = ("topic", "partition", "producer_id", "first_offset", "verdict")
    return {tuple(row[name] for name in names) for row in document["open_transactions"]}


def main() -> int:
    """Write the log dir, run both ways, print a line each; return 1 if they say different things of what is open."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=20_000)
    parser.add_argument("--partitions", type=int, default=200)
    parser.add_argument("--segment-mb", type=int, default=10)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--keep", type=Path, help="folder for the log dir, kept and used again")
    given = parser.parse_args()
    said = []
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        folder = given.keep or Path(scratch, "broker-0")
        if not folder.exists():
            write(folder, given.mb, given.partitions, given.segment_mb)
        for option in (["--open-only"], []):
            case = str(Path(scratch, f"case{len(said)}"))
            command = [sys.executable, "-m", "analyzer", "run", str(folder), *option, "--case", case, "--quiet"]
            took = measure([*command, "--engine", given.engine, "--format", "json"])
            if took.exit_code not in {0, 1, 3}:
                raise SystemExit(took.stderr)
            document = json.loads(took.stdout)
            said.append(verdicts(document))
            read = document["coverage"]["bytes"] / 1e6
            name = " ".join(option) or "full"
            print(f"{name:<12} {took.seconds:8.1f} s {read:10.1f} MB read, {sorted(said[-1])}", flush=True)
    return int(said[0] != said[1] or len(said[0]) != HANGS)


if __name__ == "__main__":
    sys.exit(main())
