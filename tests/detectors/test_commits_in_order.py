"""Commits of groups: a coordinator's clock dates them, and the one appended last is the position (RULES A 7, C 5, D 1)."""

from cluster import START_MS
from fill_page import dumps_of
from judged_together import judged_together

MISSING = {
    "orders-0": """\
0..4 data p7e0 s0 @100
5    COMMIT p7e0 @210""",
    "__consumer_offsets-0": """\
0    commit agg clicks-0=4 @80
1    commit agg clicks-0=9 p7e0 s0 @150
2    commit other clicks-0=1 @598000""",
    "__transaction_state-0": """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing orders-0,__consumer_offsets-0 @90
2    state pay-1 p7e0 PrepareCommit orders-0,__consumer_offsets-0 @200
3    state pay-1 p7e0 CompleteCommit - @220
4    state pay-2 p8e0 Empty @599000""",
}
"""The marker is in orders-0; that it is not in __consumer_offsets-0 is shown by a later commit alone."""
LATE = {
    "__consumer_offsets-0": """\
0    commit agg clicks-0=9 p7e0 s0 @150
1    ABORT p7e0 @211
2    commit agg clicks-0=9 p7e0 s1 @230
3    commit agg clicks-0=12 p7e0 s2 @3050
4    COMMIT p7e0 @3111""",
    "__transaction_state-0": """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing __consumer_offsets-0 @90
2    state pay-1 p7e0 PrepareAbort __consumer_offsets-0 @200
3    state pay-1 p7e0 CompleteAbort - @220
4    state pay-1 p7e0 Ongoing __consumer_offsets-0 @2990
5    state pay-1 p7e0 PrepareCommit __consumer_offsets-0 @3100
6    state pay-1 p7e0 CompleteCommit - @3120
7    state pay-2 p8e0 Empty @599000""",
}
"""A commit came after its ABORT marker, long before the next transaction, which committed it."""
CROSSED = {
    "orders-0": """\
0..4 data p7e0 s0 @100
5    COMMIT p7e0 @210
6..7 data p7e0 s5 @300
8..9 plain @400""",
    "__consumer_offsets-0": """\
0    commit plain orders-0=2 p8e0 s0 @410
1    commit plain orders-0=10 @420
2    COMMIT p8e0 @510
3    commit both orders-0=2 p8e0 s1 @520
4    commit both orders-0=10 p9e0 s0 @530
5    COMMIT p9e0 @610
6    COMMIT p8e0 @620
7    commit last orders-0=10 p8e0 s2 @630
8    commit last orders-0=2 p9e0 s1 @640
9    COMMIT p8e0 @650
10   COMMIT p9e0 @660""",
    "__transaction_state-0": """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing orders-0 @90
2    state pay-1 p7e0 PrepareCommit orders-0 @200
3    state pay-1 p7e0 CompleteCommit - @220
4    state pay-2 p10e0 Empty @599000""",
}
"""Of two groups the commit appended last sets the position to 10, although one of position 2 is decided after it."""

GIVEN_AGAIN = {
    "__consumer_offsets-0": """\
0    commit agg clicks-0=9 p7e4 s0 @150
1    COMMIT p7e5 @210
2    commit agg clicks-0=12 p7e5 s0 @250
3    COMMIT p7e6 @310
4    commit agg clicks-0=14 p7e2 s0 l1 @20150
5    COMMIT p7e3 c1 l1 @20210
6    commit agg clicks-0=15 p7e3 s0 l1 @20250
7    COMMIT p7e4 c1 l1 @20310""",
    "__transaction_state-0": """\
0    state pay-1 p7e3 CompleteCommit - @20220
1    state pay-1 p7e3 Ongoing __consumer_offsets-0 @20230
2    state pay-1 p7e4 PrepareCommit __consumer_offsets-0 @20300
3    state pay-1 p7e4 CompleteCommit - @20320""",
}
"""An unclean election took the newest records of the id: its coordinator gave epochs that the client had used before."""
STALE = {
    "__consumer_offsets-0": """\
0    commit agg clicks-0=9 p7e4 s0 @150
1    COMMIT p7e4 @210
2    commit agg clicks-0=12 p7e5 s0 @250
3    COMMIT p7e5 @310
4    commit agg clicks-0=14 p7e5 s1 @450
5    commit agg clicks-0=10 p7e4 s1 l1 @460
6    COMMIT p7e5 l1 @510""",
    "__transaction_state-0": """\
0    state pay-1 p7e5 CompleteCommit - @320
1    state pay-1 p7e5 Ongoing __consumer_offsets-0 @430
2    state pay-1 p7e5 PrepareCommit __consumer_offsets-0 @500
3    state pay-1 p7e5 CompleteCommit - @520""",
}
"""A client that was fenced commits once more, inside a transaction of the one that fenced it."""


def files(logs: dict[str, str]) -> dict[str, str]:
    toml = f"captured_at = {START_MS + 600_000}\n[partition_counts]\n__transaction_state = 1\n"
    return {"capture.toml": toml} | dumps_of(logs)


@judged_together
def documents():
    captures = {"missing": files(MISSING), "late": files(LATE), "crossed": files(CROSSED)}
    captures |= {"given_again": files(GIVEN_AGAIN), "stale": files(STALE)}
    return captures


def found(document):
    return {(row["code"], row["confidence"], row["first_offset"]) for row in document["findings"]}


def test_a_later_commit_shows_that_the_marker_is_missing(documents):
    assert {("TXN004", "certain", 1), ("TXN010", "certain", 1)} <= found(documents["missing"])
    (opened,) = documents["missing"]["open_transactions"]
    assert opened["verdict"] == "marker_missing_commit"


def test_a_late_commit_slipped_into_the_next_transaction(documents):
    assert ("TXN011", "certain", 2) in found(documents["late"])


def test_the_commit_appended_last_is_the_position(documents):
    waiting = {row["group"]: row["position"] for row in documents["crossed"]["group_impact"]}
    assert waiting == {"last": 2}


def writers(document):
    return [row for row in document["findings"] if row["code"] == "GRP001"]


def test_an_epoch_that_the_coordinator_gave_again_is_no_second_client(documents):
    assert writers(documents["given_again"]) == []


def test_a_fenced_epoch_in_a_transaction_of_the_next_is_a_second_client(documents):
    (found,) = writers(documents["stale"])
    assert found["confidence"] == "certain"
    assert "pay-1 committed 14 at offset 4" in found["explanation"]
    assert "later pay-1 committed 10 at offset 5" in found["explanation"]
