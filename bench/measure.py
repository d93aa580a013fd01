"""Runs a command and measures its wall time, and the processor time and the memory of its whole process tree."""

import dataclasses
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

PAUSE_S = 0.2
PAUSE_PER_LOOK = 50
"""Looking at the memory of a large process slows it down: the next pause is at least this many times as long."""


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """A command's wall and processor time in seconds, exit code, prints, and peaks of anonymous memory in bytes."""

    seconds: float
    cpu_seconds: float
    exit_code: int
    stdout: str
    stderr: str
    peak_bytes: int
    peak_java_bytes: int
    peak_other_bytes: int

    def above_heap_bytes(self, heap_bytes: int) -> int:
        """Return what the tree took beside a heap of this size, as if that heap had been full, bytes."""
        return self.peak_other_bytes + max(0, self.peak_java_bytes - heap_bytes)


def measure(command: list[str]) -> Measured:
    """Run the command to its end and return what it took; its children count too, the JVM as well as Python workers."""
    peak = peak_java = peak_other = 0
    spent: dict[int, float] = {}
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=out, stderr=err) as process:
            watched = psutil.Process(process.pid)
            pause = PAUSE_S
            while not _ended(process, pause):
                looked = time.perf_counter()
                java, other = _tree_bytes(watched, spent)
                pause = max(PAUSE_S, PAUSE_PER_LOOK * (time.perf_counter() - looked))
                peak, peak_java, peak_other = max(peak, java + other), max(peak_java, java), max(peak_other, other)
            seconds = time.perf_counter() - began
        out.seek(0)
        err.seek(0)
        return Measured(
            seconds, sum(spent.values()), process.returncode, out.read(), err.read(), peak, peak_java, peak_other
        )


def _ended(process: subprocess.Popen[bytes], pause: float) -> bool:
    """Wait so many seconds for the end of the process and say whether it came."""
    try:
        process.wait(timeout=pause)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tree_bytes(root: psutil.Process, spent: dict[int, float]) -> tuple[int, int]:
    """Return the anonymous memory of the tree's JVMs and of all else in it, bytes; shared pages count once.

    `spent` is told the processor time of each process up to now, seconds.
    A child that a JVM has just forked still is that JVM, by its program and its memory: it is not counted again.
    """
    java = other = 0
    jvms: set[int] = set()
    try:
        tree = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0, 0
    for process in tree:
        try:
            times = process.cpu_times()
            spent[process.pid] = times.user + times.system
            is_java = Path(process.exe()).name == "java"
            if is_java and process.ppid() in jvms:
                continue
            if is_java:
                jvms.add(process.pid)
                java += _anonymous_bytes(process)
            else:
                other += _anonymous_bytes(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue
    return java, other


def _anonymous_bytes(process: psutil.Process) -> int:
    """Return Pss_Anon of a process where the kernel says it (Linux), else its resident size, bytes."""
    rollup = Path(f"/proc/{process.pid}/smaps_rollup")
    if rollup.exists():
        for line in rollup.read_text(encoding="ascii").splitlines():
            if line.startswith("Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return int(process.memory_info().rss)
