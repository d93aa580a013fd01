"""Runs collect.sh against the log dir of a real broker that is being written, and reads what it took.

usage: python tests/broker/collect_while_written.py --kafka 3.9.1 [--shell "busybox sh"]

A producer writes transactions into small segments that retention deletes soon, so files grow and vanish while they are
copied. Every archive must be whole: no batch is torn but the last of a log, and no running transaction hangs.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from kafka_jars import write_scripts
from real_cluster import Broker

SCRIPT = Path(__file__).parents[2] / "collect" / "collect.sh"
TOPIC, PARTITIONS, TURNS = "orders", 4, 2
SMALL = {"segment.bytes": "1048576", "retention.bytes": "4194304", "file.delete.delay.ms": "0"}
RECORDS, VALUE, PAUSE_S = 200, b"v" * 2_000, 0.05


@contextmanager
def written(address: str) -> Iterator[None]:
    """Keep a producer writing transactions, every tenth aborted."""
    done = threading.Event()

    def write() -> None:
        producer = Producer({"bootstrap.servers": address, "transactional.id": "writer"})
        producer.init_transactions()
        turn = 0
        while not done.wait(PAUSE_S):
            turn += 1
            producer.begin_transaction()
            for number in range(RECORDS):
                producer.produce(TOPIC, VALUE, partition=number % PARTITIONS)
            (producer.abort_transaction if turn % 10 == 0 else producer.commit_transaction)()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        done.set()
        writer.join()


def create(admin: AdminClient) -> None:
    """Create the topic with small segments that are deleted soon."""
    for created in admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1, config=SMALL)]).values():
        created.result(30)


def collected(shell: str, broker: Broker, archive: Path, *options: str) -> str:
    """Run the script; return the manifest of its archive."""
    command = [*shlex.split(shell), str(SCRIPT), "--log-dir", str(broker.logs), *options, "-o", str(archive)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with tarfile.open(archive) as files:
        manifest = files.extractfile("broker-0/manifest.txt")
        assert manifest is not None
        return manifest.read().decode()


def judged(archive: Path, case: Path) -> dict:
    """Return what is said of an archive."""
    command = [sys.executable, "-m", "analyzer", "run", str(archive), "--case", str(case), "--format", "json"]
    ran = subprocess.run([*command, "--quiet", "--engine", "sail"], capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1, 3}, ran.stderr
    return json.loads(ran.stdout)


def main() -> None:
    """Collect while it is written, light and whole, by turns; raises AssertionError where an archive is not sound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kafka", default="3.9.1")
    parser.add_argument("--shell", action="append", help="a shell to run it by; may be repeated")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-collect-") as scratch:
        folder = Path(scratch)
        write_scripts(given.kafka, folder / "bin")
        broker = Broker(folder / "broker", folder / "bin")
        with broker.properties.open("a", encoding="utf-8") as settings:
            settings.write("\nlog.retention.check.interval.ms=1000\n")
        with broker.running() as admin:
            create(admin)
            with written(broker.address):
                for turn in range(TURNS):
                    for shell in given.shell or ["sh", "busybox sh"]:
                        for options in ((), ("--all",)):
                            archive = folder / f"{turn}-{shell.replace(' ', '-')}{''.join(options)}.tar.gz"
                            manifest = collected(shell, broker, archive, *options)
                            check(manifest, judged(archive, folder / f"case-{archive.name}"), archive.name)


def check(manifest: str, document: dict, name: str) -> None:
    """Compare the archive with what a living broker must give: nothing damaged, nothing stuck, nothing not understood."""
    kinds = {line.split("\t")[0] for line in manifest.splitlines()}
    vanished = sum(line.endswith("\tgone") for line in manifest.splitlines())
    findings = [(one["code"], one["headline"]) for one in document["findings"]]
    size = document["coverage"]["bytes"]
    sys.stdout.write(f"{name:<28} {size:>10} bytes, {vanished} vanished, {document['verdict']}, {findings}\n")
    sys.stdout.flush()
    assert {"collect.sh", "end"} <= kinds
    assert findings == []
    assert document["unparsed"]["lines"] == 0
    stuck = [
        one for one in document["open_transactions"] if one["verdict"] not in {"in_flight", "completing", "undecided"}
    ]
    assert stuck == []


if __name__ == "__main__":
    main()
