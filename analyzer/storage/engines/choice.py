"""Which engine a command takes, where it may choose."""

import dataclasses
import importlib.util
import os

import pyarrow.compute as pc
from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.errors import ConfigError, EnvironmentFault
from analyzer.storage.locations import needs_no_session
from analyzer.storage.reading.folder import rows_of
from analyzer.storage.settings import local_cores
from analyzer.tables import TABLE_COLUMN


def has_sail() -> bool:
    """Return whether the extra `[quick]` is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("pysail", "pyspark", "grpc", "deltalake"))


def choose_engine(config: Config, location: str, input_bytes: int | None = None) -> Config:
    """Return the settings with `auto` decided: Sail where it is installed, for a small input and a case in a folder.

    `input_bytes` is how much is about to be read; None: what the case holds counts. A session that others started is
    Spark's. Raises ConfigError for an engine that is none, EnvironmentFault where Sail is asked for and cannot be had.
    """
    wanted = config.spark.engine
    if wanted not in {"auto", "spark", "sail"}:
        raise ConfigError(f"[spark] engine = {wanted!r}", wanted="spark, sail or auto")
    here = needs_no_session(location)
    if wanted == "sail" and not here:
        raise EnvironmentFault(f"sail cannot keep a case at {location}.", do="--case FOLDER, or --engine spark.")
    if wanted == "auto":
        fits = here and has_sail() and not is_started() and local_cores(config.spark.master) > 0
        limit = config.spark.sail_limit_mb * 1_000_000
        small = fits and (_stored_bytes(location) if input_bytes is None else input_bytes) <= limit
        wanted = "sail" if small else "spark"
    return dataclasses.replace(config, spark=dataclasses.replace(config.spark, engine=wanted))


def is_started() -> bool:
    """Return whether a session, or a JVM for one, is there already, as in a notebook or under spark-submit."""
    return _is_submitted() or SparkSession.getActiveSession() is not None


def runs_on_this_machine(config: Config) -> bool:
    """Return whether the user started this process himself, and its tasks run on this machine."""
    return not _is_submitted() and local_cores(config.spark.master) > 0


def _is_submitted() -> bool:
    return bool({"DATABRICKS_RUNTIME_VERSION", "PYSPARK_GATEWAY_PORT"} & set(os.environ))


def _stored_bytes(location: str) -> int:
    """Return how large the files are that this case holds the facts of."""
    catalog = f"{location.rstrip('/')}/catalog"
    files = rows_of(catalog, lambda _: ["bytes"], [(TABLE_COLUMN, "=", "files")])
    return pc.sum(files["bytes"]).as_py() or 0 if files.num_rows else 0
