"""`-` among the paths: what is piped in becomes a file for as long as the command runs."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from analyzer.errors import UsageError
from analyzer.scratch import drop, scratch_folder

PIPED = "-"
NAME = "stdin.txt"
"""What a report calls the file."""


@contextmanager
def with_standard_input(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield the paths, `-` replaced by a file that holds all of the standard input.

    Raises UsageError if `-` is named twice, or nothing is piped in.
    """
    if PIPED not in paths:
        yield list(paths)
        return
    if paths.count(PIPED) > 1:
        raise UsageError("- is named twice.", do="name it once: it is the whole standard input")
    if sys.stdin.isatty():
        raise UsageError("nothing is piped in for -.", do="paste | txn-forensics run -, or save it and name the file")
    folder = scratch_folder("txn-forensics-stdin-")
    try:
        with (folder / NAME).open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield [str(folder / NAME) if path == PIPED else path for path in paths]
    finally:
        drop(folder)
