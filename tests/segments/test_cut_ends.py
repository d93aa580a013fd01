"""What is missing of files, or untold: it is not the cleaner's work nor an election's, and nothing to be calm about."""

import struct

import pytest
from crc32c import crc32c
from judged_together import judged_together
from written import batch, end_marker

START_MS = 1_788_134_400_000
OF = {"producer_id": 7, "producer_epoch": 0}
ONGOING, PREPARE_ABORT, PREPARE_COMMIT, COMPLETE_COMMIT, COMPLETE_ABORT = 1, 3, 2, 4, 5


def data(offset: int, sequence: int, **head) -> bytes:
    return batch(offset, (b"k%d" % offset, b"v"), flags=0x10, base_sequence=sequence, **OF, **head)


def state(offset: int, status: int, after_ms: int, *, listed: bool) -> bytes:
    """A record of __transaction_state of pay-1; its list is orders-0, or empty."""
    name = b"orders"
    of_list = struct.pack(">ih", 1, len(name)) + name + struct.pack(">ii", 1, 0) if listed else struct.pack(">i", 0)
    updated = START_MS + after_ms
    value = struct.pack(">hqhib", 0, 7, 0, 60_000, status) + of_list + struct.pack(">qq", updated, START_MS)
    return batch(offset, (b"\0\0\0\5pay-1", value), timestamp=updated)


def states(prepare: int, complete: int) -> bytes:
    return b"".join((
        state(0, ONGOING, 0, listed=True), state(1, prepare, 1_000, listed=True),
        state(2, complete, 1_050, listed=False), state(3, 0, 595_000, listed=False),
    ))  # fmt: skip


def snapshot() -> bytes:
    """A producer snapshot that has the transaction open from offset 0."""
    entries = struct.pack(">iqhiqiqiq", 1, 7, 0, 0, 0, 0, START_MS + 10, -1, 0)
    return struct.pack(">hI", 1, crc32c(entries)) + entries


ABORTED = {
    "orders-0/00000000000000000000.log": data(0, 0, timestamp=START_MS + 10)
    + end_marker(1, commit=False, timestamp=START_MS + 1_020, **OF),
    "orders-0/00000000000000000000.txnindex": struct.pack(">hqqqq", 0, 7, 0, 1, 2),
    "orders-0/00000000000000000002.log": batch(2, (b"k", b"v"), timestamp=START_MS + 590_000),
    "__transaction_state-0/00000000000000000000.log": states(PREPARE_ABORT, COMPLETE_ABORT),
    "cleaner-offset-checkpoint": b"0\n1\norders 0 2\n",
    "replication-offset-checkpoint": b"0\n1\norders 0 3\n",
}
COMMITTED = {
    "orders-0/00000000000000000000.log": data(0, 0, timestamp=START_MS + 10)
    + batch(1, (b"k", b"v"), timestamp=START_MS + 20)
    + batch(2, (b"k", b"v"), timestamp=START_MS + 30)
    + end_marker(3, commit=True, timestamp=START_MS + 1_020, epoch=2, **OF)
    + batch(4, (b"k", b"v"), epoch=2, timestamp=START_MS + 590_000),
    "orders-0/00000000000000000003.snapshot": snapshot(),
    "orders-0/leader-epoch-checkpoint": b"0\n2\n0 0\n2 3\n",
    "__transaction_state-0/00000000000000000000.log": states(PREPARE_COMMIT, COMPLETE_COMMIT),
    "replication-offset-checkpoint": b"0\n1\norders 0 5\n",
}


def cut(files: dict[str, bytes], keep: int) -> dict[str, bytes]:
    """The same files, of the first segment of orders-0 only its first bytes."""
    first = "orders-0/00000000000000000000.log"
    return files | {first: files[first][:keep]}


PREPARED = {
    "orders-0/00000000000000000000.log": data(0, 0, timestamp=START_MS + 10),
    "__transaction_state-0/00000000000000000000.log": state(0, ONGOING, 0, listed=True)
    + state(1, PREPARE_COMMIT, 1_000, listed=True),
}
"""The coordinator stopped before it wrote the marker, and nothing was written after that."""
THINNED = {
    "orders-0/00000000000000000000.log": batch(0, (b"k", b"v"), timestamp=START_MS + 5)
    + data(2, 0, timestamp=START_MS + 10),
    "orders-0/00000000000000000004.log": batch(4, (b"k", b"v"), timestamp=START_MS + 20)
    + end_marker(5, commit=True, timestamp=START_MS + 590_000, producer_id=8, producer_epoch=0),
    "__transaction_state-0/00000000000000000000.log": states(PREPARE_ABORT, COMPLETE_ABORT),
}
"""Of a compacted topic, without the cleaner's checkpoint: a marker at 3, after the data, would have been cleaned."""
LAST_CUT = {
    "orders-0/00000000000000000000.log": data(0, 0, timestamp=START_MS + 10)
    + end_marker(1, commit=False, timestamp=START_MS + 1_020, **OF)[:40],
    "orders-1/00000000000000000000.log": batch(0, (b"k", b"v"), timestamp=START_MS + 580_000)
    + end_marker(1, commit=True, timestamp=START_MS + 590_000, producer_id=8, producer_epoch=0),
    "__transaction_state-0/00000000000000000000.log": states(PREPARE_ABORT, COMPLETE_ABORT),
}
"""Half of the marker came through; another partition of the broker reaches further."""
CAPTURES = {
    "prepared": PREPARED,
    "last segment cut": LAST_CUT,
    "thinned": THINNED,
    "aborted": ABORTED,
    "aborted, rolled segment cut": cut(ABORTED, len(ABORTED["orders-0/00000000000000000000.log"]) - 20),
    "committed": COMMITTED,
    "committed, cut before the epoch": cut(COMMITTED, len(data(0, 0)) + 30),
}


@judged_together
def documents():
    found = {}
    for name, files in CAPTURES.items():
        told = "" if name == "prepared" else f"captured_at = {START_MS + 600_000}\n"
        found[name] = {f"broker-1/{path}": content for path, content in files.items()}
        found[name]["capture.toml"] = f"{told}[partition_counts]\n__transaction_state = 1\n"
    return found


@pytest.mark.parametrize("name", ["aborted", "committed"])
def test_the_whole_files_are_clean(documents, name):
    assert (documents[name]["verdict"], documents[name]["findings"]) == ("clean", [])


def test_the_cut_end_of_a_rolled_segment_is_not_the_cleaners(documents):
    document = documents["aborted, rolled segment cut"]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    assert "offset_hole" in {note["kind"] for note in document["coverage"]["notes"]}


def test_an_epoch_beyond_a_cut_end_took_no_marker(documents):
    document = documents["committed, cut before the epoch"]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    assert [row["verdict"] for row in document["open_transactions"]] == ["undecided"]


def test_a_marker_that_is_half_here_is_not_missing(documents):
    document = documents["last segment cut"]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    assert [row["verdict"] for row in document["open_transactions"]] == ["undecided"]


def test_a_hole_after_the_data_may_hold_its_marker(documents):
    document = documents["thinned"]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    assert [row["verdict"] for row in document["open_transactions"]] == ["undecided"]


def test_a_decision_of_unknown_age_is_not_clean(documents):
    document = documents["prepared"]
    assert document["verdict"] == "inconclusive"
    assert [row["verdict"] for row in document["open_transactions"]] == ["completing"]
    assert "untold_moment" in {note["kind"] for note in document["coverage"]["notes"]}
