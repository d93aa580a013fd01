"""Finds the Delta jars for the installed pyspark and delta-spark, or fetches them once through Ivy."""

import dataclasses
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.storage.cache import cache_dir, shown
from analyzer.storage.jvm.java import check_java

JARS_VARIABLE = "TXN_FORENSICS_JARS"
IVY_SETTINGS_VARIABLE = "TXN_FORENSICS_IVY_SETTINGS"

EXCLUDES = "com.*:*,commons-*:*,io.airlift:*,io.unitycatalog:*,jakarta.*:*,javax.*:*,org.*:*"
"""Most of what Delta's POM pulls in is in pyspark already: of 33 jars and 86 MB, 5 jars and 13 MB are left."""

_BESIDE = ("delta-storage", "delta-kernel-api", "delta-kernel-defaults", "delta-kernel-unitycatalog")

_REASONS = (
    r"\(java\.\S*?(\w+Exception: [^)\n]+)\)",
    r"Host .* not found",
    r"module not found: .*",
    r"Caused by: java\.\S*?(\w+: .*)",
    r"RuntimeException: (.*)",
)
"""How Ivy reports its failures, the most telling first: no connection, no such module, anything else."""

Notice = Callable[[str], None]
"""Called with what takes a while, for example a download; prints to stderr or does nothing."""


@dataclasses.dataclass(frozen=True, slots=True)
class Jars:
    """The Delta jars: their folder, the files, and where they come from (given, cached, fetched)."""

    folder: Path
    files: tuple[Path, ...]
    origin: str

    @property
    def bytes(self) -> int:
        """Size of all files, bytes."""
        return sum(path.stat().st_size for path in self.files)


def spark_home() -> Path:
    """Return the folder of the Spark that will be started: `$SPARK_HOME`, else the installed pyspark.

    Raises EnvironmentFault if there is neither.
    """
    given = os.environ.get("SPARK_HOME")
    if given:
        return Path(given)
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise EnvironmentFault("pyspark is not installed.", do='pip install "txn-forensics[local]"')
    return Path(spec.origin).parent


def coordinate() -> str:
    """Return the Maven coordinate of Delta for the installed versions: `io.delta:delta-spark_4.1_2.13:4.4.0`.

    The infix names Spark (since Delta 4.1) and Scala; both versions are read from the name of Spark's own jar. Raises
    EnvironmentFault if pyspark or delta-spark is missing.
    """
    core = next((spark_home() / "jars").glob("spark-core_*.jar"), None)
    named = re.fullmatch(r"spark-core_([\d.]+)-(\d+\.\d+)\..*\.jar", core.name) if core else None
    if named is None:
        raise EnvironmentFault(
            f"no Spark in {spark_home()} (no jars/spark-core_*.jar).", do='pip install "txn-forensics[local]"'
        )
    try:
        delta = importlib.metadata.version("delta-spark")
    except importlib.metadata.PackageNotFoundError as error:
        raise EnvironmentFault("delta-spark is not installed.", do='pip install "txn-forensics[local]"') from error
    return f"io.delta:delta-spark_{named[2]}_{named[1]}:{delta}"


def find_jars(config: Config) -> Jars | None:
    """Return the jars in the configured folder, in `$TXN_FORENSICS_JARS`, or else in the cache; None if not there.

    Raises EnvironmentFault if a folder was named and does not hold them.
    """
    named = config.spark.jars_dir or os.environ.get(JARS_VARIABLE, "")
    if not named:
        return _complete(_cached_folder(), "cached")
    found = _complete(Path(named).expanduser(), "given")
    if found is None:
        raise EnvironmentFault(
            f"the folder of jars {named} does not hold the Delta jars.",
            wanted=f"{coordinate()} and the four jars beside it: {', '.join(_BESIDE)}",
            do=f"unset {JARS_VARIABLE} (or [spark] jars_dir), or copy {shown(_cached_folder())} from where they are",
        )
    return found


def fetch_jars(config: Config, notice: Notice | None = None) -> Jars:
    """Fetch the Delta jars into the cache through Ivy and return them; jars that are there already are not fetched.

    Ivy asks the repositories of an ivysettings file, of `DEFAULT_ARTIFACT_REPOSITORY`, or of its own defaults. Raises
    EnvironmentFault if Java is missing or a jar could not be fetched.
    """
    found = find_jars(config)
    if found is not None:
        return found
    wanted, target = coordinate(), _cached_folder()
    if notice is not None:
        notice(f"fetching the Delta jars once (13 MB) into {shown(target)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    ivy = cache_dir() / "ivy"
    said = _run_ivy(config, wanted, ivy)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        for path in ivy.glob("jars/io.delta_*.jar"):
            if path.stem.endswith(f"-{wanted.rsplit(':', 1)[1]}"):
                shutil.copy2(path, scratch)
        if _complete(Path(scratch), "fetched") is None:
            raise _not_fetched(wanted, ivy, said)
        target.mkdir(exist_ok=True)
        for path in Path(scratch).iterdir():
            path.replace(target / path.name)
    fetched = _complete(target, "fetched")
    if fetched is None:
        raise _not_fetched(wanted, ivy, said)
    return fetched


def ivy_settings(config: Config) -> str:
    """Return the path of the ivysettings.xml to use, empty for Ivy's own defaults.

    Raises EnvironmentFault if one is named and missing.
    """
    named = config.spark.ivy_settings or os.environ.get(IVY_SETTINGS_VARIABLE, "")
    if named and not Path(named).is_file():
        raise EnvironmentFault(
            f"the ivysettings file {named} is not there.", do=f"correct {IVY_SETTINGS_VARIABLE} or [spark] ivy_settings"
        )
    return named


def _cached_folder() -> Path:
    _, artifact, version = coordinate().split(":")
    return cache_dir() / "jars" / f"{artifact}-{version}"


def _complete(folder: Path, origin: str) -> Jars | None:
    """Return the folder's jars if all five are there in the installed version."""
    _, artifact, version = coordinate().split(":")
    files = tuple(sorted(folder.glob("*.jar"))) if folder.is_dir() else ()
    wanted = (f"{artifact}-{version}.jar", *(f"{name}-{version}.jar" for name in _BESIDE))
    if all(any(path.name.endswith(name) for path in files) for name in wanted):
        return Jars(folder, files, origin)
    return None


def _run_ivy(config: Config, wanted: str, ivy: Path) -> str:
    """Have spark-submit resolve the coordinate for an empty script; return what it printed."""
    check_java()
    settings = {"spark.jars.ivy": str(ivy), "spark.jars.packages": wanted, "spark.jars.excludes": EXCLUDES}
    named = ivy_settings(config)
    if named:
        settings["spark.jars.ivySettings"] = named
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "nothing.py"
        script.write_text("", encoding="utf-8")
        command = [str(spark_home() / "bin" / "spark-submit"), "--master", "local[1]"]
        command += [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        environment = {"SPARK_LOCAL_IP": "127.0.0.1"} | os.environ
        ran = subprocess.run(
            [*command, str(script)], capture_output=True, text=True, errors="replace", check=False, env=environment
        )
    return ran.stdout + ran.stderr


def _not_fetched(wanted: str, ivy: Path, said: str) -> EnvironmentFault:
    """Return the fault for jars that Ivy did not fetch, with the line that says why."""
    reasons = [found for pattern in _REASONS for found in re.findall(pattern, said)]
    why = reasons[0].strip()[:160] if reasons else "Ivy did not say why"
    return EnvironmentFault(
        f"the Delta jars ({wanted}) are not in {shown(_cached_folder())} and could not be fetched ({why}).",
        wanted=f"the five jars there, in {shown(ivy)}, or in a folder that {JARS_VARIABLE} names",
        do='run "txn-forensics fetch-jars" once where there is network, or copy that folder here. Behind a mirror: '
        f"DEFAULT_ARTIFACT_REPOSITORY=<its address>, or {IVY_SETTINGS_VARIABLE}=<ivysettings.xml>.",
    )
