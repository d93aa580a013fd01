"""The spark-submit command that runs a command of ours on a cluster."""

import importlib.resources
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import analyzer
from analyzer.config import Config
from analyzer.storage.cache import cache_dir
from analyzer.storage.jvm.jars import fetch_jars, spark_home
from analyzer.storage.jvm.package_zip import zip_package
from analyzer.storage.settings import Work, joined_options, local_cores, logging_options, session_settings

JOBS = frozenset({"run", "ingest", "analyze", "report"})
"""The commands that have a script of their own in `analyzer/jobs`."""


def build_submit_command(
    config: Config, arguments: Sequence[str], *, script: Path | None = None, debug: bool = False
) -> list[str]:
    """Return the spark-submit command that runs `txn-forensics <arguments>` with the settings of this configuration.

    What it ships, the zipped package and the settings of Spark's log, is kept in the user's cache, so that the command
    can be pasted. `script` is run instead of the command's own. Where the jars are not here yet they are fetched. Spark
    logs errors only, with `debug` everything from INFO on. Raises EnvironmentFault where Java, Spark or the jars are
    missing.
    """
    job, rest = (script, list(arguments)) if script else _job(arguments)
    jars = fetch_jars(config)
    folder = cache_dir() / "submit"
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "spark.pyspark.driver.python": sys.executable,
        "spark.pyspark.python": os.environ.get("PYSPARK_PYTHON", sys.executable),
    } | session_settings(config)
    logging = logging_options("info" if debug else "error", _log_settings(folder))
    settings = joined_options(settings, "driver", [*logging, *Work.LARGE.value])
    if local_cores(config.spark.master):
        settings.setdefault("spark.ui.enabled", "false")
    else:
        settings = joined_options(settings, "executor", Work.LARGE.value)
    command = [str(spark_home() / "bin" / "spark-submit"), "--master", config.spark.master]
    command += ["--name", "txn-forensics", "--driver-memory", config.spark.driver_memory]
    command += ["--jars", ",".join(str(path) for path in jars.files)]
    command += ["--py-files", str(zip_package(folder))]
    command += [part for key, value in sorted(settings.items()) for part in ("--conf", f"{key}={value}")]
    return [*command, str(job), *rest]


def _job(arguments: Sequence[str]) -> tuple[Path, list[str]]:
    folder = Path(analyzer.__file__).parent / "jobs"
    if arguments and arguments[0] in JOBS:
        return folder / f"{arguments[0]}.py", list(arguments[1:])
    return folder / "command.py", list(arguments)


def _log_settings(folder: Path) -> Path:
    target = folder / "log4j2.properties"
    target.write_bytes((importlib.resources.files("analyzer.storage") / target.name).read_bytes())
    return target
