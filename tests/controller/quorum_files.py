"""Where the files of the controllers' log lie in the corpus, and what happened in each cluster."""

import json
from pathlib import Path
from typing import Any

VERSIONS = ("3.9.1", "4.1.1")
TOOLS = ("3.3.2", "3.5.2", "3.7.2", "3.9.1", "4.1.1", "4.3.1")


def files_of(cluster: Path) -> list[Path]:
    """The raw files of the quorum's log, on all nodes."""
    return sorted(
        path
        for path in (cluster / "logdir").rglob("*")
        if path.suffix in (".log", ".checkpoint") and ("__cluster_metadata-0" in path.parts or "boot" in path.name)
    )


def dumps_of(cluster: Path, raw: Path) -> dict[str, Path]:
    """The dumps of a raw file by the version of the tool."""
    relative = raw.relative_to(cluster / "logdir")
    named = {cluster.name: cluster / "dumps" / f"{relative}.txt"} | {
        tool: cluster / "dumps-other-tools" / tool / f"{relative}.txt" for tool in TOOLS if tool != cluster.name
    }
    return {tool: path for tool, path in named.items() if path.exists()}


def truth_of(cluster: Path) -> dict[str, Any]:
    """What happened in the cluster."""
    return json.loads((cluster / "truth.json").read_text())
