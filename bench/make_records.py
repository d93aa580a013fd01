"""Writes a capture in which records count, not batches: an expanded keyed topic, and commits of groups.

usage: python bench/make_records.py OUT [--keyed 1000000] [--keys N] [--commits 1000000] [--groups 300] [--seed 1]
The topic `orders` grew from 6 to 12 partitions halfway; afterwards one producer went on by the old count, and a group
reads on in the new partitions before it is done with the old ones. OUT/capture.toml names the topic, OUT/broker-0 is
the log dir. Equal arguments give equal bytes.
"""

import argparse
import random
import struct
from pathlib import Path

from make_segments import BASE_MS, CONTROL, TRANSACTIONAL, Log, record

from analyzer.kafka.hashing import partition_for
from analyzer.kafka.key_hashing import key_murmur2

TOPIC = "orders"
OLD, NEW = 6, 12
IN_BATCH = 50
STALE_ID, STALE_SHARE = 7_000, 0.01
OFFSETS_PARTITIONS = 50
READ_SHARE = 0.4
"""How much of each old partition the group has read that is far ahead in the new ones."""
SEGMENT_BYTES = 512_000_000
MARKER = record(struct.pack(">hh", 0, 1), struct.pack(">hi", 0, 0))


class Topic:
    """The partitions of the keyed topic, and the records that wait for a batch of their producer in each."""

    def __init__(self, folder: Path) -> None:
        """Begin all partitions: those that come later stay empty until then."""
        self.logs = [Log(folder / f"{TOPIC}-{number}", SEGMENT_BYTES) for number in range(NEW)]
        self.waiting: dict[tuple[int, int], list[bytes]] = {}
        self.time = BASE_MS

    def append(self, key: bytes, partition: int, producer_id: int) -> None:
        """Append the record, with others of its producer, once they fill a batch."""
        waiting = self.waiting.setdefault((partition, producer_id), [])
        waiting.append(record(key, b"x", len(waiting)))
        if len(waiting) == IN_BATCH:
            self.flush(partition, producer_id)

    def flush(self, partition: int, producer_id: int) -> None:
        """Append what waits."""
        waiting = self.waiting.pop((partition, producer_id))
        self.time += 1
        self.logs[partition].append(b"".join(waiting), len(waiting), 0, self.time, (producer_id, 0, 0))

    def flush_all(self) -> None:
        """Append everything that waits."""
        for partition, producer_id in sorted(self.waiting):
            self.flush(partition, producer_id)


class Offsets:
    """The partitions of __consumer_offsets."""

    def __init__(self, folder: Path) -> None:
        """Begin all partitions."""
        self.logs = [
            Log(folder / f"__consumer_offsets-{number}", SEGMENT_BYTES) for number in range(OFFSETS_PARTITIONS)
        ]
        self.time = BASE_MS

    def commit(self, group: str, positions: dict[tuple[str, int], int], producer_id: int) -> None:
        """Append a commit of these positions by topic and partition: a transaction, or plain without a producer id."""
        self.time += 1
        log = self.logs[partition_for(group, OFFSETS_PARTITIONS)]
        value = struct.pack(">i", -1) + struct.pack(">h", 0) + struct.pack(">q", self.time)
        records = [
            record(
                struct.pack(">h", 1) + _text(group) + _text(topic) + struct.pack(">i", partition),
                struct.pack(">hq", 3, position) + value,
                at,
            )
            for at, ((topic, partition), position) in enumerate(sorted(positions.items()))
        ]
        producer = (producer_id, 0, 0)
        flags = 0 if producer_id < 0 else TRANSACTIONAL
        log.append(b"".join(records), len(records), flags, self.time, producer)
        if flags:
            log.append(MARKER, 1, TRANSACTIONAL | CONTROL, self.time, (producer_id, 0, -1))


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text)) + text.encode()


def write_keyed(folder: Path, records: int, keys: int, chance: random.Random) -> dict[int, int]:
    """Write the keyed topic and return how much of each partition the group has read that is ahead."""
    topic = Topic(folder)
    hashes: dict[bytes, int] = {}
    ends: list[int] = []
    for at in range(records):
        if at == records // 2:
            topic.flush_all()
            ends = [log.offset for log in topic.logs]
        key = b"order-%d" % chance.randrange(keys)
        number = hashes.setdefault(key, key_murmur2(key))
        stale = bool(ends) and chance.random() < STALE_SHARE
        topic.append(key, number % (NEW if ends and not stale else OLD), STALE_ID if stale else -1)
    topic.flush_all()
    for log in topic.logs:
        log.out.close()
    read = {at: int(end * READ_SHARE) for at, end in enumerate(ends[:OLD])}
    return read | {at: topic.logs[at].offset for at in range(OLD, NEW)}


def write_commits(folder: Path, commits: int, groups: int, ahead: dict[int, int], chance: random.Random) -> None:
    """Write commits of these groups over two partitions each, every other one in transactions; then the group ahead."""
    offsets = Offsets(folder)
    for at in range(commits // 2):
        group = chance.randrange(groups)
        positions = {("payments", partition): at for partition in (group % 5, group % 5 + 5)}
        offsets.commit(f"group-{group}", positions, 9_000 + group if group % 2 else -1)
    if ahead:
        offsets.commit("ahead", {(TOPIC, partition): position for partition, position in ahead.items()}, -1)
    for log in offsets.logs:
        log.out.close()


def main() -> None:
    """Read the command line and write the capture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keyed", type=int, default=1_000_000, help="keyed records, 0 for none")
    parser.add_argument("--keys", type=int, help="how many different keys, a tenth of the records if not given")
    parser.add_argument("--commits", type=int, default=1_000_000, help="commits of positions")
    parser.add_argument("--groups", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    broker = given.out / "broker-0"
    ahead = write_keyed(broker, given.keyed, given.keys or given.keyed // 10, chance) if given.keyed else {}
    write_commits(broker, given.commits, given.groups, ahead, chance)
    (broker / "meta.properties").write_text("version=0\nbroker.id=0\n", encoding="ascii")
    if given.keyed:
        (given.out / "capture.toml").write_text(f'keys = ["{TOPIC}"]\n', encoding="ascii")


if __name__ == "__main__":
    main()
