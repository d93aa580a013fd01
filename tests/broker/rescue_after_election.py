"""Follows the report's plan on a real cluster of three brokers that lost committed records in an unclean election.

usage: python tests/broker/rescue_after_election.py --kafka 3.9.1 [--transcript docs/rescue-after-unclean-election.md]

Broker 2 is stopped, broker 1 goes on alone and is killed, broker 2 is elected without what broker 1 has. The report is
taken while broker 1 is down; its lines save the records; broker 1 starts and cuts them off; they are produced again.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "rescue"))

from confluent_kafka import ElectionType, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from consumer import committed, read_uncommitted
from end_and_replay import Transcript, analysed, latest_of, records, replayed, run_step
from kafka_jars import write_scripts
from real_cluster import Broker, until

TOPIC = "payments"
PLACE = TopicPartition(TOPIC, 0)
WITHIN_S = 120
COUNT = 50
"""Partitions of the internal topics: a broker that started before they were created takes Kafka's default."""
OLD, NEW, THIRD = 1, 2, 0
"""The broker that is deposed, the one that is elected, and the one with the controller and the coordinators."""


def main() -> None:
    """Lose records on one release, and bring them back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kafka", default="3.9.1", help="release of the brokers and their tools")
    parser.add_argument("--transcript", type=Path, help="write what was run into this file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-cluster-") as scratch:
        told = lose_and_rescue(given.kafka, Path(scratch))
        if given.transcript:
            told.write(given.transcript, scratch, "/incident")


def lose_and_rescue(version: str, scratch: Path) -> Transcript:
    """Boot the cluster, lose records, follow the plan; raises AssertionError where the report or the cluster is wrong."""
    told = Transcript(f"Records rescued after an unclean election: Kafka {version}")
    write_scripts(version, scratch / "bin")
    first = Broker(scratch / "broker-0", scratch / "bin")
    brokers = [
        first,
        *[
            Broker(scratch / f"broker-{node}", scratch / "bin", node=node, controller=first.controller)
            for node in (1, 2)
        ],
    ]
    try:
        lost = lose(brokers, told)
        follow(brokers, lost, version, scratch, told)
    finally:
        for broker in reversed(brokers):
            broker.stop()
    return told


def lose(brokers: Sequence[Broker], told: Transcript) -> list[Any]:
    """Write transactions, some of them on the broker that is deposed alone; return its committed records."""
    admin = [broker.start() for broker in brokers][THIRD]
    topics = [
        NewTopic(
            "__transaction_state", COUNT, replica_assignment=[[THIRD]] * COUNT, config={"cleanup.policy": "compact"}
        ),
        NewTopic(
            "__consumer_offsets", COUNT, replica_assignment=[[THIRD]] * COUNT, config={"cleanup.policy": "compact"}
        ),
        NewTopic(TOPIC, 1, replica_assignment=[[OLD, NEW]], config={"min.insync.replicas": "1"}),
    ]
    for created in admin.create_topics(topics).values():
        created.result(WITHIN_S)
    address = brokers[THIRD].address
    write(address, "early", "commit", 2)
    told.say(f"{TOPIC}-0 has replicas on brokers {OLD} and {NEW}. Broker {NEW} is stopped; broker {OLD} goes on alone.")
    brokers[NEW].stop()
    until(lambda: in_sync(admin) == {OLD}, "broker 2 to leave the ISR")
    for number, outcome in enumerate(("commit", "abort", "commit", "commit")):
        write(address, f"pay-{number}", outcome, 2 + number)
    write(address, None, "plain", 1)
    told.say(f"pay-0, pay-2 and pay-3 have committed there, pay-1 has aborted. Then broker {OLD} is killed.")
    brokers[OLD].stop(crash=True)
    brokers[NEW].start()
    until(lambda: leader(admin) in {-1, None, NEW}, "the old leader to be fenced")
    if leader(admin) != NEW:
        for fault in admin.elect_leaders(ElectionType.UNCLEAN, [PLACE]).result(WITHIN_S).values():
            assert fault is None, fault
    until(lambda: leader(admin) == NEW, "broker 2 to lead")
    told.say(f"Broker {NEW} is elected leader, uncleanly, and applications go on with it.")
    write(address, "late", "commit", 2)
    log = brokers[OLD].logs / f"{TOPIC}-0"
    return [one for one in committed(log) if one.key.startswith(b"pay-")]


def write(address: str, transactional_id: str | None, outcome: str, number: int) -> None:
    """Write so many records in a transaction with this outcome, or outside of one."""
    settings = {"bootstrap.servers": address, "transaction.timeout.ms": 60_000}
    producer = Producer(settings | ({"transactional.id": transactional_id} if transactional_id else {}))
    if transactional_id:
        producer.init_transactions(WITHIN_S)
        producer.begin_transaction()
    name = transactional_id or "plain"
    for one in range(number):
        headers = [("of", name.encode()), ("of", str(one).encode())]
        producer.produce(TOPIC, f"value {one} of {name}".encode(), f"{name}-{one}".encode(), 0, headers=headers)
    assert producer.flush(WITHIN_S) == 0
    if transactional_id and outcome == "commit":
        producer.commit_transaction(WITHIN_S)
    elif transactional_id:
        producer.abort_transaction(WITHIN_S)


def follow(brokers: Sequence[Broker], lost: list[Any], version: str, scratch: Path, told: Transcript) -> None:
    """Take the files while the deposed broker is down, and follow the plan of the first finding to its end."""
    capture = scratch / "capture"
    for broker in brokers:
        shutil.copytree(broker.logs, capture / f"broker-{broker.node}")
    (capture / "capture.toml").write_text(f'kafka_version = "{version}"\n', encoding="utf-8")
    told.say(f"The log dirs are copied while broker {OLD} is down. It alone has {len(lost)} committed records.")
    report = analysed(capture, scratch, told)
    (finding,) = [one for one in report["findings"] if one["action"]["kind"] == "rescue"]
    assert sum(one["records"] for one in report["rescuable"]) == len(lost)
    told.say(f"## {finding['headline']}")
    told.say(finding["action"]["summary"])
    cluster = brokers[NEW]
    for step in finding["action"]["steps"]:
        told.say(f"**{step['stage']}**: {step['text']}")
        if step["commands"]:
            for one in step["commands"]:
                run_step(step | {"commands": [one]}, cluster, scratch, told)
        if step["stage"] == "verify":
            come_back(brokers, lost, told)
    told.say(f"Nothing that was committed is lost on Kafka {version}: the cluster has it again.")
    saved = scratch / "rescued-lost" / "records.jsonl"
    rows = [json.loads(line) for line in saved.read_text("utf-8").splitlines()]
    lines = list(scratch.glob(f"rescued-{TOPIC}-*/records.jsonl"))
    assert sorted(row for path in lines for row in path.read_text("utf-8").splitlines()) == sorted(
        saved.read_text("utf-8").splitlines()
    )
    assert [row["offset"] for row in rows] == [one.offset for one in lost]
    end = latest_of(cluster, PLACE)
    assert not {one.key for one in lost} & {one[1] for one in records(cluster, PLACE, 0, end, "read_committed")}
    again = replayed(saved, cluster, PLACE, scratch, told)
    wanted = [
        (one.key, one.value, [(name.decode(), held) for name, held in one.headers], one.timestamp) for one in lost
    ]
    assert [(key, value, headers, made[1]) for _, key, value, headers, made in again] == wanted, (again, wanted)
    told.say(
        f"{len(again)} records are readable again from offset {end}: keys, values, headers and timestamps are equal."
    )


def come_back(brokers: Sequence[Broker], lost: list[Any], told: Transcript) -> None:
    """Start the deposed broker; its log loses the records when it follows the new leader."""
    admin = AdminClient({"bootstrap.servers": brokers[THIRD].address})
    brokers[OLD].start()
    until(lambda: in_sync(admin) == {OLD, NEW}, "broker 1 to be in sync again")
    left = {one.key for one in read_uncommitted(brokers[OLD].logs / f"{TOPIC}-0")}
    assert not left & {one.key for one in lost}
    told.say(
        f"Broker {OLD} is started and in sync again. Its log of {TOPIC}-0 has none of the {len(lost)} records any more."
    )


def leader(admin: AdminClient) -> int | None:
    """The leader of the partition as the cluster says it."""
    return admin.list_topics(TOPIC, timeout=WITHIN_S).topics[TOPIC].partitions[0].leader


def in_sync(admin: AdminClient) -> set[int]:
    """The brokers in its ISR."""
    return set(admin.list_topics(TOPIC, timeout=WITHIN_S).topics[TOPIC].partitions[0].isrs)


if __name__ == "__main__":
    main()
