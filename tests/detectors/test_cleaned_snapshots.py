"""What a producer snapshot has open and the cleaner took since: it contradicts the log only where nothing ended it."""

import pytest
from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

STATES = """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing kv-0 @55
2    state pay-1 p7e0 PrepareCommit kv-0 @70
3    state pay-1 p7e0 CompleteCommit - @90
4    state pay-1 p7e0 Ongoing kv-0 @100
5    state pay-1 p7e0 PrepareAbort kv-0 @200
6    state pay-1 p7e0 CompleteAbort - @220
7    state pay-2 p8e0 Empty @599000"""
BELIEVED = f"""Dumping kv-0/00000000000000000004.snapshot
producerId: 7 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong[2] \
lastTimestamp: {START_MS + 150} firstSequence: 1 lastSequence: 1 lastOffset: 2 offsetDelta: 0 timestamp: {START_MS + 150}
"""
ENDED = "4 ABORT p7e0 @210\n5 plain @300"


def capture(first, second):
    logs = {"kv-0": first, "kv-0 4": second, "__transaction_state-0": STATES}
    folder = "broker-1"
    return taken_at("10:10:00") | dumps_of(logs) | {
        f"{folder}/kv-0/00000000000000000004.snapshot.txt": BELIEVED,
        f"{folder}/cleaner-offset-checkpoint": "0\n1\nkv 0 6\n",
    }  # fmt: skip


BEFORE = "0 data p7e0 s0 @60\n1 COMMIT p7e0 @80\n"
CAPTURES = {
    "cleaned": capture(BEFORE + "3 plain @160", ENDED),
    "never ended": capture(BEFORE + "3 plain @160", "4 plain @290\n5 plain @300"),
    "ended before": capture(BEFORE + "2 data p7e0 s1 @150\n3 ABORT p7e0 @210", "4 plain @290\n5 plain @300"),
    "ended twice": capture(BEFORE + "2 data p7e0 s1 @150\n3 ABORT p7e0 @210", "4 ABORT p7e0 @215\n5 plain @300"),
}


@judged_together
def documents():
    return CAPTURES


def differs(document):
    return [one["number"] for one in document["coverage"]["notes"] if one["kind"] == "snapshot_differs"]


def test_what_a_later_marker_ended_is_no_contradiction(documents):
    assert differs(documents["cleaned"]) == []
    assert documents["cleaned"]["verdict"] == "clean"


@pytest.mark.parametrize("name", ["never ended", "ended before", "ended twice"])
def test_what_the_log_shows_otherwise_is_one(documents, name):
    assert differs(documents[name]) == [1]
    assert documents[name]["verdict"] != "clean"
