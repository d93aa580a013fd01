"""Writes dumps as DumpLogSegments of 3.x prints them with --deep-iteration: valid chains, transactions with markers.

    python bench/make_dumps.py OUT --mb 100 --files 2 --records-per-batch 10 --seed 1

OUT gets `<topic>-<partition>/00000000000000000000.log.txt`, one file a partition, each of about the size asked for.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

TOPICS = ("orders", "payments", "shipments", "ledger")
BASE_MS = 1_795_252_400_000
BATCH_OVERHEAD, RECORD_OVERHEAD, MARKER_BYTES = 61, 12, 78
PRODUCERS = 4_000
OPEN_AT_ONCE = 40


class Producer:
    """A producer id with its epoch, next sequence and how many batches its transaction still gets."""

    def __init__(self, producer_id: int, *, transactional: bool) -> None:
        """Begin with epoch 0 and sequence 0."""
        self.producer_id = producer_id
        self.transactional = transactional
        self.epoch = 0
        self.sequence = 0
        self.left = 0


class Partition:
    """A partition's log while it is written."""

    def __init__(self, seed: int, records_per_batch: int) -> None:
        """Make thousands of producers, nine in ten of them transactional."""
        self.random = random.Random(seed)
        self.records_per_batch = records_per_batch
        self.producers = [Producer(1000 + n, transactional=n % 10 > 0) for n in range(PRODUCERS)]
        self.open: list[Producer] = []
        self.offset = 0
        self.position = 0
        self.time = BASE_MS

    def lines(self) -> Iterator[str]:
        """Yield batch after batch, each with its record lines, without end."""
        while True:
            self.time += self.random.randrange(1, 20)
            if len(self.open) < OPEN_AT_ONCE:
                producer = self.random.choice(self.producers)
                if producer not in self.open:
                    producer.left = self.random.randrange(1, 6)
                    self.open.append(producer)
            producer = self.random.choice(self.open)
            yield self.data(producer)
            producer.left -= 1
            if producer.left <= 0:
                self.open.remove(producer)
                if producer.transactional:
                    yield self.marker(producer)

    def data(self, producer: Producer) -> str:
        """Return a data batch."""
        count = max(1, self.random.randrange(self.records_per_batch * 2) + 1) if self.records_per_batch > 1 else 1
        sizes = [(self.random.choice((-1, 8, 16)), self.random.randrange(20, 400)) for _ in range(count)]
        size = BATCH_OVERHEAD + sum(RECORD_OVERHEAD + max(key, 0) + value for key, value in sizes)
        codec = self.random.choice(("none", "none", "lz4", "snappy"))
        head = self.head(producer, count, producer.sequence, control=False, size=size, codec=codec)
        records = [
            f"| offset: {self.offset + n} CreateTime: {self.time} keySize: {key} valueSize: {value}"
            f" sequence: {producer.sequence + n} headerKeys: [{'traceparent' if value % 7 == 0 else ''}]\n"
            for n, (key, value) in enumerate(sizes)
        ]
        producer.sequence += count
        self.offset += count
        self.position += size
        return head + "".join(records)

    def marker(self, producer: Producer) -> str:
        """Return a control batch with its marker."""
        kind = "ABORT" if self.random.random() < 0.1 else "COMMIT"
        head = self.head(producer, 1, -1, control=True, size=MARKER_BYTES, codec="none")
        line = (
            f"| offset: {self.offset} CreateTime: {self.time} keySize: 4 valueSize: 6 sequence: -1 headerKeys: []"
            f" endTxnMarker: {kind} coordinatorEpoch: 3\n"
        )
        self.offset += 1
        self.position += MARKER_BYTES
        return head + line

    def head(self, producer: Producer, count: int, sequence: int, *, control: bool, size: int, codec: str) -> str:
        """Return a batch line as 3.2 and later print it."""
        last = sequence + count - 1 if sequence >= 0 else -1
        return (
            f"baseOffset: {self.offset} lastOffset: {self.offset + count - 1} count: {count}"
            f" baseSequence: {sequence} lastSequence: {last} producerId: {producer.producer_id}"
            f" producerEpoch: {producer.epoch} partitionLeaderEpoch: 5"
            f" isTransactional: {str(producer.transactional).lower()} isControl: {str(control).lower()}"
            f" deleteHorizonMs: OptionalLong.empty position: {self.position} CreateTime: {self.time} size: {size}"
            f" magic: 2 compresscodec: {codec} crc: {self.random.randrange(1 << 32)} isvalid: true\n"
        )


def write(folder: Path, number: int, size: int, records_per_batch: int, seed: int) -> Path:
    """Write one dump of about `size` bytes and return its path."""
    topic, partition = TOPICS[number % len(TOPICS)], number // len(TOPICS)
    path = folder / f"{topic}-{partition}" / "00000000000000000000.log.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("w") as out:
        out.write(f"Dumping {topic}-{partition}/00000000000000000000.log\nLog starting offset: 0\n")
        for text in Partition(seed + number, records_per_batch).lines():
            out.write(text)
            written += len(text)
            if written >= size:
                return path
    return path


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=int, default=100, help="all files together, in 1,000,000 bytes")
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--records-per-batch", type=int, default=10, help="on average")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for number in range(args.files):
        size = args.mb * 1_000_000 // args.files
        print(write(args.out, number, size, args.records_per_batch, args.seed))


if __name__ == "__main__":
    main()
