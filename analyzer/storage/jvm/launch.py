"""Starts the JVM and keeps its chatter in a file; if it does not come up, the fault quotes the telling line."""

import contextlib
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway

from analyzer.errors import EnvironmentFault
from analyzer.scratch import leave, scratch_file

_ENVIRONMENT = {"SPARK_LOCAL_IP": "127.0.0.1"}


def launch_jvm(settings: dict[str, str], *, debug: bool) -> SparkConf:
    """Start the driver's JVM with these settings and return them as a SparkConf for the session.

    The JVM's stdout and stderr (its warnings, Spark's log, a Python worker's prints) go into a temporary file that
    lives as long as this process; with `debug` they go where ours go. A running JVM is used as it is. Raises
    EnvironmentFault if Java does not come up.
    """
    conf = SparkConf(loadDefaults=False)
    for name, value in settings.items():
        conf.set(name, value)
    if running_gateway() is not None:
        return conf
    log = None if debug else scratch_file("txn-forensics-spark-", ".log")
    if not debug:
        logging.getLogger().addFilter(_is_not_py4j)
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(log.open("wb")) if log else None
        kwargs = {"stdout": stream, "stderr": subprocess.STDOUT} if stream else {}
        stack.enter_context(_environment(_ENVIRONMENT if settings["spark.master"].startswith("local") else {}))
        try:
            gateway = launch_gateway(conf, kwargs)  # type: ignore[no-untyped-call]
        except (PySparkException, OSError) as error:
            raise _not_started(log) from error
    gateway.txn_forensics_log = log
    SparkContext._ensure_initialized(gateway=gateway)  # noqa: SLF001 - the one way to hand over a gateway's output
    return conf


def submitted() -> dict[str, str]:
    """Return the settings that spark-submit gave to this process's JVM."""
    SparkContext._ensure_initialized()  # noqa: SLF001 - before it a SparkConf does not see the JVM's settings
    return dict(SparkConf().getAll())


def running_gateway() -> Any | None:  # noqa: ANN401 - py4j has no types
    """Return the gateway to this process's JVM, None if there is none yet."""
    return SparkContext._gateway  # noqa: SLF001 - pyspark offers no other view of it


def jvm_exit_code(patience: float) -> int | None:
    """Return the exit code of the JVM that we started, as a shell counts it (137: killed), None while it runs.

    Waits up to `patience` seconds for it to exit.
    """
    process = getattr(running_gateway(), "proc", None)
    if process is None:
        return None
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=patience)
    code = process.returncode
    return None if code is None else code if code >= 0 else 128 - code


def telling_lines(log: Path | None, limit: int = 3) -> list[str]:
    """Return the first lines of a JVM's log that name an error, each at most 200 characters."""
    if log is None or not log.exists():
        return []
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    wanted = re.compile(r"\b(Error|Exception|FATAL|fatal error|Could not|Unrecognized|Invalid|unable to)\b|not enough")
    return [line.strip()[:200] for line in lines if wanted.search(line)][:limit]


def _not_started(log: Path | None) -> EnvironmentFault:
    told = telling_lines(log)
    said = f" Java said: {told[0]}" if told else ""
    kept = f"; all it said is in {log}" if log else ""
    if log is not None:
        leave(log)
    return EnvironmentFault(
        f"Spark's Java process did not start.{said}",
        do=f"txn-forensics doctor, or the same command with --debug{kept}",
    )


def _is_not_py4j(record: logging.LogRecord) -> bool:
    """Keep py4j's stack traces of a dead JVM off stderr; a fault says it in a line."""
    return "py4j" not in Path(record.pathname).parts


class _environment(contextlib.ContextDecorator):  # noqa: N801 - used as a function
    """Environment variables for the JVM alone; those that the user has set stay."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._added = {name: value for name, value in variables.items() if name not in os.environ}

    def __enter__(self) -> None:
        os.environ.update(self._added)

    def __exit__(self, *_: object) -> None:
        for name in self._added:
            os.environ.pop(name, None)


def use_this_python(*, local: bool) -> None:
    """Make Spark's workers run this interpreter; on a cluster the environment's own choice stays."""
    if local:
        os.environ["PYSPARK_PYTHON"] = sys.executable
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
