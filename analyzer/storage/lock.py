"""From the folder of a case to the right to write into it: one process at a time."""

import contextlib
import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analyzer.errors import EnvironmentFault

LOCK = ".lock"


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder of a case for one writer; the lock ends with its process, however that ends.

    Raises EnvironmentFault where another process holds it: it would take facts that are not vouched for yet for what a
    crash left behind. Where a file system knows no locks nothing is held.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as stream:
        with contextlib.suppress(OSError):
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise EnvironmentFault(
                    f"another run is writing to the case {folder}.",
                    do="wait until it has ended, or name another --case.",
                ) from None
        yield
