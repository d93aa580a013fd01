"""The spark-submit command that runs a command of ours on a cluster."""

import os
import sys
from pathlib import Path

import analyzer
from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.storage.jars import fetch_jars, spark_home
from analyzer.storage.package_zip import zip_package
from analyzer.storage.settings import local_cores, session_settings

JOB = "run.py"


def build_submit_command(
    config: Config, arguments: list[str], work_folder: Path, *, job: Path | None = None
) -> list[str]:
    """Return the spark-submit command that runs `txn-forensics <arguments>` with the settings of this configuration.

    The package is zipped into `work_folder`, which must outlive the command. `job` is the script to run, by default
    jobs/run.py of this checkout. Where the jars are not here yet they are fetched. Raises EnvironmentFault where
    Java, Spark or the jars are missing.
    """
    script = job or find_job()
    jars = fetch_jars(config)
    settings = {
        "spark.pyspark.driver.python": sys.executable,
        "spark.pyspark.python": os.environ.get("PYSPARK_PYTHON", sys.executable),
    } | session_settings(config)
    if local_cores(config.spark.master):
        settings.setdefault("spark.ui.enabled", "false")
    command = [str(spark_home() / "bin" / "spark-submit"), "--master", config.spark.master]
    command += ["--name", "txn-forensics", "--driver-memory", config.spark.driver_memory]
    command += ["--jars", ",".join(str(path) for path in jars.files)]
    command += ["--py-files", str(zip_package(work_folder))]
    command += [part for name, value in sorted(settings.items()) for part in ("--conf", f"{name}={value}")]
    return [*command, str(script), *arguments]


def find_job() -> Path:
    """Return jobs/run.py: in the checkout beside the package. Raises EnvironmentFault where it is not there."""
    script = Path(analyzer.__file__).parent.parent / "jobs" / JOB
    if not script.is_file():
        raise EnvironmentFault(
            f"jobs/{JOB} is not beside the installed package ({script.parent}).",
            do="run submit from a checkout of the project (pip install -e .), or give the script with --job",
        )
    return script
