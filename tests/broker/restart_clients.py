"""What becomes of the open transaction of Kafka Streams, Connect and Flink when the client is killed and started again.

usage: python tests/broker/restart_clients.py [--transcript docs/clients.md]

The clients come from Maven and run on a broker on loopback. Each is killed inside a transaction and started again in the
ways that its users have. What analyzer/kafka/clients says of the client is held against what the broker then has.
"""

import argparse
import dataclasses
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "rescue"))

from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from consumer import read_uncommitted
from end_and_replay import Transcript, latest, records, stable, table, without_logging
from framework_clients import (
    CONNECTOR,
    FLINK,
    KAFKA,
    OPENS,
    TIMEOUT_MS,
    WITHIN_S,
    Client,
    Feeder,
    connect_worker,
    create_connector,
    java,
    lines_of,
    records_of,
)
from kafka_jars import write_scripts
from real_cluster import Broker, until

from analyzer.kafka.clients.hints import hints
from analyzer.kafka.clients.kinds import KINDS

TOPICS = {"clicks": 1, "counts": 1, "orders": 1, "events": 1, "__transaction_state": 3, "__consumer_offsets": 3}
HALF_S = TIMEOUT_MS / 1000 / 2
"""What ends before this was not ended by the timeout: transactions are at most 15 seconds old when a client dies."""
MORE = {"transaction.state.log.num.partitions": "3", "offsets.topic.num.partitions": "3"}


def main() -> None:
    """Try each client."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcript", type=Path, help="write what was seen into this file")
    parser.add_argument("--only", choices=("streams", "connect", "flink"), help="try this client alone")
    given = parser.parse_args()
    told = Transcript("What a restart of the client does to its transaction")
    told.say(
        f"Kafka Streams {KAFKA}, a worker of Connect {KAFKA} and Flink {FLINK} with its Kafka connector {CONNECTOR} on a "
        f"broker of {KAFKA}, each killed (`kill -9`) inside a transaction. Written by `make frameworks`."
    )
    with tempfile.TemporaryDirectory(prefix="txn-forensics-clients-") as scratch:
        write_scripts(KAFKA, Path(scratch) / "bin")
        broker = Broker(Path(scratch) / "broker", Path(scratch) / "bin", MORE)
        broker.create(TOPICS)
        with broker.running() as admin:
            for name, tried in (("streams", streams), ("connect", connect), ("flink", flink)):
                if given.only in {None, name}:
                    tried(Lab(broker, admin, Path(scratch), told, name))
    if given.transcript:
        told.write(given.transcript, scratch, "/trial")


@dataclasses.dataclass(frozen=True, slots=True)
class Open:
    """An open transaction when its client died: its id, its producer id and its offsets in the topic."""

    transactional_id: str
    producer_id: int
    offsets: tuple[int, ...]
    since: float

    def shown(self) -> str:
        """Return it as the transcript names it."""
        return (
            f"{len(self.offsets)} records of `{self.transactional_id}` (producer {self.producer_id}) are open, from "
            f"offset {self.offsets[0]}"
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Lab:
    """The broker, and what is asked of it."""

    broker: Broker
    admin: AdminClient
    scratch: Path
    told: Transcript
    kind: str

    def begin(self, title: str) -> None:
        """Begin the part of a client with what the program says of it."""
        one = KINDS[self.kind]
        self.told.say(f"## {title}")
        self.told.say(f"The program says: {one.restart}; {one.abort}. First: {one.first}.")

    def ids(self) -> dict[str, dict[str, str]]:
        """Return the rows of `kafka-transactions.sh list` by id."""
        code, output = self.broker.shell("kafka-transactions.sh --bootstrap-server $BOOTSTRAP list", self.scratch)
        assert code == 0, output
        return {row["TransactionalId"]: row for row in table(without_logging(output))}

    def opened(self, topic: str) -> list[Open]:
        """Return what is open in a topic, its client dead: by producer id, in the order of offsets."""
        place = TopicPartition(topic, 0)
        log = self.broker.logs / f"{topic}-0"
        first, end = stable(self.admin, place), latest(self.admin, place)
        owners = {int(row["ProducerId"]): name for name, row in self.ids().items()}
        by_producer: dict[int, list[int]] = {}
        for one in read_uncommitted(log):
            if first <= one.offset < end:
                by_producer.setdefault(one.producer_id, []).append(one.offset)
        now = time.monotonic()
        return [Open(owners[pid], pid, tuple(offsets), now) for pid, offsets in by_producer.items()]

    def outcome(self, topic: str, one: Open) -> tuple[str, float]:
        """Wait until the transaction has ended; return how, and after how many seconds."""
        place = TopicPartition(topic, 0)
        until(lambda: stable(self.admin, place) > one.offsets[-1], f"{one.transactional_id} to end")
        took = time.monotonic() - one.since
        got = {row[0] for row in records(self.broker, place, one.offsets[0], one.offsets[-1], "read_committed")}
        seen = got & set(one.offsets)
        assert not seen or seen == set(one.offsets), (seen, one)
        return ("committed" if seen else "aborted"), took

    def values(self, topic: str) -> list[int]:
        """Return the numbers that a reader of committed data gets."""
        place = TopicPartition(topic, 0)
        end = latest(self.admin, place)
        return [int(row[2]) for row in records(self.broker, place, 0, end, "read_committed")]

    def in_transaction(self, topic: str) -> bool:
        """Whether something is open in a topic, beyond what was just written."""
        place = TopicPartition(topic, 0)
        return latest(self.admin, place) - stable(self.admin, place) > 20

    def hint(self, name: str, groups: list[str], topics: list[str]) -> None:
        """Hold the hint for an id against the client, and tell it."""
        found = hints(list(self.ids()), groups, topics)
        assert found[name].client.kind == self.kind, found
        self.told.say(f"The hint for `{name}`: {found[name].words}, since {found[name].ground}.")


def streams(lab: Lab) -> None:
    """Kill an application twice: it comes back with its state directory, then without."""
    lab.begin("Kafka Streams, exactly_once_v2")
    state = lab.scratch / "state"
    arguments = [lab.broker.address, "counting", str(state), "clicks", "counts", str(TIMEOUT_MS)]
    command = java(f"kafka-streams-{KAFKA}", "StreamsApp", arguments, lab.scratch / "classes")
    feeder = Feeder(records_of(lab.broker.address, "clicks"))
    app = Client(command, lab.scratch / "streams.log")
    first = killed(lab, app, "counts")
    lab.hint(first.transactional_id, ["counting"], [])
    app = Client(command, lab.scratch / "streams.log")
    how, took = lab.outcome("counts", first)
    until(lambda: lab.ids()[first.transactional_id]["TransactionState"] == "Ongoing", "the id to be used again")
    assert (how, took < HALF_S) == ("aborted", True), (how, took)
    lab.told.say(
        f"{first.shown()}. Started again with its state directory, it has the same id, and the transaction was {how} "
        f"after {took:.0f} s, long before its timeout of {TIMEOUT_MS // 1000} s."
    )
    second = killed(lab, app, "counts")
    shutil.rmtree(state)
    before = set(lab.ids())
    app = Client(command, lab.scratch / "streams.log")
    until(lambda: bool(set(lab.ids()) - before), "a new id")
    (new,) = set(lab.ids()) - before
    rows = lab.ids()
    while rows[second.transactional_id]["TransactionState"] == "Ongoing":
        assert rows[new]["TransactionState"] == "Empty", rows
        rows = lab.ids()
    how, took = lab.outcome("counts", second)
    assert (how, took > HALF_S) == ("aborted", True), (how, took)
    until(lambda: lab.ids()[new]["TransactionState"] == "Ongoing", "the new id to work")
    lab.told.say(
        f"Killed again: {second.shown()}. Started without its state directory, it has the id `{new}`, and writes nothing "
        f"yet: it restores its store up to the end of the changelog (KAFKA-10167), where the old transaction is still "
        f"open. That one was {how} by its timeout, {took:.0f} s after the kill; only then did the new process go on."
    )
    given = feeder.stop()
    until(lambda: max(lab.values("counts"), default=0) == given, "everything to be counted")
    app.stop()
    lab.told.say(
        f"At the end the committed count is {given}, of {given} records that were written: none lost, none twice."
    )


def killed(lab: Lab, client: Client, topic: str) -> Open:
    """Kill a client inside a transaction; return that."""
    until(lambda: lab.in_transaction(topic), "a transaction to be open")
    client.kill()
    (one,) = lab.opened(topic)
    assert lab.ids()[one.transactional_id]["TransactionState"] == "Ongoing"
    return one


def connect(lab: Lab) -> None:
    """Kill the worker of a source connector that copies a file, and start it again."""
    lab.begin("Kafka Connect, exactly-once source")
    lines = lab.scratch / "lines.txt"
    lines.touch()
    feeder = Feeder(lines_of(lines))
    command, rest = connect_worker(lab.broker.address, lab.scratch)
    worker = Client(command, lab.scratch / "connect.log")
    create_connector(rest, lines, "orders")
    one = killed(lab, worker, "orders")
    lab.hint(one.transactional_id, ["copiers"], [])
    worker = Client(command, lab.scratch / "connect.log")
    how, took = lab.outcome("orders", one)
    assert (how, took < HALF_S) == ("aborted", True), (how, took)
    given = feeder.stop()
    until(lambda: len(lab.values("orders")) >= given, "every line to be copied")
    assert lab.values("orders") == list(range(1, given + 1))
    worker.stop()
    lab.told.say(
        f"{one.shown()}. Started again, the worker fenced the task's id, and the transaction was {how} after {took:.0f} s "
        f"(its timeout is {TIMEOUT_MS // 1000} s). At the end each of the {given} lines is there once."
    )


def flink(lab: Lab) -> None:
    """End a job between a checkpoint and its commit, kill it inside a transaction, and abort what a checkpoint holds."""
    lab.begin("Flink, KafkaSink")
    ended, held = job(lab, "-", 3)
    lab.hint(held.transactional_id, [], [])
    running, how = started(lab, ended, held)
    assert how == "committed", how
    lab.told.say(
        f"The job ended when checkpoint {number(ended)} was complete, before its sink could commit: {held.shown()}. "
        f"Started from that checkpoint, the job {how} them."
    )
    until(lambda: lab.in_transaction("events"), "a transaction to be open")
    running.kill()
    begun = lab.opened("events")[-1]
    last = newest(lab)
    ended, held = job(lab, str(last), number(last) + 2)
    how, _ = lab.outcome("events", begun)
    assert how == "aborted", how
    lab.told.say(
        f"Killed between two checkpoints: {begun.shown()}. Started from checkpoint {number(last)}, which does not hold "
        f"them, the job {how} them."
    )
    values = lab.values("events")
    assert values == list(range(len(values))), "something is lost or there twice"
    lab.told.say(f"The {len(values)} numbers committed so far are there once each: it wrote those records again.")
    fence = Producer({"bootstrap.servers": lab.broker.address, "transactional.id": held.transactional_id})
    fence.init_transactions(WITHIN_S)
    how, _ = lab.outcome("events", held)
    assert how == "aborted", how
    running, _ = started(lab, ended, held)
    until(
        lambda: bool(lab.values("events")) and lab.values("events")[-1] > len(values) + len(held.offsets), "it to go on"
    )
    running.kill()
    after = lab.values("events")
    missing = sorted(set(range(after[-1] + 1)) - set(after))
    assert missing == list(range(len(values), len(values) + len(held.offsets))), missing
    lab.told.say(
        f"It ended once more between checkpoint {number(ended)} and its commit: {held.shown()}. This time a producer with "
        f"that id was started first, which aborted the transaction, and then the job from the checkpoint: it went on, and "
        f"the numbers {missing[0]} to {missing[-1]} are missing for ever."
    )


def flink_command(lab: Lab, start: str, end: int) -> list[str]:
    """Return the command of a job that starts from a checkpoint, or -, and ends itself at one."""
    arguments = [lab.broker.address, "numbers", "events", str(lab.scratch / "checkpoints"), start, str(end)]
    return java(f"flink-{FLINK}", "FlinkJob", arguments, lab.scratch / "classes", OPENS)


def job(lab: Lab, start: str, end: int) -> tuple[Path, Open]:
    """Run a job until it ends itself; return the checkpoint of its end, and the transaction which that holds."""
    client = Client(flink_command(lab, start, end), lab.scratch / "flink.log")
    assert client.process.wait(WITHIN_S) == 9
    return newest(lab), lab.opened("events")[0]


def started(lab: Lab, checkpoint: Path, held: Open) -> tuple[Client, str]:
    """Start a job from a checkpoint; return it, and how the transaction ended."""
    client = Client(flink_command(lab, str(checkpoint), 0), lab.scratch / "flink.log")
    return client, lab.outcome("events", held)[0]


def newest(lab: Lab) -> Path:
    """Return the folder of the newest complete checkpoint."""
    return max((lab.scratch / "checkpoints").glob("*/chk-*/_metadata"), key=lambda one: one.stat().st_mtime).parent


def number(checkpoint: Path) -> int:
    """Return the number of a checkpoint by its folder."""
    return int(checkpoint.name.removeprefix("chk-"))


if __name__ == "__main__":
    main()
