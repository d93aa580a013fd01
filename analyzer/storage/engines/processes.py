"""Runs tasks in separate processes of this machine: threads of one Python would take turns."""

import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from pyspark import cloudpickle

from analyzer.errors import EnvironmentFault
from analyzer.scratch import drop, scratch_folder
from analyzer.storage.reading.no_pandas import without_pandas

Result = TypeVar("Result")


def in_processes(
    work: Callable[[Iterator[int]], Result],
    count: int,
    processes: int,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Result]:
    """Return what `work` makes in each process of the tasks that it takes: the numbers below `count`, each given once.

    A process gets its next task when it asks for it; `progress` is told how many are done. Raises what the work
    raises, and EnvironmentFault if a process was killed. The processes end after the last task, on an error, and when
    this process ends for any reason, SIGKILL included.
    """
    context = multiprocessing.get_context("spawn")  # fork would copy the locks of the engine's threads
    scratch = scratch_folder("txn-forensics-tasks-")
    pickled = cloudpickle.dumps(work)  # type: ignore[no-untyped-call]
    started: list[multiprocessing.process.BaseProcess] = []
    running: list[Connection] = []
    try:
        for _ in range(processes):
            here, there = context.Pipe()
            started.append(context.Process(target=_serve, args=(pickled, there, str(scratch)), daemon=True))
            started[-1].start()
            there.close()
            running.append(here)
        return list(_answers(running, iter(range(count)), progress))
    finally:
        for process in started:
            process.kill()
        drop(scratch)


def _answers(running: list[Connection], tasks: Iterator[int], progress: Callable[[int], None]) -> Iterator[Any]:
    """Give each process a task when it asks for one, and yield what each answers once there are none."""
    asked = -len(running)
    while running:
        ready = wait(running)
        for connection in [one for one in running if one in ready]:
            answer = _heard(connection, tasks)
            if answer is None:
                asked += 1
                progress(max(asked, 0))
                continue
            running.remove(connection)
            result, fault = answer
            if fault is not None:
                raise fault
            yield result


def _heard(connection: Connection, tasks: Iterator[int]) -> tuple[Any, Exception | None] | None:
    """Return what a process answers; None where it asks for a task, and is given one."""
    try:
        answer: tuple[Any, Exception | None] | None = connection.recv()
        if answer is None:
            connection.send(next(tasks, None))
    except (EOFError, OSError) as gone:
        raise EnvironmentFault(
            "a process that reads files was killed, most likely because the machine ran out of memory.",
            do="the same command again with fewer cores, [spark] master = local[1] in a file for --conf.",
        ) from gone
    return answer


def end_processes() -> None:
    """Kill the processes that this one started."""
    for process in multiprocessing.active_children():
        process.kill()


def _serve(pickled: bytes, connection: Connection, scratch: str) -> None:
    """Work for the parent, which also handles Ctrl-C, and removes the scratch folder: this process is killed."""
    tempfile.tempdir = scratch
    without_pandas()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work = cloudpickle.loads(pickled)
    answer: tuple[object, Exception | None]
    try:
        answer = (work(_asked_for(connection)), None)
    except Exception as fault:  # noqa: BLE001 - the parent raises it
        answer = (None, _sendable(fault))
    connection.send(answer)


def _asked_for(connection: Connection) -> Iterator[int]:
    """Yield the tasks that the parent gives, one whenever the one before is done."""
    while True:
        connection.send(None)
        number = connection.recv()
        if number is None:
            return
        yield number


def _sendable(fault: Exception) -> Exception:
    """Return the exception with its stack trace as a note, or only its text if it cannot be pickled and unpickled."""
    fault.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(fault))  # noqa: S301 - made here
    except Exception:  # noqa: BLE001 - whatever its class raises
        return RuntimeError(f"{type(fault).__name__}: {fault}")
    return fault


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
