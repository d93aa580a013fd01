"""Keys of an expanded topic in aborted transactions: no read_committed reader is given them, so no order is lost."""

import struct
from collections import defaultdict

import pytest
from judged_together import judged_together
from written import batch, end_marker

from analyzer.kafka.key_hashing import key_murmur2

START, BEFORE, AFTER = 1_788_134_400_000, 1_000, 60_000
OF = {"producer_id": 7, "producer_epoch": 0}
KEYS = [b"user-%d" % number for number in range(80)]
MOVED = [key for key in KEYS if key_murmur2(key) % 4 != key_murmur2(key) % 8]


class Logs:
    """The partitions of orders, which are written to by one partition count or the other."""

    def __init__(self) -> None:
        self.bytes: dict[int, bytes] = defaultdict(bytes)
        self.ends: dict[int, int] = defaultdict(int)

    def write(self, keys: list[bytes], count: int, after_ms: int, decision: bool | None = None) -> None:
        """Write a record of each key; with a decision, in a transaction that commits or not."""
        placed = defaultdict(list)
        for key in keys:
            placed[key_murmur2(key) % count].append((key, b"v"))
        for partition, records in placed.items():
            head = {"timestamp": START + after_ms, **({} if decision is None else {"base_sequence": 0, **OF})}
            flags = 0 if decision is None else 0x10
            self.bytes[partition] += batch(self.ends[partition], *records, flags=flags, **head)
            self.ends[partition] += len(records)
            if decision is not None:
                marker = end_marker(self.ends[partition], commit=decision, timestamp=START + after_ms + 10, **OF)
                self.bytes[partition] += marker
                self.ends[partition] += 1

    def files(self, positions: dict[int, int]) -> dict[str, bytes]:
        """The segments, and the commits of the group `shop`."""
        commits = b""
        for number, (partition, position) in enumerate(positions.items()):
            key = struct.pack(">hh4sh6si", 1, 4, b"shop", 6, b"orders", partition)
            value = struct.pack(">hqihq", 3, position, -1, 0, START + 90_000)
            commits += batch(number, (key, value), timestamp=START + 90_000)
        named = {f"orders-{partition}": content for partition, content in self.bytes.items()}
        return {f"{name}/{0:020d}.log": one for name, one in (named | {"__consumer_offsets-0": commits}).items()}


def tail_unread(decision: bool) -> dict[str, bytes]:
    """The group has read the old partitions up to a transaction with the last records of moved keys."""
    logs = Logs()
    logs.write(KEYS, 4, BEFORE)
    positions = dict(logs.ends)
    logs.write(MOVED, 4, BEFORE + 1_000, decision)
    logs.write(KEYS, 8, AFTER)
    return logs.files({**logs.ends, **positions})


def read_there(decision: bool) -> dict[str, bytes]:
    """The group has read nothing old, and in the new partitions no more than a transaction."""
    logs = Logs()
    logs.write(KEYS, 4, BEFORE)
    logs.write(MOVED, 8, AFTER, decision)
    return logs.files({**logs.ends, **dict.fromkeys(range(4), 0)})


@judged_together
def documents():
    captures = {
        "aborted tail": tail_unread(False), "committed tail": tail_unread(True),
        "aborted there": read_there(False), "committed there": read_there(True),
    }  # fmt: skip
    toml = f'captured_at = {START + 600_000}\nkeys = ["orders"]\n'
    return {name: {**files, "capture.toml": toml} for name, files in captures.items()}


@pytest.fixture(scope="module")
def found(documents) -> dict[str, set[str]]:
    """The codes of each capture's findings about the order of keys."""
    codes = {name: {finding["code"] for finding in one["findings"]} for name, one in documents.items()}
    return {name: {code for code in ones if code.startswith("ORD")} for name, ones in codes.items()}


@pytest.mark.parametrize("where", ["tail", "there"])
def test_aborted_records_break_no_order(found, where):
    assert found[f"aborted {where}"] == set()
    assert found[f"committed {where}"] == {"ORD001", "ORD003"}
