"""Real brokers on loopback: one booted from nothing or over the files of another one, or three of a cluster."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from confluent_kafka.admin import AdminClient, NewTopic

STARTS_WITHIN_S = 90
STOPS_WITHIN_S = 60
REACHED_WITHIN_S = 180


class Broker:
    """A broker and controller in one process, with the scripts of its release."""

    def __init__(
        self,
        folder: Path,
        scripts: Path,
        more: Mapping[str, str] | None = None,
        node: int = 0,
        controller: int | None = None,
    ) -> None:
        """Choose ports and write the configuration, with `more` settings, into a new folder.

        `controller` is the port of another node that is the controller; without one, this node is.
        """
        self.folder, self.scripts, self.node = folder, scripts, node
        self.logs = folder / "logs"
        self.process: subprocess.Popen[bytes] | None = None
        port, own = free_ports(2)
        self.address = f"127.0.0.1:{port}"
        self.controller = controller or own
        alone = controller is None
        settings = {
            "process.roles": "broker,controller" if alone else "broker",
            "node.id": str(node),
            "listeners": f"PLAINTEXT://{self.address}" + (f",CONTROLLER://127.0.0.1:{own}" if alone else ""),
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.voters": f"0@127.0.0.1:{self.controller}",
            "log.dirs": str(self.logs),
            "log.retention.ms": "-1",
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "group.initial.rebalance.delay.ms": "0",
            **(more or {}),
        }
        folder.mkdir(parents=True)
        self.properties = folder / "server.properties"
        lines = [f"{key}={value}" for key, value in settings.items()]
        self.properties.write_text("\n".join(lines), encoding="utf-8")
        self.run("kafka-storage.sh", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", str(self.properties))

    def run(self, script: str, *arguments: str) -> str:
        """Run a script of the release; return its output."""
        command = [str(self.scripts / script), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @contextlib.contextmanager
    def running(self) -> Iterator[AdminClient]:
        """Keep the broker running; give a client once it answers."""
        try:
            yield self.start()
        finally:
            self.stop()

    def start(self) -> AdminClient:
        """Start the broker; give a client once it answers."""
        with (self.folder / "broker.log").open("a") as log:
            command = [str(self.scripts / "kafka-server-start.sh"), str(self.properties)]
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        return self._answering(self.process)

    def stop(self, *, crash: bool = False) -> None:
        """Stop the broker if it runs, in order or as a crash of its process does."""
        if self.process is None:
            return
        if crash:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(STOPS_WITHIN_S)
        self.process = None

    def _answering(self, process: subprocess.Popen[bytes]) -> AdminClient:
        admin = AdminClient({"bootstrap.servers": self.address, "log_level": 0})
        deadline = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < deadline and process.poll() is None:
            with contextlib.suppress(Exception):
                if admin.list_topics(timeout=5).brokers:
                    return admin
        raise RuntimeError(f"the broker did not start; see {self.folder / 'broker.log'}")

    def create(self, topics: Mapping[str, int]) -> None:
        """Create topics with so many partitions, in a run of their own."""
        compact = {"cleanup.policy": "compact"}
        with self.running() as admin:
            wanted = [
                NewTopic(name, count, 1, config=compact if name.startswith("__") else {})
                for name, count in topics.items()
            ]
            for created in admin.create_topics(wanted).values():
                created.result(30)

    def take_over(self, log_dir: Path) -> None:
        """Put the segments of another broker in the place of its own empty ones, while it is stopped.

        Without checkpoints and the file of a clean shutdown, it recovers every log from its segments.
        """
        for source in filter(Path.is_dir, log_dir.iterdir()):
            target = self.logs / source.name
            for old in target.iterdir():
                if old.name != "partition.metadata":
                    old.unlink()
            for file in source.iterdir():
                if file.suffix == ".log" or file.name == "leader-epoch-checkpoint":
                    shutil.copy(file, target / file.name)
        for name in ("recovery-point-offset-checkpoint", "replication-offset-checkpoint", ".kafka_cleanshutdown"):
            (self.logs / name).unlink(missing_ok=True)

    def shell(self, command: str, folder: Path) -> tuple[int, str]:
        """Run a printed command word for word in a shell; return its exit code and all of its output."""
        path = os.pathsep.join([str(self.scripts), os.environ["PATH"]])
        ran = subprocess.run(
            ["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env=os.environ | {"PATH": path, "BOOTSTRAP": self.address},
        )  # fmt: skip
        return ran.returncode, ran.stdout


def free_ports(number: int) -> list[int]:
    """Return so many ports of loopback that nothing listens at."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def until(reached: Callable[[], bool], what: str) -> None:
    """Wait for a cluster or its clients; raises RuntimeError where they do not get there."""
    deadline = time.monotonic() + REACHED_WITHIN_S
    while not reached():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.5)
