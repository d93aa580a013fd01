"""Ctrl-C: one line and exit code 130, from the first import to the last line."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

from analyzer.errors import Stopped

NOTHING_STORED = "stopped; nothing was being stored."


def _at_once(told: Callable[[], str]) -> Callable[[int, FrameType | None], None]:
    """Return a handler that says this and ends the process: an exception might be lost in what it cuts off."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.write(sys.stderr.fileno(), f"{told()}\n".encode())
        os._exit(Stopped.exit_code)

    return end


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Give Ctrl-C to a handler. Only the main thread takes signals: in another one this does nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ended_by_ctrl_c(told: Callable[[], str] = lambda: NOTHING_STORED) -> AbstractContextManager[None]:
    """Let Ctrl-C end the process at once, with what `told` returns as its last words; it cleans up before."""
    return _handled(_at_once(told))


def raised_by_ctrl_c() -> AbstractContextManager[None]:
    """Let Ctrl-C raise KeyboardInterrupt, as Python does by itself: a session of a cluster is stopped in order."""
    return _handled(signal.default_int_handler)


def no_more_ctrl_c() -> None:
    """Ignore Ctrl-C from now on: the command is over, and the process ends by itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_stopped() -> None:
    """End a process that Ctrl-C stopped, with the code for it.

    Python by itself would end it by SIGINT where an `exec` was cut off, such as the one that makes a dataclass.
    """
    from analyzer.scratch import drop_all  # noqa: PLC0415 - nothing is imported before Ctrl-C is taken that need not be

    no_more_ctrl_c()
    drop_all()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(Stopped.exit_code)
