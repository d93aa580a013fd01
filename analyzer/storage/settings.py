"""Spark's settings: those that every session has, and those that a local one adds."""

import enum
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from analyzer.config import Config

DIFFERENT_VALUES = (
    "line", "byte_offset", "marker_line", "marker_byte_offset", "base_offset", "last_offset", "offset", "position",
    "crc", "size", "base_timestamp", "max_timestamp", "timestamp", "last_update_ms", "start_ms", "base_sequence",
    "last_sequence",
)  # fmt: skip
"""Columns of facts with about as many values as rows."""

INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
"""For few rows generating and compiling code costs more than interpreting plans (measured: twice)."""

FOR_FEW = INTERPRETED | {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.maxSinglePartitionBytes": str(2**63 - 1),
}
"""For few rows: what lies in one partition stays there, however large Spark believes it to be."""

FOR_TINY = FOR_FEW | {
    # One task joins what lies in one partition by itself: a broadcast is a job of its own.
    "spark.sql.optimizer.disableHints": "true",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.join.forceApplyShuffledHashJoin": "true",
    # Each filter of this kind is a subquery with a job of its own.
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
    "spark.sql.optimizer.dynamicPartitionPruning.enabled": "false",
    # What follows from the conditions of all joins is found out anew in each round of the optimizer.
    "spark.sql.constraintPropagation.enabled": "false",
}
"""For tables of some thousand rows, where planning a stage takes longer than computing it."""

NO_CALL_SITES = {"spark.python.sql.dataFrameDebugging.enabled": "false"}
"""Else each column expression finds out where it was written: calls into the JVM, or a search for IPython."""


class Work(enum.Enum):
    """How much a session is started for; what the JVM compiles depends on that (decision 0012)."""

    BRIEF = ("-XX:TieredStopAtLevel=1",)
    """One small capture, or a question: only the first compiler works, the second is never done in time."""
    SMALL = ("-XX:CompileThresholdScaling=4",)
    """Little input, but of many captures: four times the JVM's own limits."""
    LARGE = (
        "-XX:Tier4InvocationThreshold=50000",
        "-XX:Tier4MinInvocationThreshold=6000",
        "-XX:Tier4CompileThreshold=150000",
        "-XX:Tier4BackEdgeThreshold=400000",
        "-XX:ReservedCodeCacheSize=480m",
    )
    """Throughput counts: ten times the JVM's own limits for the second compiler, which else takes a third of all."""


_LOCAL = re.compile(r"local(?:\[(\d+|\*)(?:\s*,\s*\d+)?\])?")


def local_cores(master: str) -> int:
    """Return how many cores a local master uses, 0 where the master is a cluster (`local-cluster` counts as one)."""
    local = _LOCAL.fullmatch(master)
    if local is None:
        return 0
    return (os.cpu_count() or 1) if local[1] == "*" else int(local[1] or 1)


def session_settings(config: Config, work: Work = Work.LARGE) -> dict[str, str]:
    """Return the settings that every session of ours has, on any master; `[spark] extra` wins over them."""
    settings = {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.databricks.delta.snapshotPartitions": str(config.spark.snapshot_partitions),
        # Statistics of each column of each row took half of an ingest; what we filter by are whole tables and files.
        "spark.databricks.delta.stats.collect": "false",
        "spark.ui.showConsoleProgress": "false",
        # The long description of a plan takes as long to make as some of the plans.
        "spark.sql.ui.explainMode": "simple",
        # Each sort and each aggregate of a task takes a page at least; the default of 64 MB a page starves long plans.
        "spark.buffer.pageSize": "2m",
        **NO_CALL_SITES,
        # A task writes rows of several fact tables side by side instead of sorting them first.
        "spark.sql.maxConcurrentOutputFileWriters": "16",
    }
    # Parquet builds a dictionary of each column and drops it where it does not help: a quarter of the writing.
    settings |= {f"spark.hadoop.parquet.enable.dictionary#{name}": "false" for name in DIFFERENT_VALUES}
    if work is not Work.LARGE:
        settings |= INTERPRETED
    cores = local_cores(config.spark.master)
    if config.spark.shuffle_partitions:
        settings["spark.sql.shuffle.partitions"] = str(config.spark.shuffle_partitions)
    elif cores:
        settings["spark.sql.shuffle.partitions"] = str(4 * cores if work is Work.LARGE else cores)
    return settings | dict(config.spark.extra)


def local_settings(config: Config, jars: tuple[Path, ...], java_options: list[str]) -> dict[str, str]:
    """Return what a session in this process's own JVM adds to `session_settings`.

    The jars stand on the class path, where a start-up archive can cover them and nothing copies them; the driver
    listens on the loopback address only, and the UI, which costs start-up time and a port, is off.
    """
    settings = {
        "spark.master": config.spark.master,
        "spark.app.name": "txn-forensics",
        "spark.driver.memory": config.spark.driver_memory,
        "spark.driver.extraClassPath": os.pathsep.join(str(path) for path in jars),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
    }
    return _with_extra(settings, config, java_options)


def cluster_settings(config: Config, jars: tuple[Path, ...], java_options: list[str]) -> dict[str, str]:
    """Return what a driver of ours on a cluster's master adds to `session_settings`: Spark ships the jars."""
    settings = {
        "spark.master": config.spark.master,
        "spark.app.name": "txn-forensics",
        "spark.driver.memory": config.spark.driver_memory,
        "spark.jars": ",".join(str(path) for path in jars),
    }
    return joined_options(_with_extra(settings, config, java_options), "executor", Work.LARGE.value)


def java_options(config: Config, work: Work, *, log_level: str, log_file: Path, archive: Path | None) -> list[str]:
    """Return the driver JVM's options: quiet logging, and what makes a short run short.

    The serial collector measured the same speed as G1 on two cores at half the memory outside the heap.
    """
    options = [
        *logging_options(log_level, log_file),
        f"-XX:ErrorFile={Path(tempfile.gettempdir()) / 'txn-forensics-hs_err_%p.log'}",
        *work.value,
    ]
    if work is not Work.LARGE:
        # Planning makes garbage by the gigabyte: a heap that begins large is collected a few times, not 160 times.
        options += ["-XX:InitialRAMPercentage=5", "-XX:NewRatio=1", "-XX:MetaspaceSize=256m"]
    if work is not Work.LARGE or 0 < local_cores(config.spark.master) <= 2:  # noqa: PLR2004 - as the JVM itself on one core
        options.append("-XX:+UseSerialGC")
    if archive is not None:
        options += [f"-XX:SharedArchiveFile={archive}", "-XX:+VerifySharedSpaces"]
    return options


def logging_options(level: str, settings_file: Path) -> list[str]:
    """Return the JVM options that make Spark log by this file, from this level on."""
    return [f"-Dlog4j2.configurationFile={settings_file.as_uri()}", f"-Dtxn_forensics.log={level}"]


def joined_options(settings: Mapping[str, str], role: str, options: Iterable[str]) -> dict[str, str]:
    """Return settings with Java options of a role, `driver` or `executor`, before its own: the last one wins."""
    name = f"spark.{role}.extraJavaOptions"
    theirs = [settings[name]] if name in settings else []
    return {**settings, name: " ".join([*options, *theirs])}


def _with_extra(settings: dict[str, str], config: Config, options: list[str]) -> dict[str, str]:
    """Return the settings with the user's over ours; Java options are joined, the user's last."""
    return joined_options(settings | dict(config.spark.extra), "driver", options)
