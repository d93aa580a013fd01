"""Checks this machine for what a run needs, and says what to do where something is missing."""

import dataclasses
import importlib.metadata
import sys
import tempfile
from collections.abc import Callable

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.storage.cache import shown
from analyzer.storage.engines.choice import has_sail
from analyzer.storage.engines.differences import engine_of
from analyzer.storage.engines.sail_server import INSTALL_QUICK
from analyzer.storage.jvm.jars import coordinate, find_jars
from analyzer.storage.jvm.java import check_java
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

INSTALL = 'pip install "txn-forensics[local]"'
OLDEST_PYTHON, FIRST_UNTRIED_PYTHON = (3, 11), (3, 14)


@dataclasses.dataclass(frozen=True, slots=True)
class Check:
    """One thing a run needs: whether it is there, what was found, and what to do (empty if all is well)."""

    name: str
    ok: bool
    found: str
    do: str = ""


def doctor(config: Config, *, debug: bool = False) -> list[Check]:
    """Return the checks in the order in which a run needs them; the last one writes and reads a real Delta table.

    Nothing is fetched: if the jars are missing, the check says so and the table is not tried. Where Sail would compute
    a small case, its needs are checked, and Java is none of them.
    """
    if config.spark.engine == "sail" or (config.spark.engine == "auto" and has_sail()):
        config = dataclasses.replace(config, spark=dataclasses.replace(config.spark, engine="sail"))
        checks = [
            _python(),
            Check("java", ok=True, found="not needed on Sail; what Spark needs: doctor --engine spark"),
            *[_package(name, INSTALL_QUICK) for name in ("pyspark", "pysail", "deltalake")],
        ]
    else:
        checks = [
            _python(),
            _guarded("java", _java),
            _package("pyspark"),
            _package("delta-spark"),
            _guarded("jars", lambda: _jars(config)),
        ]
    if all(check.ok for check in checks):
        checks.append(_guarded("delta table", lambda: _table(config, debug=debug)))
    else:
        checks.append(Check("delta table", ok=False, found="not tried", do="first what is missing above"))
    return checks


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    """Return the check's result; a fault that it raises is a failed check."""
    try:
        return check()
    except EnvironmentFault as fault:
        return Check(name, ok=False, found=fault.found, do=fault.do)


def _python() -> Check:
    version = sys.version.split()[0]
    ok = OLDEST_PYTHON <= sys.version_info[:2] < FIRST_UNTRIED_PYTHON
    return Check("python", ok, f"{version} ({sys.executable})", "" if ok else "use Python 3.11, 3.12 or 3.13")


def _java() -> Check:
    java = check_java()
    return Check("java", ok=True, found=f"{java.version} ({java.path})")


def _package(name: str, do: str = INSTALL) -> Check:
    try:
        return Check(name, ok=True, found=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Check(name, ok=False, found="not installed", do=do)


def _jars(config: Config) -> Check:
    jars = find_jars(config)
    if jars is None:
        return Check("jars", ok=False, found=f"{coordinate()} is not in the cache", do="txn-forensics fetch-jars")
    size = f"{len(jars.files)} jars, {jars.bytes / 1e6:.0f} MB, {jars.origin}"
    return Check("jars", ok=True, found=f"{size}: {shown(jars.folder)}")


def _table(config: Config, *, debug: bool) -> Check:
    spark, owned = build_session(config, Work.BRIEF, debug=debug)
    try:
        with tempfile.TemporaryDirectory(prefix="txn-forensics-doctor-") as folder:
            spark.range(10).write.format("delta").save(f"{folder}/table")
            rows = spark.read.format("delta").load(f"{folder}/table").count()
    finally:
        title = engine_of(spark).title
        if owned:
            spark.stop()
    ok = rows == 10  # noqa: PLR2004 - as many as were written
    return Check("delta table", ok, f"wrote 10 rows and read {rows} with {title}")
