"""Finds the Java that Spark would start, with its version, and says clearly where Spark cannot use it."""

import dataclasses
import os
import re
import shutil
import subprocess

from analyzer.errors import EnvironmentFault

OLDEST_JAVA = 17
"""Spark 4 is compiled for Java 17 (class file version 61)."""

INSTALL = "apt-get install openjdk-17-jre-headless, or set JAVA_HOME; then txn-forensics doctor"

_VERSION = re.compile(r'version "(?:1\.)?(\d+)[^"]*"')


@dataclasses.dataclass(frozen=True, slots=True)
class Java:
    """The Java that Spark would start: its path and its feature version, 0 if it does not say."""

    path: str
    version: int


def find_java() -> str:
    """Return the path of the java that Spark would start: `$JAVA_HOME/bin/java`, else the first on PATH.

    Raises EnvironmentFault if there is none. Source: `spark-class`, which looks in the same order.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        path = shutil.which(os.path.join(home, "bin", "java"))  # noqa: PTH118 - which() takes a string
        said = f"JAVA_HOME is {home}, and no bin/java is there"
    else:
        path, said = shutil.which("java"), "JAVA_HOME is not set, no java on PATH"
    if path is None:
        raise EnvironmentFault(
            f"Java {OLDEST_JAVA} or newer is needed to run Spark, and no java was found ({said}).", do=INSTALL
        )
    return path


def ask_java(path: str) -> Java:
    """Return the Java at this path with the version that `java -version` prints, for example 17 (or 8 for 1.8)."""
    try:
        answer = subprocess.run([path, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return Java(path, 0)
    version = _VERSION.search(answer.stderr + answer.stdout)
    return Java(path, int(version[1]) if version else 0)


def check_java() -> Java:
    """Return the Java that Spark would start. Raises EnvironmentFault if there is none or it is too old."""
    java = ask_java(find_java())
    if java.version == 0:
        raise EnvironmentFault(
            f"{java.path} does not say its version; Spark 4 needs Java {OLDEST_JAVA} or newer.", do=INSTALL
        )
    if java.version < OLDEST_JAVA:
        raise EnvironmentFault(
            f"java is version {java.version} ({java.path}); Spark 4 needs {OLDEST_JAVA} or newer.", do=INSTALL
        )
    return java
