"""A real cluster on the loopback address: a standalone master and two workers of one core each."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from analyzer.storage.jvm.jars import spark_home

START_SECONDS = 60
BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Six JVMs on two cores: none lives long enough for the second compiler."""


@dataclass
class Cluster:
    """A running master with its workers, the newest last."""

    master: str
    workers: list[subprocess.Popen[bytes]]
    folder: Path

    def submitted(self, *arguments: str, settings: str = "") -> "subprocess.Popen[str]":
        """Start `txn-forensics submit` of these arguments on this cluster."""
        conf = self.folder / "cluster.toml"
        conf.write_text(
            f'[spark]\nmaster = "{self.master}"\nshuffle_partitions = 2\ndriver_memory = "1g"\n[spark.extra]\n'
            f'"spark.executor.memory" = "1g"\n"spark.executor.extraJavaOptions" = "{BRIEF}"\n'
            f'"spark.driver.extraJavaOptions" = "{BRIEF}"\n'
            f'"spark.driver.host" = "127.0.0.1"\n{settings}\n'
        )
        command = [os.sys.executable, "-m", "analyzer", "submit", "--conf", str(conf), "--", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def started(what: str, log: Path, *arguments: str, tell: str) -> subprocess.Popen[bytes]:
    """Start a daemon of Spark and wait until its log says `tell`."""
    name = f"org.apache.spark.deploy.{what}"
    environment = {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_JAVA_OPTS": BRIEF,
    }
    with log.open("wb") as stream:
        daemon = subprocess.Popen(
            [spark_home() / "bin" / "spark-class", name, *arguments], stdout=stream, stderr=stream, env=environment
        )
    for _ in range(START_SECONDS * 10):
        if tell in log.read_text(errors="replace"):
            return daemon
        assert daemon.poll() is None, log.read_text(errors="replace")[-2000:]
        time.sleep(0.1)
    daemon.kill()
    pytest.fail(f"{what} did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    port, page = free_port(), free_port()
    at = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page)]
    master = started("master.Master", folder / "master.log", *at, tell="New state: ALIVE")
    running = Cluster(f"spark://127.0.0.1:{port}", [], folder)
    try:
        for number in range(2):
            where = ["--host", "127.0.0.1", "--webui-port", "0", "--work-dir", str(folder / f"work-{number}")]
            size = ["--cores", "1", "--memory", "1g"]
            log = folder / f"worker-{number}.log"
            running.workers.append(
                started("worker.Worker", log, *where, *size, running.master, tell="Successfully registered")
            )
        yield running
    finally:
        for daemon in (*running.workers, master):
            daemon.kill()
            daemon.wait()
