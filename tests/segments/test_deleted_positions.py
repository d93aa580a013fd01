"""Raw commits of groups: what a tombstone deletes is pending no more, and of two partitions the newer one counts."""

import struct

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START, MINUTE = 1_788_134_400_000, 60_000
OPEN = (7, 0)
"""Producer id and epoch of the transaction that is open."""


def text(name: bytes) -> bytes:
    return struct.pack(">h", len(name)) + name


def commit(offset: int, group: bytes, position: int | None, at: int, *, pending: bool = False) -> bytes:
    """A commit of a group's position in orders-0; None deletes it. `pending`: in the open transaction."""
    key = struct.pack(">h", 1) + text(group) + text(b"orders") + struct.pack(">i", 0)
    value = None
    if position is not None:
        value = struct.pack(">hqi", 3, position, -1) + text(b"") + struct.pack(">q", at)
    who = {"producer_id": OPEN[0], "producer_epoch": OPEN[1], "base_sequence": 0} if pending else {}
    return batch(offset, (key, value), flags=0x10 if pending else 0, timestamp=at, **who)


def no_group(offset: int, group: bytes, at: int) -> bytes:
    return batch(offset, (struct.pack(">h", 2) + text(group), None), timestamp=at)


@judged_together
def documents(root):
    data = {"producer_id": OPEN[0], "producer_epoch": OPEN[1]}
    plain = batch(0, *[(b"k", b"v")] * 5, timestamp=START - MINUTE)
    held = batch(5, (b"k", b"v"), flags=0x10, base_sequence=0, timestamp=START + 100, **data)
    late = batch(7, (b"k", b"v"), flags=0x10, base_sequence=1, timestamp=START + 2000, **data)
    orders = plain + held + end_marker(6, commit=False, timestamp=START + 1005, **data) + late
    names = ("Ongoing", "PrepareAbort", "CompleteAbort")
    states = b"".join(
        state_record(number, b"app", state, OPEN, (0,) if number < 2 else (), timestamp=START + 500 * number)
        for number, state in enumerate(names)
    )
    base = {"orders-0": orders, "__transaction_state-0": states}
    kept = commit(0, b"G", 3, START) + commit(1, b"G", 5, START + 600, pending=True)
    gone = commit(2, b"G", None, START + MINUTE) + no_group(3, b"G", START + MINUTE)
    again = commit(4, b"G", 6, START + 2 * MINUTE, pending=True)
    # the old partition has more records than the new one, and is older
    old = b"".join(commit(number, b"G", 3, START + number) for number in range(4))
    new = commit(0, b"G", 8, START + 2 * MINUTE)
    captures = [
        written_capture(root, name, base | more, START + 10 * MINUTE)
        for name, more in {
            "pending": {"__consumer_offsets-0": kept},
            "deleted": {"__consumer_offsets-0": kept + gone},
            "deleted, pending again": {"__consumer_offsets-0": kept + gone + again},
            "moved": {"__consumer_offsets-0": old, "__consumer_offsets-1": new},
            "moved back": {"__consumer_offsets-0": old, "__consumer_offsets-1": commit(0, b"G", 8, START - MINUTE)},
        }.items()
    ]
    return {one.name: root / one.name for one in captures}


@pytest.mark.parametrize(("name", "positions"), [("pending", [5]), ("deleted", []), ("deleted, pending again", [6])])
def test_a_deleted_position_is_not_pending(documents, name, positions):
    document = documents[name]
    assert [one["pending"] for one in document["pending_positions"]] == positions
    assert ("GRP002" in {one["code"] for one in document["findings"]}) == bool(positions)
    held = [(one["topic"], one["partition"]) for one in document["open_transactions"]]
    assert ("__consumer_offsets", 0) in held, "the deleted commit holds the LSO all the same"


@pytest.mark.parametrize(("name", "waits"), [("moved", []), ("moved back", [3])])
def test_of_two_partitions_of_one_group_the_newer_has_its_position(documents, name, waits):
    rows = [one for one in documents[name]["group_impact"] if one["topic"] == "orders"]
    assert [one["position"] for one in rows] == waits
