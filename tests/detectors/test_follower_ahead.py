"""Copies of a partition are made one after the other: a follower's may show what came after the leader's was made."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

COMPLETE = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareAbort orders-0 @20000
3 state pay-1 p7e0 CompleteAbort @20020
4 state other p9e0 Empty @22900"""
PREPARED = "\n".join(COMPLETE.splitlines()[:3]) + "\n3 state other p9e0 Empty @599000"
RUNS = "\n".join(COMPLETE.splitlines()[:2])
DATA = "0..1 data p7e0 s0 @110"
LATE = f"{DATA}\n2 ABORT p7e0 @20010\n3 data p7e0 s2 @20500"
LED_BY_1 = "\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
HEAD = "Topic: orders\tTopicId: 4TzVdRGBQnStGEwzr8SgXg\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"


def capture(states, more, leader=DATA, epoch=1, at="10:10:00"):
    """The leader's copy of orders-0, and its follower's with `more` lines; leader epoch `epoch` begins at its end."""
    end = max(int(line.split()[0].split("..")[-1]) for line in leader.splitlines()) + 1
    epochs = "".join(f"{one} {end if one else 0}\n" for one in range(epoch + 1))
    return (
        taken_at(at)
        | dumps_of({"orders-0": leader, "broker-2/orders-0": f"{leader}\n{more}", "__transaction_state-0": states})
        | {
            "broker-1/orders-0/leader-epoch-checkpoint": f"0\n{epoch + 1}\n{epochs}",
            "broker-1/describe.txt": HEAD + LED_BY_1,
        }
    )


MARKED = "2 ABORT p7e0 @20010 "
BY_HAND = "4 ABORT p7e0 @599000 "
CAPTURES = {
    "marked since": capture(COMPLETE, f"{MARKED}l1"),
    "marked since, no election": capture(COMPLETE, f"{MARKED}l0", epoch=0),
    "marked since, by a later leader": capture(COMPLETE, f"{MARKED}l3"),
    "marked above what was cut off": capture(COMPLETE, f"{MARKED}l0"),
    "not marked": capture(COMPLETE, "2 plain @20010 l1"),
    "another one's marker": capture(COMPLETE, "2 ABORT p8e0 @20010 l1"),
    "prepared, marked since": capture(PREPARED, f"{MARKED}l1"),
    "prepared, not marked": capture(PREPARED, "2 plain @20010 l1"),
    "overdue, ended since": capture(RUNS, "2 ABORT p7e1 @70000 l1"),
    "late, ended since": capture(COMPLETE, f"{BY_HAND}l1", leader=LATE),
    "late": capture(COMPLETE, "4 plain @599000 l1", leader=LATE),
    "runs": capture(RUNS, "2 ABORT p7e0 @20010 l1", at="10:00:20"),
}
OVER = [name for name in CAPTURES if "since" in name]


@judged_together
def documents():
    return CAPTURES


def _own(document):
    """The judged copy's row."""
    (row,) = [row for row in document["open_transactions"] if row["authority"]]
    return row


@pytest.mark.parametrize("name", OVER)
def test_what_the_follower_shows_to_be_ended_does_not_hang(documents, name):
    document = documents[name]
    row = _own(document)
    assert (row["replica"], row["verdict"]) == ("1", "undecided")
    assert (document["findings"], document["verdict"]) == ([], "inconclusive") or "prepared" in name


@pytest.mark.parametrize("name", OVER)
def test_the_newer_copy_is_asked_for(documents, name):
    row = _own(documents[name])
    if "no election" not in name:
        assert row["why"].startswith("broker 2's copy of orders-0 was made later")
    assert row["fetch"].startswith("a newer copy of orders-0")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("marked above what was cut off", "TXN008"),
        ("not marked", "TXN008"),
        ("another one's marker", "TXN008"),
        ("prepared, not marked", "TXN006"),
        ("late", "TXN002"),
    ],
)
def test_what_it_does_not_show_hangs_as_before(documents, name, code):
    assert _own(documents[name])["verdict"] != "undecided"
    assert code in {one["code"] for one in documents[name]["findings"]}


def test_a_decision_whose_marker_the_follower_has_waits_for_its_complete_record(documents):
    (found,) = documents["prepared, marked since"]["findings"]
    assert (found["code"], found["topic"], found["confidence"]) == ("TXN006", "__transaction_state", "likely")


def test_a_running_transaction_stays_one(documents):
    assert _own(documents["runs"])["verdict"] == "in_flight"
    assert documents["runs"]["findings"] == []
