"""From a simulated history to the files of a capture: as they are, in other forms, or with something missing."""

import random
from pathlib import Path

from cluster import Log
from dump_text import Batch, log_text
from histories import History

Files = dict[str, str]


def plain(history: History) -> Files:
    """Return path and text of each file of the capture: one dump for each log, of its leader, and capture.toml."""
    cluster = history.cluster
    files = {"capture.toml": manifest(history)}
    for log in (*cluster.logs.values(), *cluster.states.values()):
        files |= dump(f"broker-{log.broker}", log, log.batches)
    return files


def replicated(history: History) -> Files:
    """The same of each broker, which has all partitions."""
    cluster = history.cluster
    files = {"capture.toml": manifest(history)}
    for log in (*cluster.logs.values(), *cluster.states.values()):
        for broker in range(len(cluster.clocks_ms)):
            files |= dump(f"broker-{broker}", log, log.batches)
    return files


def stopped(history: History, files: Files) -> Files:
    """The same of a broker that was stopped before its files were copied: its recovery points are the logs' ends."""
    every = {log.name: log for log in (*history.cluster.logs.values(), *history.cluster.states.values())}
    points = {}
    for broker in {path.split("/")[0] for path in files if "/" in path}:
        names = {path.split("/")[1] for path in files if path.startswith(f"{broker}/")}
        logs = [every[name] for name in sorted(names & every.keys())] or list(every.values())
        lines = "".join(f"{log.name.rpartition('-')[0]} {log.name.rpartition('-')[2]} {log.end}\n" for log in logs)
        points[f"{broker}/recovery-point-offset-checkpoint"] = f"0\n{len(logs)}\n{lines}"
    return files | points


def manifest(history: History) -> str:
    """Return the capture.toml: the moment, and how many partitions the coordinator's topic has."""
    count = len(history.cluster.states)
    return f"captured_at = {history.captured_at}\n[partition_counts]\n__transaction_state = {count}\n"


def dump(folder: str, log: Log, batches: list[Batch], suffix: str = ".log.txt", **how: bool) -> Files:
    """Return the dump of these batches as one segment, named by its first offset."""
    base = batches[0].base_offset if batches else 0
    path = f"{log.name}/{base:020d}"
    return {f"{folder}/{path}{suffix}": log_text(f"{path}.log", batches, **how)}


def shuffled(history: History) -> Files:
    """All dumps of another replica's name in one text, in another order; the Dumping lines tell what is what."""
    files = plain(history)
    toml = files.pop("capture.toml")
    texts = list(files.values())
    random.Random(history.name).shuffle(texts)
    return {"capture.toml": toml, "broker-7/dumps.txt": "".join(texts)}


def overlapping(history: History) -> Files:
    """Each partition dumped twice: without records in whole, with them as far as --max-bytes went, plus the rest."""
    files = plain(history)
    for log in history.cluster.logs.values():
        files |= dump("broker-0", log, log.batches, deep=False)
        files |= dump("broker-0", log, log.batches[: len(log.batches) * 2 // 3], ".log.deep.txt")
        files |= dump("broker-0", log, log.batches, ".log.data.txt", contents=True)
    return files


def segmented(history: History) -> Files:
    """Each partition as three segments."""
    files = {path: text for path, text in plain(history).items() if "__transaction_state" in path or "/" not in path}
    for log in history.cluster.logs.values():
        third = max(1, len(log.batches) // 3)
        for part in (log.batches[:third], log.batches[third : 2 * third], log.batches[2 * third :]):
            files |= dump("broker-0", log, part) if part else {}
    return files


def followed(history: History) -> Files:
    """A second broker has an older copy of every partition."""
    files = plain(history)
    for log in history.cluster.logs.values():
        files |= dump("broker-1", log, log.batches[: len(log.batches) * 4 // 5])
    return files


def compacted(history: History) -> Files:
    """The cleaner kept only the newest record of each id in the first two thirds of the coordinator's log."""
    files = plain(history)
    for log in history.cluster.states.values():
        dirty = log.batches[len(log.batches) * 2 // 3 :]
        newest = {batch.state.transactional_id: batch for batch in log.batches if batch.state}
        clean = [batch for batch in log.batches if batch not in dirty and newest[batch.state.transactional_id] is batch]
        text = log_text(f"{log.name}/{0:020d}.log", clean + dirty)
        files[f"broker-{log.broker}/{log.name}/{0:020d}.log.txt"] = text
    return files


def without_a_state_partition(history: History) -> Files:
    """One partition of the coordinator's topic was not dumped."""
    gone = max(history.cluster.states)
    return {path: text for path, text in plain(history).items() if f"__transaction_state-{gone}/" not in path}


def older(history: History, by_ms: int, *, states: bool) -> Files:
    """The files of the coordinator, or of the partitions, were copied earlier than the others."""
    until_ms = history.captured_at - by_ms
    files = plain(history)
    for log in (history.cluster.states if states else history.cluster.logs).values():
        files |= dump("broker-0", log, _until(log, until_ms))
    return files


def apart(history: History, most_ms: int) -> Files:
    """Each file was copied at a moment of its own, up to so long before the last one."""
    rng = random.Random(f"{history.name} {most_ms}")
    files = plain(history)
    for log in [*history.cluster.logs.values(), *history.cluster.states.values()]:
        files |= dump("broker-0", log, _until(log, history.captured_at - rng.randint(0, most_ms)))
    return files


def _until(log: Log, until_ms: int) -> list[Batch]:
    ends = [index for index, batch in enumerate(log.batches) if batch.timestamp > until_ms and _by_broker(batch)]
    return log.batches[: ends[0] if ends else None]


def _by_broker(batch: Batch) -> bool:
    return batch.state is not None or batch.marker is not None or batch.timestamp_type == "LogAppendTime"


def write(files: Files, folder: Path) -> Path:
    """Write the files of a capture into its folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder
