"""From a simulated cluster to the files of a capture, whole or with parts cut off, doubled or split."""

from pathlib import Path

from cluster import Cluster, Log
from dump_text import Batch, log_text
from histories import History

Files = dict[str, str]


def capture_files(history: History, replica: str = "broker-0") -> Files:
    """Return path and text of each file of the capture: one dump for each log, and capture.toml."""
    cluster = history.cluster
    files = {"capture.toml": manifest(history)}
    for log in [*cluster.logs.values(), *cluster.states.values()]:
        files |= dump(f"{replica}/", log, log.batches)
    return files


def manifest(history: History) -> str:
    count = len(history.cluster.states)
    return f"captured_at = {history.captured_at}\n[partition_counts]\n__transaction_state = {count}\n"


def dump(folder: str, log: Log, batches: list[Batch], suffix: str = ".log.txt", **how: bool) -> Files:
    """Return the dump of these batches as one segment, named by its first offset."""
    base = batches[0].base_offset if batches else 0
    path = f"{log.name}/{base:020d}"
    return {f"{folder}{path}{suffix}": log_text(f"{path}.log", batches, **how)}


def cut(cluster: Cluster, until_ms: int, *, states: bool) -> None:
    """Take away what was appended later: of the state partitions, or of the data partitions."""
    for log in (cluster.states if states else cluster.logs).values():
        log.batches = [batch for batch in log.batches if batch.timestamp <= until_ms]


def write(files: Files, folder: Path) -> Path:
    """Write the files of a capture into its folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder
