"""The jars of a Kafka release, and of other modules, resolved by name through Ivy into the user's cache; its scripts."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from analyzer.config import Config
from analyzer.storage.cache import cache_dir
from analyzer.storage.jvm.jars import ivy_settings, spark_home

MODULES = ("org.apache.kafka:kafka_2.13", "org.apache.kafka:kafka-tools")
TOOLS = {
    "kafka-transactions.sh": ("org.apache.kafka.tools.TransactionsCommand",),
    "kafka-consumer-groups.sh": (
        "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
        "kafka.admin.ConsumerGroupCommand",
    ),
    "kafka-console-consumer.sh": ("org.apache.kafka.tools.consumer.ConsoleConsumer", "kafka.tools.ConsoleConsumer"),
    "kafka-storage.sh": ("kafka.tools.StorageTool",),
    "kafka-server-start.sh": ("kafka.Kafka",),
}
"""The class of each script, where it moved the newer one first."""


def kafka_jars(version: str) -> list[Path]:
    """Return the jars of a release, fetched once; Scala's own library is the one that Spark brings.

    Raises RuntimeError with what Ivy said if they cannot be fetched.
    """
    jars = jars_of(f"kafka-{version}", [f"{name}:{version}" for name in MODULES])
    return jars + sorted((spark_home() / "jars").glob("scala-library-2.13*.jar"))


def jars_of(name: str, modules: Sequence[str]) -> list[Path]:
    """Return the jars of some modules (group:artifact:version) and of what they need, fetched once under a name.

    Raises RuntimeError with what Ivy said if they cannot be fetched.
    """
    folder = cache_dir() / name
    if not (folder / "complete").exists():
        said = _resolve(modules, folder)
        if not all(any((folder / "jars").glob(f"{'_'.join(one.split(':')[:2])}-*.jar")) for one in modules):
            raise RuntimeError(f"{name} could not be fetched:\n{said[-2000:]}")
        (folder / "complete").touch()
    return sorted((folder / "jars").glob("*.jar"))


def _resolve(modules: Sequence[str], folder: Path) -> str:
    """Have spark-submit resolve the modules for an empty script; return what it printed."""
    settings = {"spark.jars.ivy": folder, "spark.jars.packages": ",".join(modules)}
    named = ivy_settings(Config())
    if named:
        settings["spark.jars.ivySettings"] = named
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "nothing.py"
        script.touch()
        given = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        command = [spark_home() / "bin" / "spark-submit", "--master", "local[1]", *given, script]
        environment = {"SPARK_LOCAL_IP": "127.0.0.1"} | os.environ
        ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment)
    return ran.stdout + ran.stderr


def classpath(version: str) -> str:
    """Return the class path of a release."""
    return os.pathsep.join(map(str, kafka_jars(version)))


def write_scripts(version: str, folder: Path) -> None:
    """Write the scripts of a release into a folder, so that printed commands run as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    jars = kafka_jars(version)
    java = shutil.which("java") or "java"
    for name, classes in TOOLS.items():
        main = next(one for one in classes if _has_class(jars, one))
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {java} -Xmx512m -cp "{classpath(version)}" {main} "$@"\n', encoding="utf-8")
        script.chmod(0o755)


def _has_class(jars: list[Path], name: str) -> bool:
    entry = name.replace(".", "/").encode() + b".class"
    return any(entry in jar.read_bytes() for jar in jars if "kafka" in jar.name)
