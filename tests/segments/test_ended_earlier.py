"""A partition of a running transaction is ended, by hand or by a decision that was lost, and then decided otherwise."""

import struct

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START = 1_795_252_000_000
SECOND, MINUTE = 1_000, 60_000
ONGOING, PREPARE, COMPLETE = 1, (3, 2), (5, 4)
"""States; of Prepare and Complete by abort and commit."""
MINE = {"producer_id": 200, "producer_epoch": 0}
RECORDS = [(b"k", b"v")] * 3


def data(offset, sequence, timestamp):
    return batch(offset, *RECORDS, flags=0x10, base_sequence=sequence, timestamp=timestamp, **MINE)


def marker(offset, timestamp, *, commit, coordinator=0):
    return end_marker(offset, commit=commit, timestamp=timestamp, coordinator=coordinator, **MINE)


def state(offset, status, partitions, timestamp, begun):
    key = struct.pack(">hh", 0, 1) + b"x"
    listed = (
        struct.pack(">i", 1)
        + struct.pack(">h", 6)
        + b"orders"
        + struct.pack(f">i{len(partitions)}i", len(partitions), *partitions)
    )
    head = struct.pack(">hqhib", 0, 200, 0, MINUTE, status) + (listed if partitions else struct.pack(">i", 0))
    return batch(offset, (key, head + struct.pack(">qq", timestamp, begun)), timestamp=timestamp)


def states(*begun, last=True):
    """Transactions over both partitions: begun, decided 50 s later, complete 10 ms after that; `last` commits."""
    steps = []
    for at in begun:
        commit = last or at != begun[-1]
        steps += [(ONGOING, (0, 1), at, at), (PREPARE[commit], (0, 1), at + 50 * SECOND, at)]
        steps.append((COMPLETE[commit], (), at + 50 * SECOND + 10, at))
    return b"".join(state(offset, *step) for offset, step in enumerate(steps))


def whole(begun, *, last=True):
    """A partition in which every transaction ends as it was decided."""
    parts = []
    for number, at in enumerate(begun):
        parts.append(data(4 * number, 3 * number, at + SECOND))
        parts.append(marker(4 * number + 3, at + 50 * SECOND + 5, commit=last or at != begun[-1]))
    return b"".join(parts)


def capture(root, name, partition, begun, *, last=True, more=b""):
    files = {
        "orders-0": partition,
        "orders-1": whole(begun, last=last),
        "__transaction_state-0": states(*begun, last=last) + more,
    }
    return written_capture(root, name, files, begun[-1] + 10 * MINUTE)


def running(root, name, partition, begun, *, other_after=30 * SECOND, taken_after=40 * SECOND):
    """The last transaction runs on: its id's newest record says Ongoing, another id's comes after that."""
    last = begun[-1]
    ongoing = state(3, ONGOING, (0, 1), last, last)
    other = state_record(4, b"other", "Empty", (300, 0), timestamp=last + other_after, begun=-1)
    files = {
        "orders-0": partition,
        "orders-1": whole(begun[:-1]) + data(4, 3, last + SECOND),
        "__transaction_state-0": states(*begun[:-1]) + ongoing + other,
    }
    return written_capture(root, name, files, last + taken_after)


@judged_together
def documents(root):
    first, second = START, START + 2 * MINUTE
    decided = second + 50 * SECOND + 5
    both = (first, second)
    earlier = data(0, 0, first + SECOND) + marker(3, first + 50 * SECOND + 5, commit=True)
    own, late = data(4, 3, second + SECOND), data(4, 3, first + 49 * SECOND)
    aborted, committed = (marker(7, second + 20 * SECOND, commit=commit) for commit in (False, True))
    end, timed_out = (marker(8, decided, commit=commit) for commit in (True, False))
    elsewhere = marker(8, decided, commit=False, coordinator=1)
    went_on = data(8, 6, second + 30 * SECOND) + marker(11, decided, commit=True)
    afterwards = marker(7, decided + 5 * SECOND, commit=False)
    # a record is unreadable here, which may be that of another transaction, or of a decision
    unreadable = bytearray(state(6, ONGOING, (0,), decided + SECOND, decided + SECOND))
    unreadable[-1] ^= 1
    lost = bytes(unreadable) + state_record(7, b"other", "Empty", (300, 0), timestamp=decided + 6 * MINUTE, begun=-1)
    captures = [
        capture(root, "whole", whole(both), both),
        capture(root, "by hand", earlier + own + aborted + end, both),
        capture(root, "by hand, went on", earlier + own + aborted + went_on, both),
        capture(root, "unknown, went on", earlier + own + aborted + went_on, both, more=lost),
        capture(root, "late, went on", earlier + late + aborted + went_on, both),
        capture(root, "by hand, no marker", earlier + own + aborted, both),
        capture(root, "late, no marker", earlier + late + aborted, both),
        capture(root, "unknown, no marker", earlier + own + aborted, both, more=lost),
        capture(root, "forgotten", earlier + own + committed + elsewhere, both, last=False),
        capture(root, "stale", earlier + own + committed + timed_out, both, last=False),
        capture(root, "late", earlier + late + aborted + end, both),
        capture(root, "by hand, afterwards", earlier + own + afterwards, both),
        capture(root, "unknown, afterwards", earlier + own + afterwards, both, more=lost),
        running(root, "runs on", earlier + own + aborted, both),
        running(root, "runs on, wrote on", earlier + own + aborted + data(8, 6, second + 30 * SECOND), both),
        running(root, "runs on, late", earlier + late + aborted, both),
        running(root, "runs on, records end", earlier + own + aborted, both, other_after=19 * SECOND),
        running(root, "runs on, overdue", earlier + own + aborted, both, taken_after=2 * MINUTE),
    ]
    return {one.name: root / one.name for one in captures}


@pytest.mark.parametrize(
    ("name", "impact", "cause", "whom"),
    [
        ("by hand", "lost_data", "by hand", "PRODUCER'S"),
        ("by hand, went on", "lost_data", "by hand", "PRODUCER'S"),
        ("by hand, no marker", "lost_data", "by hand", "PRODUCER'S"),
        ("forgotten", "lost_data", "lost its decision", "PRODUCER'S"),
        # the same coordinator wrote both markers: the first one is that of the transaction before, once more
        ("stale", "wrong_data", "came again", "CONSUMERS'"),
    ],
)
def test_what_was_ended_and_then_decided_otherwise_is_torn(documents, name, impact, cause, whom):
    (finding,) = documents[name]["findings"]
    assert (finding["code"], finding["confidence"], finding["partition"]) == ("TXN010", "likely", 0)
    assert (finding["first_offset"], finding["last_offset"], finding["readers"]["impact"]) == (4, 6, impact)
    assert [one["position"] for one in finding["evidence"] if "orders-0" in one["file"]] == [166, 254]
    assert cause in finding["cause"][0]
    assert f"NOTIFY THE {whom} OWNERS" in finding["action"]["summary"]


def test_a_marker_against_the_decision_is_an_administrators_where_every_record_is_here(documents):
    torn = [one for one in documents["by hand, afterwards"]["findings"] if one["code"] == "TXN010"]
    assert [(one["confidence"], one["partition"], one["first_offset"]) for one in torn] == [("likely", 0, 4)]
    assert [one["code"] for one in documents["unknown, afterwards"]["findings"] if one["code"] == "TXN010"] == []


@pytest.mark.parametrize("name", ["runs on", "runs on, wrote on"])
def test_what_was_ended_of_a_running_transaction_is_torn_once_that_commits(documents, name):
    (finding,) = documents[name]["findings"]
    assert (finding["code"], finding["confidence"], finding["partition"]) == ("TXN010", "likely", 0)
    assert (finding["first_offset"], finding["last_offset"], finding.get("readers")) == (4, 6, None)
    assert "x must not commit" in finding["action"]["summary"]
    assert [(one["first_offset"], one["verdict"]) for one in documents["runs on"]["open_transactions"]] == [
        (4, "in_flight")
    ]


NOT_TORN = (
    "whole", "late", "late, no marker", "unknown, no marker", "late, went on", "unknown, went on", "runs on, late",
    "runs on, records end", "runs on, overdue",
)  # fmt: skip


@pytest.mark.parametrize("name", NOT_TORN)
def test_what_was_committed_and_a_late_write_that_was_aborted_are_not(documents, name):
    """The late write was made while the transaction before ran: the administrator was right to abort it."""
    assert [one["code"] for one in documents[name]["findings"] if one["code"] == "TXN010"] == []
