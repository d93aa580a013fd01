"""A topic that was deleted and made again under its name: copies of the one that is gone are not judged."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "detectors"))

from dump_text import Batch, State, log_text
from judged_together import judged_together

AT = 1_767_261_600_000
MINUTE = 60_000
OLD, NEW = "AAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBA"
SEGMENT = "orders-0/00000000000000000000.log"
STATE_NAME = "__transaction_state-0/00000000000000000000.log"
QUORUM = "__cluster_metadata-0/00000000000000000000.log"
DATA = Batch(0, 0, AT + 200, 7, 0, 0, transactional=True)
HUNG = [Batch(0, 19, AT, leader_epoch=7), Batch(20, 20, AT + 200, 7, 0, 0, transactional=True, leader_epoch=7)]
"""The copy of the old topic, on a broker that was down when it was deleted, with a higher leader epoch."""
MADE_ANEW = [
    Batch(0, 0, AT + 9 * MINUTE, 8, 0, 0, transactional=True),
    Batch(1, 1, AT + 9 * MINUTE + 310, 8, 0, transactional=True, marker="COMMIT"),
]


def states(name: str, producer: int, begun: int, end: str) -> list[tuple[int, State]]:
    return [
        (begun + ms, State(name, producer, 0, state, partitions, begun + ms))
        for ms, state, partitions in [
            (100, "Ongoing", ("orders-0",)),
            (300, f"Prepare{end}", ("orders-0",)),
            (320, f"Complete{end}", ()),
        ]
    ]


STATES = [
    Batch(offset, offset, ms, state=state)
    for offset, (ms, state) in enumerate(
        [*states("pay-1", 7, AT, "Abort"), *states("pay-2", 8, AT + 9 * MINUTE, "Commit")]
    )
]
SHARED = {
    "capture.toml": f"captured_at = {AT + 20 * MINUTE}\n[partition_counts]\n__transaction_state = 1\n",
    f"broker-1/{STATE_NAME}.txt": log_text(STATE_NAME, STATES),
}


def copy(broker: int, topic_id: str, batches: list[Batch]) -> dict[str, str]:
    end = batches[-1].last_offset + 1
    return {
        f"broker-{broker}/{SEGMENT}.txt": log_text(SEGMENT, batches),
        f"broker-{broker}/orders-0/partition.metadata": f"version: 0\ntopic_id: {topic_id}\n",
        f"broker-{broker}/orders-0/leader-epoch-checkpoint": f"0\n1\n{batches[0].leader_epoch} 0\n",
        f"broker-{broker}/replication-offset-checkpoint": f"0\n1\norders 0 {end}\n",
    }


def quorum(*records: tuple[str, dict], last: int = AT + 15 * MINUTE) -> dict[str, str]:
    lines = [f"Dumping {QUORUM}", "Log starting offset: 0"]
    for offset, (kind, data) in enumerate([*records, ("NO_OP_RECORD", {})]):
        at = AT + offset * MINUTE if offset < len(records) else last
        payload = json.dumps({"type": kind, "version": 0, "data": data}, separators=(",", ":"))
        lines.append(
            f"baseOffset: {offset} lastOffset: {offset} count: 1 baseSequence: -1 lastSequence: -1 producerId: -1"
            " producerEpoch: -1 partitionLeaderEpoch: 1 isTransactional: false isControl: false deleteHorizonMs:"
            f" OptionalLong.empty position: {offset * 200} CreateTime: {at} size: 200 magic: 2 compresscodec: none"
            f" crc: {offset} isvalid: true"
        )
        lines.append(
            f"| offset: {offset} CreateTime: {at} keySize: -1 valueSize: 27 sequence: -1 headerKeys: []"
            f" payload: {payload}"
        )
    return {f"controller-9/{QUORUM}.txt": "\n".join(lines) + "\n"}


def created(topic_id: str) -> tuple[str, dict]:
    return "TOPIC_RECORD", {"name": "orders", "topicId": topic_id}


def described(topic_id: str) -> dict[str, str]:
    return {
        "topics.txt": f"Topic: orders\tTopicId: {topic_id}\tPartitionCount: 1\tReplicationFactor: 1\tConfigs:\n"
        "\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    }


REMOVED = ("REMOVE_TOPIC_RECORD", {"topicId": OLD})
BOTH = copy(1, NEW, MADE_ANEW) | copy(2, OLD, HUNG)
CAPTURES = {
    "nothing tells": BOTH,
    "described": BOTH | described(NEW),
    "controllers": BOTH | quorum(created(OLD), REMOVED, created(NEW)),
    "checkpoint later": BOTH | quorum(created(NEW)),
    "log too old": BOTH | quorum(created(OLD), last=AT + MINUTE),
    "only the old one": copy(2, OLD, HUNG) | quorum(created(OLD), REMOVED),
    "one topic": copy(1, NEW, MADE_ANEW) | copy(2, NEW, MADE_ANEW) | described(NEW),
}


@judged_together
def judged():
    return {name: {**SHARED, **more} for name, more in CAPTURES.items()}


def notes(document, *kinds):
    return [one for one in document["coverage"]["notes"] if one["kind"] in kinds]


@pytest.mark.parametrize("name", ["described", "controllers", "checkpoint later"])
def test_a_copy_of_a_deleted_topic_is_set_aside(judged, name):
    document = judged[name]
    assert (document["verdict"], document["findings"], document["open_transactions"]) == ("clean", [], [])
    (note,) = notes(document, "set_aside", "other_topic")
    assert (note["kind"], note["topic"], note["partition"], note["replica"]) == ("set_aside", "orders", 0, "2")
    assert OLD in note["note"]


@pytest.mark.parametrize("name", ["nothing tells", "log too old"])
def test_where_nothing_tells_which_topic_lives_the_last_written_one_is_judged_and_it_is_asked(judged, name):
    document = judged[name]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    (note,) = notes(document, "set_aside", "other_topic")
    assert (note["kind"], note["replica"]) == ("other_topic", "2")
    assert "kafka-topics.sh --describe --topic orders" in note["fetch"]


def test_what_is_open_in_a_topic_that_is_gone_holds_nobody_back(judged):
    document = judged["only the old one"]
    assert (document["findings"], document["open_transactions"]) == ([], [])
    assert notes(document, "set_aside")


def test_copies_of_one_topic_stay(judged):
    assert not notes(judged["one topic"], "set_aside", "other_topic")
    assert {row["replica"] for row in judged["one topic"]["partitions"] if row["topic"] == "orders"} == {"1", "2"}
