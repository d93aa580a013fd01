"""Archives the classes that Spark loads (AppCDS), so that its JVM starts in half the time."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from analyzer.storage.cache import cache_dir
from analyzer.storage.jvm.jars import Jars, spark_home
from analyzer.storage.jvm.java import find_java


def find_archive(jars: Jars) -> Path | None:
    """Return the whole archive for this Java, this Spark and these jars, None if there is none.

    Its size is part of its name, since a truncated archive crashes the JVM. All else (versions, class path, and with
    -XX:+VerifySharedSpaces the bytes) the JVM checks by itself, and it starts without an archive that is wrong.
    """
    for path in _folder().glob(f"{_key(jars)}-*.jsa"):
        if path.stem.rsplit("-", 1)[1] == str(path.stat().st_size) and os.access(path, os.R_OK):
            return path
    return None


def make_archive(jars: Jars) -> Path | None:
    """Run a small Delta job in a process of its own, archive the classes it loads and return the archive.

    It takes about half a minute and 190 MB. None if the JVM cannot write one. An archive that fits is returned as it
    is.
    """
    found = find_archive(jars)
    if found is not None:
        return found
    _folder().mkdir(parents=True, exist_ok=True)
    raw = _folder() / f"{_key(jars)}.{os.getpid()}.part"
    command = [sys.executable, "-m", "analyzer.storage.exercise", str(raw), str(jars.folder)]
    subprocess.run(command, capture_output=True, check=False, timeout=300)
    if not raw.exists() or raw.stat().st_size == 0:
        raw.unlink(missing_ok=True)
        return None
    for old in _folder().glob("*.jsa"):
        discard_archive(old)
    return raw.rename(_folder() / f"{_key(jars)}-{raw.stat().st_size}.jsa")


def discard_archive(archive: Path) -> None:
    """Remove an archive that keeps the JVM from starting."""
    archive.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_dir() / "start"


def _key(jars: Jars) -> str:
    """Return a digest of what an archive depends on: Java, Spark's jars and Delta's, by path, size and time."""
    java = Path(find_java()).resolve()
    parts = [java, spark_home() / "jars", *jars.files]
    stamps = [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in parts]
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()[:16]
