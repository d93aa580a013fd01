"""A transaction that was completed while its partition had no leader: nobody took the marker, no election cut it off."""

import pytest
from cluster import START_MS
from controllers_dump import quorum
from fill_page import dumps_of
from judged_together import judged_together

TOPIC_ID = "CP_A11TWSbaniC6eSgiIhA"
OPEN = """\
0..1 data p7e0 s0 @100
2    data p8e0 s0 l2 @30200
3    COMMIT p8e0 l2 @30310"""
SLIPPED = """\
0..1 data p7e0 s0 @100
2    data p7e0 s2 l2 @30200
3    COMMIT p7e0 l2 @30310"""
SLIPPED_EPOCHS = """\
0..1 data p7e0 s0 @100
2    data p7e1 s0 l2 @30200
3    COMMIT p7e1 l2 @30310"""
OPEN_COMPACTED = """\
0..1 data p7e0 s0 @100
2    data p8e0 s0 l2 @30250
3    COMMIT p8e0 l2 @30310"""
ABORTED = """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing orders-0 @90
2    state pay-1 p7e0 PrepareAbort orders-0 @10000
3    state pay-1 p7e0 CompleteAbort - @10020
"""
AFTER = {
    OPEN: """\
4    state pay-2 p8e0 Ongoing orders-0 @30190
5    state pay-2 p8e0 PrepareCommit orders-0 @30300
6    state pay-2 p8e0 CompleteCommit - @30320""",
    SLIPPED: """\
4    state pay-1 p7e0 Ongoing orders-0 @30190
5    state pay-1 p7e0 PrepareCommit orders-0 @30300
6    state pay-1 p7e0 CompleteCommit - @30320""",
    SLIPPED_EPOCHS: """\
4    state pay-1 p7e1 Ongoing orders-0 @30190
5    state pay-1 p7e1 PrepareCommit orders-0 @30300
6    state pay-1 p7e1 CompleteCommit - @30320""",
    OPEN_COMPACTED: """\
3    state pay-1 p7e0 CompleteAbort - @10020
4    state pay-2 p8e0 Ongoing orders-0 @30190
5    state pay-2 p8e0 PrepareCommit orders-0 @30300
6    state pay-2 p8e0 CompleteCommit - @30320""",
}


def change(at, **fields):
    return at, "PARTITION_CHANGE_RECORD", {"partitionId": 0, "topicId": TOPIC_ID, **fields}


def capture(log, down_at, *, unclean=False, version="4.3.0", compacted=False):
    """A capture whose orders-0 has no leader from `down_at` to 30 s after the start; None: it always has one."""
    recovery = {"leaderRecoveryState": 1} if unclean else {}
    brokers = [1, 2] if unclean else [1]
    born = {"partitionId": 0, "topicId": TOPIC_ID, "replicas": brokers, "isr": brokers[-1:], "leader": brokers[-1],
            "leaderEpoch": 0, "partitionEpoch": 0}  # fmt: skip
    controllers = quorum(
        (-10_000, "NO_OP_RECORD", {}),
        (0, "TOPIC_RECORD", {"name": "orders", "topicId": TOPIC_ID}),
        (0, "PARTITION_RECORD", born),
        *([] if down_at is None else [change(down_at, leader=-1)]),
        change(30_000, isr=[1], leader=1, **recovery),
        (600_000, "NO_OP_RECORD", {}),
    )
    toml = f'captured_at = {START_MS + 600_000}\nkafka_version = "{version}"\n[partition_counts]\n__transaction_state = 1\n'
    states = AFTER[log] if compacted else ABORTED + AFTER[log]
    return dumps_of({"orders-0": log, "__transaction_state-0": states}) | {
        "capture.toml": toml,
        "broker-1/orders-0/leader-epoch-checkpoint": "0\n2\n0 0\n2 2\n",
        "broker-1/__cluster_metadata-0/00000000000000000000.log.txt": controllers,
    }


CAPTURES = {
    "no leader": capture(OPEN, 4_000),
    "no leader, slipped": capture(SLIPPED, 4_000),
    "no leader, unclean": capture(OPEN, 4_000, unclean=True),
    "down later": capture(OPEN, 12_000),
    "down just before, unclean": capture(OPEN, 9_000, unclean=True),
    "slipped, compacted": capture(SLIPPED_EPOCHS, 4_000, compacted=True),
    "slipped, never down": capture(SLIPPED_EPOCHS, None, compacted=True),
    "slipped, compacted, older release": capture(SLIPPED_EPOCHS, 4_000, version="3.9.1", compacted=True),
    "unexplained": capture(OPEN_COMPACTED, 4_000, compacted=True),
    "older release": capture(OPEN, 4_000, version="3.9.1"),
}


@judged_together
def documents():
    return CAPTURES


def codes(document):
    return {row["code"] for row in document["findings"]}


def verdicts(document):
    return [row["verdict"] for row in document["open_transactions"]]


@pytest.mark.parametrize("name", ["no leader", "no leader, unclean", "older release"])
def test_what_nobody_could_take_was_not_cut_off(documents, name):
    assert codes(documents[name]) == {"TXN005"}
    assert verdicts(documents[name]) == ["marker_missing_abort"]
    (found,) = documents[name]["findings"]
    assert found["confidence"] == "certain"
    assert "orders-0 had no leader from 2026-01-01T10:00:04.000Z to 2026-01-01T10:00:30.000Z" in found["explanation"]


@pytest.mark.parametrize(("name", "bugs"), [("no leader", ["KAFKA-20734"]), ("older release", [])])
def test_the_release_names_the_bug(documents, name, bugs):
    (found,) = documents[name]["findings"]
    assert [one["issue"] for one in found["known_bugs"] if one["issue"] == "KAFKA-20734"] == bugs


def test_it_slips_into_the_next_transaction(documents):
    assert codes(documents["no leader, slipped"]) == {"TXN011"}


@pytest.mark.parametrize("name", ["down later", "down just before, unclean"])
def test_what_had_a_leader_then_may_have_been_cut_off(documents, name):
    assert verdicts(documents[name]) == ["marker_lost_truncation"]


SKIPPED = "the partition had no leader for a while"


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("slipped, compacted", "TXN011", True),
        ("slipped, never down", "TXN011", False),
        ("slipped, compacted, older release", "TXN011", False),
        ("unexplained", "TXN013", True),
    ],
)
def test_it_is_a_cause_where_the_decision_was_compacted_away(documents, name, code, told):
    (found,) = [row for row in documents[name]["findings"] if row["code"] == code]
    assert any(SKIPPED in cause for cause in found["cause"]) == told
    assert ("KAFKA-20734" in [one["issue"] for one in found["known_bugs"] if one["shown"]]) == told


PRODUCERS = (
    "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 0\n"
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\t\n"
    f"7\t2\t5\t49\t{START_MS + 100}\t0\t\n"
)
DESCRIBED = (
    "$ kafka-topics.sh --bootstrap-server b:9092 --describe --topic orders\n"
    "Topic: orders\tTopicId: CP_A11TWSbaniC6eSgiIhA\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: orders\tPartition: 0\tLeader: {}\tReplicas: 1,2\tIsr: 1\n"
)


def controllers(*changes):
    born = {"partitionId": 0, "topicId": TOPIC_ID, "replicas": [1, 2], "isr": [1], "leader": 1, "leaderEpoch": 0,
            "partitionEpoch": 0}  # fmt: skip
    return quorum((0, "TOPIC_RECORD", {"name": "orders", "topicId": TOPIC_ID}), (0, "PARTITION_RECORD", born), *changes)


DOWN, UP = change(40_000, leader=-1), change(50_000, leader=1)
LOG = "broker-1/__cluster_metadata-0/00000000000000000000.log.txt"
HANGING = (
    "$ kafka-transactions.sh --bootstrap-server b:9092 find-hanging --topic orders\n"
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\n"
    f"orders\t0\t7\t2\t5\t0\t{START_MS + 100}\t90\t\n"
)
ANSWERED = {
    "hangs, described without": {"paste.txt": HANGING + DESCRIBED.format("none")},
    "hangs, described without, none in sync": {
        "paste.txt": HANGING + DESCRIBED.format("none").replace("Isr: 1", "Isr: \tElr: 2\tLastKnownElr: 1")
    },
    "hangs, described with": {"paste.txt": HANGING + DESCRIBED.format("1")},
    "hangs, down": {"paste.txt": HANGING, LOG: controllers(DOWN)},
    "described without": {"paste.txt": PRODUCERS + DESCRIBED.format("none")},
    "described without, as kcat": {"paste.txt": PRODUCERS + DESCRIBED.format("-1")},
    "described with": {"paste.txt": PRODUCERS + DESCRIBED.format("1")},
    "both described": {"paste.txt": PRODUCERS + DESCRIBED.format("none"), "2.txt": DESCRIBED.format("2")},
    "down": {"paste.txt": PRODUCERS, LOG: controllers(DOWN)},
    "up again": {"paste.txt": PRODUCERS, LOG: controllers(DOWN, UP)},
    "down, described with": {"paste.txt": PRODUCERS + DESCRIBED.format("2"), LOG: controllers(DOWN)},
}


@judged_together
def answered():
    return ANSWERED


@pytest.mark.parametrize("name", ["described without", "described without, as kcat", "down"])
def test_nobody_answers_for_a_partition_without_a_leader(answered, name):
    """No question to the cluster settles what is open there, and no abort ends it, before a broker leads it."""
    (row,) = answered[name]["open_transactions"]
    assert row["verdict"] == "undecided"
    assert "orders-0 has no leader" in row["why"]
    assert ("since 2026-01-01T10:00:40.000Z" in row["why"]) == (name == "down")
    assert row["fetch"].startswith("a leader for orders-0 first, broker 1 or 2; then the answers of list")


@pytest.mark.parametrize("name", ["described with", "both described", "up again", "down, described with"])
def test_a_leader_that_somebody_names_can_be_asked(answered, name):
    (row,) = answered[name]["open_transactions"]
    assert (row["verdict"], "no leader" in row["why"]) == ("undecided", False)
    assert row["fetch"].startswith("the answers of list")


@pytest.mark.parametrize(
    ("name", "leader"),
    [
        ("hangs, described without", "start broker 1:"),
        ("hangs, described without, none in sync", "start broker 2:"),
        ("hangs, down", "start broker 1:"),
    ],
)
def test_a_plan_brings_back_a_leader_before_it_ends_a_transaction(answered, name, leader):
    """No broker without one lists what is open there, and none takes an abort."""
    (row,) = [one for one in answered[name]["findings"] if one["code"] == "TXN013"]
    action = row["action"]
    assert action["summary"].startswith("orders-0 has no leader: bring one back first. ")
    first, *after = action["steps"]
    assert first["text"].startswith("bring back a leader of orders-0, which has none (")
    assert first["answers"][0].startswith(leader)
    assert any("abort --topic orders" in one["command"] for step in after for one in step["commands"])


def test_a_plan_for_a_partition_that_is_led_does_not_ask_for_a_leader(answered):
    (row,) = [one for one in answered["hangs, described with"]["findings"] if one["code"] == "TXN013"]
    assert "orders-0 has no leader" not in row["action"]["summary"]
    assert not any("bring back a leader" in step["text"] for step in row["action"]["steps"])


def test_what_is_open_contradicts_that_no_transaction_was_ever_begun(answered):
    """By this controllers' log the cluster has no topic of states; an answer shows a transaction."""
    kinds = {one["kind"] for one in answered["down"]["coverage"]["notes"]}
    assert "no_state_topic" not in kinds
