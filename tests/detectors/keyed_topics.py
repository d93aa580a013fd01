"""Captures of keyed topics: which count places which keys when, and how far a group has read."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from fill_page import dumps_of
from writing import Files

from analyzer.kafka.key_hashing import key_murmur2

CAPTURED = "captured_at = 2026-01-01T10:10:00Z\n"
Rule = Callable[[str], int]


def some_keys(count: int) -> list[str]:
    return [f"user-{number}" for number in range(count)]


def by_count(count: int) -> Rule:
    """The partitioner of a client that knows of so many partitions."""
    return lambda key: key_murmur2(key.encode()) % count


class KeyedTopic:
    """A topic that is written to in batches, one for each partition and time."""

    def __init__(self, name: str = "orders") -> None:
        self.name = name
        self.lines: dict[int, list[str]] = defaultdict(list)
        self.ends: dict[int, int] = defaultdict(int)

    def write(self, keys: Iterable[str], rule: Rule, at: int, who: str = "") -> None:
        """Write a record of each key where the rule places it, `at` milliseconds after 10:00:00."""
        placed = defaultdict(list)
        for key in keys:
            placed[rule(key)].append(key)
        for partition, own in sorted(placed.items()):
            first = self.ends[partition]
            self.add(partition, f"{first}..{first + len(own) - 1} keyed {','.join(own)} {who} @{at}", len(own))

    def add(self, partition: int, line: str, records: int = 1) -> None:
        """Append a batch by its line in a history."""
        self.lines[partition].append(line)
        self.ends[partition] += records

    def files(self, positions: Mapping[int, int] | None = None, toml: str = "", skip: Iterable[int] = ()) -> Files:
        """The dumps of all partitions but some, with the positions of the group `shop`."""
        logs = {f"{self.name}-{one}": "\n".join(lines) for one, lines in self.lines.items() if one not in skip}
        if positions:
            told = ",".join(f"{self.name}-{one}={at}" for one, at in positions.items())
            logs["__consumer_offsets-0"] = f"0..{len(positions) - 1} commit shop {told} @400000"
        return dumps_of(logs) | {"capture.toml": f'{CAPTURED}keys = ["{self.name}"]\n{toml}'}
