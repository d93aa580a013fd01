"""Groups that wait behind an open transaction: by their committed position, from records and from pasted output."""

import pytest
from cluster import START_MS
from fill_page import dumps_of
from judged_together import judged_together

from analyzer.report.rendering import render

LOGS = {
    "orders-0": """\
0..4 data p7e0 s0 @100
5    COMMIT p7e0 @210
6..7 data p7e0 s5 @300
8..9 plain @400""",
    "__consumer_offsets-0": """\
0    commit behind orders-0=3 @500
1    commit at orders-0=6 @500
2    commit beyond orders-0=10 @500
3    commit far orders-0=1 @500
4    commit undone orders-0=9 p8e0 @510
5    ABORT p8e0 @520
6    commit undone orders-0=2 @530
7    commit moved orders-0=2 @540
8    commit moved orders-0=10 p9e0 @550
9    COMMIT p9e0 @560
10   commit held orders-0=2 p10e0 @570""",
    "__transaction_state-0": """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing orders-0 @90
2    state pay-1 p7e0 PrepareCommit orders-0 @200
3    state pay-1 p7e0 CompleteCommit - @220
4    state pay-2 p10e0 Empty @230
5    state pay-2 p10e0 Ongoing __consumer_offsets-0 @240 t900000
6    state pay-1 gone @599000""",
}
PASTED = """\
GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
pasted          orders          0          4               10              6               -               -               -
at              orders          0          1               10              9               -               -               -
"""
HANGING = """\
$ kafka-transactions.sh --bootstrap-server b:9092 find-hanging --broker-id 1
Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)
orders\t0\t7\t0\t0\t3\t1735689600000\t1200
"""


ELSEWHERE = {
    "left": "0    commit held orders-0=4 @580",
    "left before": "0    commit held orders-0=4 @560",
    "another left": "0    commit other orders-0=4 @580",
}


@judged_together
def documents():
    toml = f"captured_at = {START_MS + 600_000}\n[partition_counts]\n__transaction_state = 1\n"
    files = {"capture.toml": toml, "groups.txt": PASTED}
    captures = {"here": files | dumps_of(LOGS)}
    captures["answers"] = {"paste.txt": HANGING + PASTED}
    for name, elsewhere in ELSEWHERE.items():
        captures[name] = files | dumps_of(LOGS | {"__consumer_offsets-1": elsewhere})
    return captures


@pytest.fixture
def document(documents):
    return documents["here"]


def test_groups_at_or_below_the_lso_wait(document):
    waiting = {row["group"]: row.get("position") for row in document["group_impact"] if row["topic"] == "orders"}
    assert waiting == {"behind": 3, "at": 6, "far": 1, "undone": 2, "pasted": 4}
    assert {row["lso"] for row in document["group_impact"] if row["topic"] == "orders"} == {6}
    (finding,) = [f for f in document["findings"] if f["topic"] == "orders"]
    assert finding["waiting"]["groups"] == ["far", "undone", "behind", "pasted", "at"]


def test_each_has_the_line_that_says_so(document):
    places = {row["group"]: f"{row['file']}:{row['line']}" for row in document["group_impact"]}
    log = "broker-1/__consumer_offsets-0/00000000000000000000.log.txt"
    assert places["behind"] == f"{log}:4"
    assert places["undone"] == f"{log}:16"
    assert places["pasted"] == "groups.txt:2"


def test_pending_offsets_wait_for_themselves(document):
    (row,) = [row for row in document["group_impact"] if row["topic"] == "__consumer_offsets"]
    assert (row["group"], row["pending"], row["lso"]) == ("held", True, 10)


@pytest.mark.parametrize(("name", "waits"), [("left", False), ("left before", True), ("another left", True)])
def test_nobody_asks_for_what_is_pending_where_the_group_has_left(documents, name, waits):
    told = documents[name]
    pending = [row["group"] for row in told["group_impact"] if row["pending"]]
    named = [one["name"] for one in told["findings"] if one["topic"] == "__consumer_offsets"]
    assert (pending, "pending_group_commit" in named) == (["held"] if waits else [], waits)


def test_a_transaction_that_outlived_its_id_is_told(document):
    rows = {row["producer_id"]: row for row in document["expiry"]}
    assert rows[7]["id_status"] == "expired"
    assert rows[7]["outlived"]
    assert rows[7]["first_open"] == {"topic": "orders", "partition": 0, "first_offset": 6}
    assert (rows[10]["id_status"], rows[10]["outlived"]) == ("open", False)


def test_groups_that_wait_by_answers_alone(documents):
    """No log is here: the leader's answer tells from where on nothing is read, pasted positions who stands there."""
    document = documents["answers"]
    [waits] = document["group_impact"]
    assert (waits["group"], waits["position"], waits["lso"], waits["file"]) == ("at", 1, 3, "paste.txt")
    assert "Groups that this capture shows: at" in render(document, "text")
