"""Runs tasks in separate processes of this machine: threads of one Python would take turns."""

import multiprocessing
import os
import pickle
import queue
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from typing import TypeVar

from pyspark import cloudpickle

from analyzer.errors import EnvironmentFault

Result = TypeVar("Result")


def in_processes(task: Callable[[int], Result], count: int, processes: int) -> Iterator[Result]:
    """Yield what `task` returns for each number below `count`, as tasks finish.

    Raises what a task raises, and EnvironmentFault if a process was killed. The processes end after the last task,
    on an error, when the iterator is closed, and when this process ends for any reason, SIGKILL included.
    """
    context = multiprocessing.get_context("spawn")  # fork would copy the locks of the engine's threads
    pickled = cloudpickle.dumps(task)  # type: ignore[no-untyped-call]
    started: list[multiprocessing.process.BaseProcess] = []
    idle: queue.SimpleQueue[Connection] = queue.SimpleQueue()
    for _ in range(processes):
        here, there = context.Pipe()
        started.append(context.Process(target=_serve, args=(pickled, there), daemon=True))
        started[-1].start()
        there.close()
        idle.put(here)

    def run(number: int) -> Result:
        connection = idle.get()
        try:
            connection.send(number)
            answer: tuple[Result, Exception | None] = connection.recv()
        except (EOFError, OSError) as gone:
            raise EnvironmentFault(
                "a process that reads files was killed, as a rule because the machine's memory was full.",
                do="the same command again with fewer cores, [spark] master = local[1] in a file for --conf.",
            ) from gone
        finally:
            idle.put(connection)
        result, fault = answer
        if fault is not None:
            raise fault
        return result

    with ThreadPoolExecutor(processes) as threads:
        try:
            for ended in as_completed([threads.submit(run, number) for number in range(count)]):
                yield ended.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in started:
                process.kill()


def end_processes() -> None:
    """Kill the processes that this one started."""
    for process in multiprocessing.active_children():
        process.kill()


def _serve(pickled: bytes, connection: Connection) -> None:
    """Run tasks for the parent, which also handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    task = cloudpickle.loads(pickled)
    answer: tuple[object, Exception | None]
    while True:
        try:
            number = connection.recv()
        except EOFError:
            return
        try:
            answer = (task(number), None)
        except Exception as fault:  # noqa: BLE001 - the parent raises it
            answer = (None, _sendable(fault))
        connection.send(answer)


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
