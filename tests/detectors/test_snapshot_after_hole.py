"""What a producer snapshot has open after a hole of the log is not the data that the log has open before that hole."""

import pytest
from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

BEFORE = "0..1 data p7e0 s0 @100"
RUNNING = """\
0    state pay-1 p7e4 CompleteCommit - @590000
1    state pay-1 p7e4 Ongoing orders-0 @598000
2    state pay-2 p8e0 Ongoing orders-0 @598900
3    state pay-2 p8e0 PrepareCommit orders-0 @599000
4    state pay-2 p8e0 CompleteCommit - @599020"""
ENDED = "0    state pay-1 p7e4 CompleteCommit - @590000\n1    state pay-2 p8e0 Empty @599000"
AFTER = "10 data p8e0 s0 @598950\n11 COMMIT p8e0 @599010"


def capture(states, after=AFTER):
    opened = START_MS + 598_100
    snapshot = (
        "Dumping orders-0/00000000000000000010.snapshot\n"
        "producerId: 7 producerEpoch: 4 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong[8] lastTimestamp: "
        f"{opened} firstSequence: 3 lastSequence: 4 lastOffset: 9 offsetDelta: 1 timestamp: {opened}\n"
    )
    logs = {"orders-0": BEFORE, "orders-0 10": after, "__transaction_state-0": states}
    return taken_at("10:10:00") | dumps_of(logs) | {"broker-1/orders-0/00000000000000000010.snapshot.txt": snapshot}


CAPTURES = {
    "running": capture(RUNNING),
    "running, with more data": capture(RUNNING, f"10 data p7e4 s5 @598500\n{AFTER.replace('11', '12').replace('10', '11')}"),
    "ended": capture(ENDED, "10 plain @598950"),
}  # fmt: skip


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize("name", ["running", "running, with more data"])
def test_what_runs_now_is_not_judged_as_what_is_older(documents, name):
    document = documents[name]
    assert document["findings"] == []
    (row,) = document["open_transactions"]
    assert (row["first_offset"], row["producer_epoch"], row["verdict"]) == (8, 4, "in_flight")
    assert row["last_offset"] is None or row["last_offset"] >= row["first_offset"]


def test_what_only_a_snapshot_knows_is_undecided_while_a_segment_is_missing(documents):
    document = documents["ended"]
    assert [row["confidence"] for row in document["findings"] if row["confidence"] == "certain"] == []
    (row,) = document["open_transactions"]
    assert (row["first_offset"], row["verdict"]) == (8, "undecided")
