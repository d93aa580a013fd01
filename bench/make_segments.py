"""Writes a broker's log dir of a given size: valid raw segments, and the transaction state that belongs to them.

usage: python bench/make_segments.py OUT [--mb 1000] [--batch-bytes 1024] [--segment-mb 512] [--seed 1] [--sparse]
Thousands of producers write transactions over several partitions; each ends with markers there and with its records
in __transaction_state. A few decided transactions lack a marker, so that an analysis has something to find. Equal
arguments give equal bytes. With --sparse the values of the data are zeros, which the files have as holes: 50 GB then
take little of the disk.
"""

import argparse
import io
import random
import struct
from pathlib import Path

from crc32c import crc32c

from analyzer.kafka.hashing import partition_for

BASE_MS = 1_788_134_400_000
TOPICS = ("orders", "payments", "shipments", "stock")
PARTITIONS = 2
PRODUCERS = 4_000
OPEN_AT_ONCE = 400
STATE_PARTITIONS = 50
BATCHES_PER_TXN = 16
LOST_MARKERS = 5
TIMEOUT_MS = 60_000
ONGOING, PREPARE, COMPLETE = 1, (3, 2), (5, 4)
"""States of a transaction; Prepare and Complete by abort and commit (TransactionState)."""

ZEROS = bytes(1 << 20)
HEAD = struct.Struct(">qiibI")
TAIL = struct.Struct(">hiqqqhii")
TRANSACTIONAL, CONTROL = 0x10, 0x20


def varint(number: int) -> bytes:
    """Return a signed number as a zigzag varint."""
    number = (number << 1) ^ (number >> 63)
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def record(key: bytes | None, value: bytes, delta: int = 0) -> bytes:
    """Return a record of format 2 without headers."""
    name = varint(-1) if key is None else varint(len(key)) + key
    body = b"\0\0" + varint(delta) + name + varint(len(value)) + value + varint(0)
    return varint(len(body)) + body


class Log:
    """One partition's segments while they are written."""

    def __init__(self, folder: Path, segment_bytes: int) -> None:
        """Begin the first segment."""
        self.folder = folder
        self.segment_bytes = segment_bytes
        self.offset = self.size = self.total = 0
        folder.mkdir(parents=True)
        self.roll()

    def roll(self) -> None:
        """Begin the next segment."""
        self.size = 0
        self.out = (self.folder / f"{self.offset:020d}.log").open("wb", buffering=1 << 20)

    def append(
        self, records: bytes, count: int, flags: int, time: int, producer: tuple[int, int, int], zeros: int = 0
    ) -> None:
        """Append a batch of these records, which end with so many zeros."""
        size = HEAD.size + TAIL.size + len(records) + zeros
        if self.size and self.size + size > self.segment_bytes:
            self.close()
            self.roll()
        tail = TAIL.pack(flags, count - 1, time, time, *producer, count)
        crc = crc32c(memoryview(ZEROS)[:zeros], crc32c(records, crc32c(tail)))
        self.out.write(HEAD.pack(self.offset, size - 12, 0, 2, crc) + tail + records)
        if zeros:
            self.out.seek(zeros, io.SEEK_CUR)
        self.offset += count
        self.size += size
        self.total += size

    def close(self) -> None:
        """End the last segment, with its zeros."""
        self.out.truncate(self.size)
        self.out.close()


class Producer:
    """A transactional producer and the transaction it is in."""

    def __init__(self, number: int) -> None:
        """Start without one."""
        self.producer_id = 1000 + number
        self.name = f"svc-{number:05d}"
        self.sequences: dict[int, int] = {}
        self.where: list[int] = []
        self.used: set[int] = set()
        self.left = 0
        self.started = 0


class Cluster:
    """The logs of a broker and its producers."""

    def __init__(self, folder: Path, batch_bytes: int, segment_bytes: int, seed: int, *, sparse: bool) -> None:
        """Make the logs and payloads of about `batch_bytes` a batch."""
        self.random = random.Random(seed)
        names = [f"{topic}-{number}" for topic in TOPICS for number in range(PARTITIONS)]
        self.names = names
        self.logs = [Log(folder / name, segment_bytes) for name in names]
        self.states = [Log(folder / f"__transaction_state-{n}", segment_bytes) for n in range(STATE_PARTITIONS)]
        self.producers = [Producer(number) for number in range(PRODUCERS)]
        self.open: list[Producer] = []
        self.time = BASE_MS
        payload = self.hole if sparse else self.payload
        self.payloads = [payload(batch_bytes) for _ in range(64)]
        self.lost = 0

    def hole(self, size: int) -> tuple[bytes, int, int]:
        """Return a record of about this size up to the zeros of its value, its count, and how many zeros follow."""
        zeros = size - 100 + self.random.randrange(60)
        whole = record(b"key-%d" % self.random.randrange(10**6), bytes(zeros))
        begun = whole.rstrip(b"\0")
        return begun, 1, len(whole) - len(begun)

    def payload(self, size: int) -> tuple[bytes, int, int]:
        """Return the records of a batch, their count, and that no zeros follow."""
        records: list[bytes] = []
        while sum(map(len, records)) < size - 61 - 60:
            value = self.random.randbytes(self.random.randrange(80, 240))
            records.append(record(b"key-%d" % self.random.randrange(10**6), value, len(records)))
        return b"".join(records), len(records), 0

    def step(self) -> None:
        """Append one batch, and what begins or ends with it."""
        self.time += self.random.randrange(3)
        if len(self.open) < OPEN_AT_ONCE:
            self.begin()
        producer = self.random.choice(self.open)
        place = self.random.choice(producer.where)
        records, count, zeros = self.random.choice(self.payloads)
        sequence = producer.sequences.get(place, 0)
        self.logs[place].append(records, count, TRANSACTIONAL, self.time, (producer.producer_id, 0, sequence), zeros)
        producer.sequences[place] = sequence + count
        producer.used.add(place)
        producer.left -= 1
        if producer.left == 0:
            self.open.remove(producer)
            self.end(producer)

    def begin(self) -> None:
        """Begin a transaction of a producer that has none."""
        producer = self.random.choice(self.producers)
        if producer.left == 0:
            producer.left = self.random.randrange(1, 2 * BATCHES_PER_TXN)
            producer.where = self.random.sample(range(len(self.logs)), self.random.randrange(1, 4))
            producer.used = set()
            producer.started = self.time
            self.open.append(producer)
            self.state(producer, ONGOING, producer.where)

    def end(self, producer: Producer) -> None:
        """Decide a transaction: state, markers, state."""
        commit = self.random.random() > 0.1
        self.state(producer, PREPARE[commit], producer.where)
        value = record(struct.pack(">hh", 0, commit), struct.pack(">hi", 0, 3))
        lost = self.lost < LOST_MARKERS and self.random.random() < 0.001
        self.lost += lost
        for place in producer.where[lost:]:
            flags = TRANSACTIONAL | CONTROL
            self.logs[place].append(value, 1, flags, self.time, (producer.producer_id, 0, -1))
        self.state(producer, COMPLETE[commit], [])

    def state(self, producer: Producer, status: int, where: list[int]) -> None:
        """Append a record of __transaction_state, value version 0."""
        topics = b"".join(
            struct.pack(">h", len(topic)) + topic + struct.pack(">ii", 1, int(number))
            for topic, number in (
                (self.names[place].rpartition("-")[0].encode(), self.names[place].rpartition("-")[2]) for place in where
            )
        )
        head = struct.pack(">hqhibi", 0, producer.producer_id, 0, TIMEOUT_MS, status, len(where))
        value = head + topics + struct.pack(">qq", self.time, producer.started)
        key = struct.pack(">hh", 0, len(producer.name)) + producer.name.encode()
        log = self.states[partition_for(producer.name, STATE_PARTITIONS)]
        log.append(record(key, value), 1, 0, self.time, (-1, -1, -1))


def write(folder: Path, mb: int, batch_bytes: int, segment_mb: int, seed: int, *, sparse: bool = False) -> int:
    """Write the log dir and return its bytes."""
    cluster = Cluster(folder, batch_bytes, segment_mb * 1_000_000, seed, sparse=sparse)
    logs = [*cluster.logs, *cluster.states]
    while True:
        for _ in range(1000):
            cluster.step()
        if sum(log.total for log in logs) >= mb * 1_000_000:
            break
    while cluster.open:
        cluster.end(cluster.open.pop())
    for log in logs:
        log.close()
    (folder / "meta.properties").write_text("version=0\nbroker.id=0\n", encoding="ascii")
    return sum(log.total for log in logs)


def main() -> None:
    """Read the command line and write the log dir."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=int, default=1000, help="all files together, in 1,000,000 bytes")
    parser.add_argument("--batch-bytes", type=int, default=1024)
    parser.add_argument("--segment-mb", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sparse", action="store_true", help="zeros as values, which take no disk")
    args = parser.parse_args()
    size = write(args.out, args.mb, args.batch_bytes, args.segment_mb, args.seed, sparse=args.sparse)
    print(f"{args.out}: {size:,} bytes")


if __name__ == "__main__":
    main()
