"""The clients of the trials as processes of their own: Kafka Streams, a worker of Connect, a Flink job."""

import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import confluent_kafka
from kafka_jars import jars_of
from real_cluster import free_ports

KAFKA, FLINK, CONNECTOR = "4.1.1", "1.20.1", "3.4.0-1.20"
MODULES = {
    f"kafka-streams-{KAFKA}": [f"org.apache.kafka:kafka-streams:{KAFKA}"],
    f"kafka-connect-{KAFKA}": [f"org.apache.kafka:connect-{one}:{KAFKA}" for one in ("runtime", "json", "file")],
    f"flink-{FLINK}": [
        *[
            f"org.apache.flink:flink-{one}:{FLINK}"
            for one in ("streaming-java", "clients", "connector-datagen", "connector-base")
        ],
        f"org.apache.flink:flink-connector-kafka:{CONNECTOR}",
    ],
}
OPENS = [
    f"--add-opens=java.base/java.{one}=ALL-UNNAMED"
    for one in ("util", "lang", "util.concurrent", "lang.reflect", "time")
]
"""What Flink needs of Java 17."""
TIMEOUT_MS = 120_000
"""The transaction timeout of Streams and Connect; Flink's job has ten minutes."""
WITHIN_S = 180


class Client:
    """A Java program that is started, killed and started again; what it prints is kept in a file."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        """Start it."""
        with log.open("a", encoding="utf-8") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        """End it at once, as a crash or the kernel does."""
        self.process.kill()
        self.process.wait(WITHIN_S)

    def stop(self) -> None:
        """End it in order."""
        self.process.terminate()
        self.process.wait(WITHIN_S)


class Feeder:
    """Calls a function with 1, 2, 3 ... ten times a second until it is stopped."""

    def __init__(self, give: Callable[[int], None]) -> None:
        """Begin."""
        self.given = 0
        self._give, self._over = give, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(0.1):
            self._give(self.given + 1)
            self.given += 1

    def stop(self) -> int:
        """Stop; return how many were given."""
        self._over.set()
        self._thread.join(WITHIN_S)
        return self.given


def records_of(address: str, topic: str) -> Callable[[int], None]:
    """Return what writes a number to a topic."""
    producer = confluent_kafka.Producer({"bootstrap.servers": address, "linger.ms": 5})

    def give(number: int) -> None:
        producer.produce(topic, str(number).encode(), b"all")
        producer.flush(WITHIN_S)

    return give


def lines_of(path: Path) -> Callable[[int], None]:
    """Return what appends a number to a file."""

    def give(number: int) -> None:
        with path.open("a", encoding="utf-8") as out:
            out.write(f"{number}\n")

    return give


def java(name: str, program: str, arguments: Sequence[str], folder: Path, options: Sequence[str] = ()) -> list[str]:
    """Return the command of a program: one beside this file, compiled into `folder`, or a class of the jars."""
    jars = [str(jar) for jar in jars_of(name, MODULES[name])]
    source = Path(__file__).with_name(f"{program}.java")
    if source.exists() and not (folder / f"{program}.class").exists():
        folder.mkdir(exist_ok=True)
        subprocess.run(["javac", "-XDsuppressNotes", "-cp", ":".join(jars), "-d", str(folder), str(source)], check=True)
    return ["java", "-Xmx512m", *options, "-cp", ":".join([str(folder), *jars]), program, *arguments]


def connect_worker(address: str, folder: Path) -> tuple[list[str], str]:
    """Return the command of a worker of the group `copiers`, and the address of its REST interface."""
    rest = f"http://127.0.0.1:{free_ports(1)[0]}"
    settings = {
        "bootstrap.servers": address,
        "group.id": "copiers",
        "exactly.once.source.support": "enabled",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
        "plugin.discovery": "only_scan",
        "listeners": rest,
        "session.timeout.ms": "8000",
        "heartbeat.interval.ms": "2000",
        "scheduled.rebalance.max.delay.ms": "0",
    }
    for one in ("config", "offset", "status"):
        settings |= {f"{one}.storage.topic": f"connect-{one}", f"{one}.storage.replication.factor": "1"}
    path = folder / "worker.properties"
    path.write_text("\n".join(f"{key}={value}" for key, value in settings.items()), encoding="utf-8")
    main = "org.apache.kafka.connect.cli.ConnectDistributed"
    return java(f"kafka-connect-{KAFKA}", main, [str(path)], folder / "classes"), rest


def create_connector(rest: str, lines: Path, topic: str) -> None:
    """Have the worker copy a file's lines to a topic, a transaction every 15 seconds."""
    settings = {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "tasks.max": "1", "file": str(lines), "topic": topic,
        "exactly.once.support": "required",
        "transaction.boundary": "interval", "transaction.boundary.interval.ms": "15000",
        "producer.override.transaction.timeout.ms": str(TIMEOUT_MS),
    }  # fmt: skip
    body = json.dumps({"name": "orders", "config": settings}).encode()
    asked = urllib.request.Request(f"{rest}/connectors", body, {"Content-Type": "application/json"})  # noqa: S310
    deadline = time.monotonic() + WITHIN_S
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=20):  # noqa: S310
                return
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(2)
