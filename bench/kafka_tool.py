"""Kafka's own DumpLogSegments, measured beside ours: its output is discarded."""

import sys
from collections.abc import Iterable
from pathlib import Path

from measure import Measured, measure

CLASSES = ("kafka.tools.DumpLogSegments", "org.apache.kafka.tools.DumpLogSegments")
"""The tool's class, in older releases and in newer ones."""


def dump_log_segments(jars: Path, files: Iterable[str], *options: str) -> Measured:
    """Run the tool on these files with the jars of a release; a tool that fails ends the bench."""
    for name in CLASSES:
        tool = ["java", "-Xmx1g", "-cp", f"{jars}/*", name, *options, "--files", ",".join(files)]
        took = measure(["sh", "-c", 'exec "$0" "$@" > /dev/null', *tool])
        if took.exit_code == 0:
            return took
        if "ClassNotFoundException: " + name not in took.stderr:
            break
    sys.stderr.write(took.stderr[-2000:] + "\n")
    raise SystemExit(f"DumpLogSegments of {jars} failed with exit code {took.exit_code}")
