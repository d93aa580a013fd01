"""Records of __transaction_state that a newer leader epoch cut off: the leader's count, a COMMIT among them is no abort."""

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START = 1_795_252_000_000
SECOND, MINUTE = 1_000, 60_000
MINE, OTHER = {"producer_id": 200, "producer_epoch": 0}, {"producer_id": 100, "producer_epoch": 0}
RECORDS = [(b"k", b"v")] * 3
SECOND_TXN, LATER = START + 10 * SECOND, START + 2 * MINUTE


def transaction(offset, name, producer, at, end, epoch=0):
    """Ongoing at, decided 5 s later, complete 10 ms after that."""
    steps = (("Ongoing", (0,), at), (f"Prepare{end}", (0,), at + 5 * SECOND), (f"Complete{end}", (), at + 5_010))
    return b"".join(
        state_record(offset + number, name, state, producer, listed, timestamp=ms, epoch=epoch)
        for number, (state, listed, ms) in enumerate(steps)
    )


def data(offset, at, sequence, producer, end=None):
    """A transaction's data in the log, and its marker."""
    own = batch(offset, *RECORDS, flags=0x10, base_sequence=sequence, timestamp=at + SECOND, **producer)
    marker = end_marker(offset + 3, commit=end == "Commit", timestamp=at + 5_005, **producer) if end else b""
    return own + marker


ABORTED = transaction(0, b"x", (200, 0), START, "Abort")
LED = ABORTED + transaction(3, b"other", (100, 0), LATER, "Commit", epoch=1)
"""What the leader has: leader epoch 1 begins at offset 3."""
COPIES = {
    # the id's next transaction was committed, and the new leader does not know that there was one
    "committed": (
        ABORTED + transaction(3, b"x", (200, 0), SECOND_TXN, "Commit"),
        data(0, START, 0, MINE, "Abort") + data(4, SECOND_TXN, 3, MINE) + data(7, LATER, 0, OTHER, "Commit"),
    ),
    # the same records of another id, and nothing is open
    "ended": (
        ABORTED + transaction(3, b"y", (300, 0), SECOND_TXN, "Commit"),
        data(0, START, 0, MINE, "Abort") + data(4, LATER, 0, OTHER, "Commit"),
    ),
}


@judged_together
def documents(root):
    captures = [
        written_capture(
            root, name, {"orders-0": log, "__transaction_state-0": LED}, LATER + 10 * MINUTE,
            other={"__transaction_state-0": cut},
        )
        for name, (cut, log) in COPIES.items()
    ]  # fmt: skip
    return {one.name: root / one.name for one in captures}


@pytest.mark.parametrize("name", COPIES)
def test_records_of_two_histories_are_not_mixed(documents, name):
    """At the same offset the copies have records of different ids: neither is the other's, and no order is wrong."""
    assert [one["code"] for one in documents[name]["findings"]] == ["LOG001"]


def test_what_only_a_cut_off_record_says_is_committed_is_not_to_be_aborted(documents):
    (one,) = documents["committed"]["open_transactions"]
    assert (one["first_offset"], one["verdict"]) == (4, "undecided")
    assert "do not abort it" in one["why"]
