"""Runs tasks in processes of this machine: threads of one Python would read one after another."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

from pyspark import cloudpickle

Result = TypeVar("Result")


def in_processes(task: Callable[[int], Result], count: int, processes: int) -> Iterator[Result]:
    """Yield what `task` returns for each number below `count`, in the order in which they end.

    Raises what a task raises, and BrokenProcessPool if a process was killed. Leaving early ends the processes after the
    tasks that they are at; they end at once when this process does, however it ends.
    """
    context = multiprocessing.get_context("spawn")  # fork would copy the locks of the engine's threads
    pickled = cloudpickle.dumps(task)  # type: ignore[no-untyped-call]
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(pickled,)) as pool:
        try:
            for done in as_completed([pool.submit(_run, number) for number in range(count)]):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def end_processes() -> None:
    """Kill the processes that this one has started here."""
    for process in multiprocessing.active_children():
        process.kill()


def _begin(task: bytes) -> None:
    """Begin a process: Ctrl-C and the end of its parent are the parent's to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _task.append(cloudpickle.loads(task))


_task: list[Callable[[int], Any]] = []
"""What this process was begun for."""


def _run(number: int) -> Any:  # noqa: ANN401 - what the task returns
    return _task[0](number)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
