"""Locks a case's folder, so that one process at a time writes into it."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from analyzer.errors import EnvironmentFault

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"


@contextmanager
def only_writer(folder: Path) -> Iterator[Callable[[], None]]:
    """Hold the folder of a case for one writer; the lock ends with its process, so the check that it yields is empty.

    Raises EnvironmentFault if another process holds it: a second writer would take facts that are not vouched for yet
    for a crash's leftovers. A system without such locks holds nothing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as stream:
        if fcntl is not None:
            _take(stream, folder)
        yield lambda: None


def _take(stream: TextIO, folder: Path) -> None:
    """Lock the file until it is closed; a file system without locks holds nothing."""
    with contextlib.suppress(OSError):
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EnvironmentFault(
                f"another run is writing to the case {folder}.", do="wait until it has ended, or name another --case."
            ) from None
