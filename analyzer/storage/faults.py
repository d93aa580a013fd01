"""Explains an exception out of Spark by the machine's fault that caused it, in words a person can act on."""

import os
import re
from collections.abc import Iterator

from analyzer.config import Config
from analyzer.errors import EnvironmentFault
from analyzer.storage.jvm.launch import jvm_exit_code, running_gateway, telling_lines

KILLED = 137
"""Exit code of a process that signal 9 killed, as a shell counts it; on Linux it was usually out of memory."""

HEAP_FULL = 52
"""Exit code of a JVM that Spark ended because its heap was full (`org.apache.spark.util.SparkExitCode.OOM`)."""


def explain_fault(error: BaseException, config: Config) -> EnvironmentFault | None:
    """Return the fault that explains an exception of a run, None if the machine is not at fault.

    It knows a full disk, a full heap, a JVM that died and an exception in a Python task, and looks for them in the
    exception's causes and in the Java errors that Spark quotes.
    """
    chain = list(_chain(error))
    died = jvm_exit_code(patience=2.0 if any(_is_lost(one) for one in chain) else 0.0)
    if died is not None:
        return jvm_died(died, config)
    texts = [_text(one) for one in chain]
    if any("No space left on device" in text for text in texts):
        return _disk_full(texts)
    if any(re.search(r"OutOfMemoryError|Java heap space|GC overhead limit", text) for text in texts):
        return _heap_full(config)
    return _task_failed(texts)


def jvm_died(code: int, config: Config) -> EnvironmentFault:
    """Return the fault for a JVM that exited with this code in the middle of a run."""
    told = telling_lines(getattr(running_gateway(), "txn_forensics_log", None))
    if code == HEAP_FULL or any("OutOfMemoryError" in line for line in told):
        return _heap_full(config)
    said = f" It said: {told[0]}" if told else ""
    memory = f"heap {config.spark.driver_memory}, machine {machine_memory()}"
    if code == KILLED:
        return EnvironmentFault(
            f"Spark's Java process was killed (exit {code}, usually out of memory; {memory}).{said}",
            do="lower [spark] driver_memory so that heap and Python workers fit the machine, or submit to a cluster.",
        )
    return EnvironmentFault(
        f"Spark's Java process ended in the middle of the run (exit {code}; {memory}).{said}",
        do="the same command again with --debug; what was ingested before is kept and not read again.",
    )


def machine_memory() -> str:
    """Return this machine's memory, for example `6 GiB`, or `unknown`."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return "unknown"
    return f"{total / (1 << 30):.0f} GiB"


def _heap_full(config: Config) -> EnvironmentFault:
    return EnvironmentFault(
        f"Spark's Java process ran out of memory (heap {config.spark.driver_memory}, machine {machine_memory()}).",
        do="raise [spark] driver_memory in a file for --conf, or submit to a cluster.",
    )


def _is_lost(error: BaseException) -> bool:
    """Whether the exception looks like a lost connection to the JVM."""
    return isinstance(error, ConnectionError | EOFError) or type(error).__module__.startswith("py4j")


def _text(error: BaseException) -> str:
    """Return the exception's text; py4j gets it from the JVM, which may fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - whatever it raises, there is no text
        return type(error).__name__


def _disk_full(texts: list[str]) -> EnvironmentFault:
    quoted = next((re.search(r"(/[^\s'\":]+)", text) for text in texts if "No space left" in text), None)
    where = f" (named: {quoted[1]})" if quoted else ""
    return EnvironmentFault(
        f"no space left on device while Spark was writing{where}; no table is half written.",
        do="free space, or --case on a larger disk; Spark's scratch is in /tmp or [spark.extra] spark.local.dir.",
    )


def _task_failed(texts: list[str]) -> EnvironmentFault | None:
    """Return the fault for the exception at the end of a Python task's traceback, if one is quoted."""
    quoted = next((text for text in texts if "Traceback (most recent call last)" in text), "")
    raised = re.findall(
        r"^((?:\w+\.)*\w*(?:Error|Exception)\b.*)$", quoted.partition("Traceback (most")[2], re.MULTILINE
    )
    if not raised:
        return None
    return EnvironmentFault(f"a task failed: {raised[-1]}", do="run again with --debug and report what it prints.")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the exception and its causes, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
