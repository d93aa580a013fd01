"""The Sail server of this process, and sessions of it."""

import functools
import os
import signal
import threading
import weakref
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.scratch import scratch_folder
from analyzer.storage.engines.choice import has_sail
from analyzer.storage.settings import NO_CALL_SITES, local_cores

INSTALL_QUICK = 'pip install "txn-forensics[quick]"'

PARQUET_SETTINGS = {
    "SAIL_PARQUET__COMPRESSION": "lz4_raw",  # settled tables live for minutes: zstd takes longer
    "SAIL_PARQUET__PUSHDOWN_FILTERS": "true",  # do not decode the other columns of rows that a filter drops
    "SAIL_PARQUET__ENABLE_PAGE_INDEX": "false",  # with pushdown, files without a page index fail to read
    # Sail writes a Bloom filter for every column, even when told not to: 1 MB each at its default of a million values.
    "SAIL_PARQUET__BLOOM_FILTER_NDV": "1",
    "SAIL_PARQUET__BLOOM_FILTER_ON_READ": "false",
}
"""How Sail reads and writes Parquet."""

ALLOCATOR_SETTINGS = {
    "MIMALLOC_ALLOW_THP": "0",  # a huge page is given back whole or not at all: 500 MB more for 8 GB
    # Free pages are given back after a millisecond: what is freed and taken again within one is not given back and
    # cleared. At once takes a sixth more CPU time; later is no faster, and peaks differ more from run to run.
    "MIMALLOC_PURGE_DELAY": "1",
    # Some forty threads work and read files: each may take over any number of half-empty pages from others, and looks
    # for empty pages of its own 30 times as often as by default.
    "MIMALLOC_PAGE_CROSS_THREAD_MAX_RECLAIM": "-1",
    "MIMALLOC_GENERIC_COLLECT": "300",
}
"""How Sail's allocator asks for memory."""

SAIL_SESSIONS: "weakref.WeakKeyDictionary[SparkSession, int]" = weakref.WeakKeyDictionary()
"""The sessions that `start_sail` made, and how many cores each may use."""


def start_sail(config: Config, *, debug: bool = False) -> SparkSession:
    """Return a session of the Sail server of this process. Raises EnvironmentFault where it is not installed."""
    if not has_sail():
        raise EnvironmentFault("the engine sail is not installed.", do=f"{INSTALL_QUICK}, or --engine spark.")
    cores = local_cores(config.spark.master) or os.cpu_count() or 1
    host, port = _server(cores, debug=debug)
    shuffled = config.spark.shuffle_partitions or cores
    builder = SparkSession.builder.remote(f"sc://{host}:{port}")
    settings = {"spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": str(shuffled), **NO_CALL_SITES}
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark: SparkSession = builder.create()
    if threading.current_thread() is threading.main_thread():
        # The server takes SIGINT for itself and stops; its client would try again for ten minutes. Give it back.
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    SAIL_SESSIONS[spark] = cores
    return spark


@functools.cache
def _server(cores: int, *, debug: bool) -> tuple[str, int]:
    """Start the server, once in a process, and return where it listens: on the loopback address only."""
    os.environ["RUST_LOG"] = "info" if debug else "off"
    os.environ["SAIL_EXECUTION__DEFAULT_PARALLELISM"] = str(cores)
    os.environ["SAIL_EXECUTION__CHECKPOINT__PATH"] = scratch().as_uri()
    os.environ |= PARQUET_SETTINGS | ALLOCATOR_SETTINGS
    from pysail.spark import SparkConnectServer  # noqa: PLC0415 - reads the environment, and is an extra

    server: Any = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _running.append(server)
    address: tuple[str, int] = server.listening_address
    return address


_running: list[Any] = []
"""The server of this process: it ends when it is collected, so it is held until the process ends."""


@functools.cache
def scratch() -> Path:
    """Return the folder of what is computed between stages; it is removed when the process ends."""
    return scratch_folder("txn-forensics-sail-")
