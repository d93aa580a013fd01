"""Provides a Spark session that can read and write Delta: the active one, or one of our own."""

import importlib.resources
import os
import signal
import tempfile
import threading
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.storage.engines.sail_server import start_sail
from analyzer.storage.jvm.fewer_calls import remember_names
from analyzer.storage.jvm.jars import Jars, Notice, fetch_jars
from analyzer.storage.jvm.java import check_java
from analyzer.storage.jvm.launch import launch_jvm, submitted, use_this_python
from analyzer.storage.jvm.package_zip import zip_package
from analyzer.storage.jvm.start_archive import discard_archive, find_archive
from analyzer.storage.settings import (
    Work,
    cluster_settings,
    java_options,
    local_cores,
    local_settings,
    session_settings,
)


def build_session(
    config: Config, work: Work = Work.LARGE, *, debug: bool = False, notice: Notice | None = None
) -> tuple[SparkSession, bool]:
    """Return a session and whether it is ours to stop.

    An active session (a notebook's, Databricks') is used as it is. Under spark-submit the session is built in the
    JVM that is there, and what was submitted wins. Else a JVM is started with the Delta jars, which are fetched
    first where they are missing; `notice` is told of that. `work` chooses a quick start or bulk speed,
    `debug` lets Spark's log through. Raises EnvironmentFault where Java or the jars are missing.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        return SparkSession.builder.getOrCreate(), False
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return _configured(SparkSession.builder, session_settings(config, work) | submitted()), True
    if config.spark.engine == "sail":
        return start_sail(config, debug=debug), True
    check_java()
    jars = fetch_jars(config, notice)
    local = local_cores(config.spark.master) > 0
    use_this_python(local=local)
    spark = _start(config, jars, work, debug=debug)
    remember_names(spark)
    if not local:
        _ship_package(spark)
    return spark, True


def _start(config: Config, jars: Jars, work: Work, *, debug: bool) -> SparkSession:
    """Start the JVM and the session; where a start-up archive is in the way, once more without it."""
    archive = find_archive(jars)
    try:
        return _start_with(config, jars, archive, work, debug=debug)
    except EnvironmentFault:
        if archive is None:
            raise
        spark = _start_with(config, jars, None, work, debug=debug)
        discard_archive(archive)
        return spark


def _start_with(config: Config, jars: Jars, archive: Path | None, work: Work, *, debug: bool) -> SparkSession:
    resource = importlib.resources.files("analyzer.storage") / "log4j2.properties"
    place = local_settings if local_cores(config.spark.master) else cluster_settings
    with importlib.resources.as_file(resource) as log_file:
        options = java_options(
            config,
            work,
            log_level="warn" if debug else "error",
            log_file=log_file,
            archive=archive,
        )
        settings = session_settings(config, work) | place(config, jars.files, options)
        conf = launch_jvm(settings, debug=debug)
        _start_context(conf)
        return _configured(SparkSession.builder, dict(conf.getAll()))


def _start_context(conf: SparkConf) -> None:
    """Start the SparkContext, and give Ctrl-C back to whom it belonged: PySpark's handler first asks the JVM."""
    before = signal.getsignal(signal.SIGINT)
    SparkContext.getOrCreate(conf)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, before)


def _configured(builder: SparkSession.Builder, settings: dict[str, str]) -> SparkSession:
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _ship_package(spark: SparkSession) -> None:
    """Give the workers of a cluster this package, which they need not have installed."""
    with tempfile.TemporaryDirectory() as scratch:
        spark.addArtifacts(str(zip_package(Path(scratch))), pyfile=True)
