"""Turns errors into messages and exit codes, in one place."""

import errno
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from analyzer.cli.stopping import NOTHING_STORED
from analyzer.config import Config
from analyzer.errors import EnvironmentFault, ForensicsError, Stopped

DEBUG = "TXN_FORENSICS_DEBUG"
READER_GONE = 128 + 13
"""What a shell says of a program that SIGPIPE ended: 0 would be `clean`, and 1 `findings`."""
_OF_PATHS = frozenset({errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EROFS, errno.EEXIST})
"""What the system answers for a path that the user named wrongly."""


def run_at_border(app: Callable[..., Any]) -> int:
    """Run the command and return its exit code; print errors on stderr as `error:`, `wanted:` and `do:` lines.

    Stack traces are shown with --debug only. 2: could not run; 130: Ctrl-C; 141: the reader of the output is gone, such
    as head, which says nothing of the verdict.
    """
    try:
        return _code(app)
    except KeyboardInterrupt:
        return _told(NOTHING_STORED, Stopped.exit_code)
    except ForensicsError as fault:
        return _told(fault.message(), fault.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except OSError as fault:
        return _told(_of_system(fault).message(), 2)
    except Exception as fault:  # noqa: BLE001 - the border: nobody above can use a stack trace
        return _told(_of_engine(fault).message(), 2)


def _code(app: Callable[..., Any]) -> int:
    """Run the command; return its exit code once all that it printed is written. Raises what the command raises."""
    code = 0
    try:
        app()
    except SystemExit as leave:
        if _comes_of(leave, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        if _comes_of(leave, BrokenPipeError):
            raise BrokenPipeError from None
        code = leave.code if isinstance(leave.code, int) else 0
    sys.stdout.flush()
    return code


def _comes_of(leave: SystemExit, kind: type[BaseException]) -> bool:
    """Return whether this is typer's answer to such an exception: some releases wrap it once more."""
    behind: BaseException | None = leave
    while behind is not None and not isinstance(behind, kind):
        behind = behind.__context__
    return behind is not None


def _told(message: str, code: int) -> int:
    if os.environ.get(DEBUG):
        traceback.print_exc()
    sys.stderr.write(message + "\n")
    return code


def _of_system(fault: OSError) -> EnvironmentFault:
    where = f" ({fault.filename})" if fault.filename else ""
    if fault.errno == errno.ENOSPC:
        return EnvironmentFault(f"no space left on device{where}.", do="name a --case on a disk with more room.")
    if fault.filename and fault.errno in _OF_PATHS:
        return EnvironmentFault(f"{fault.strerror}{where}.", do="name another path, or change the rights on this one.")
    return EnvironmentFault(f"{fault.strerror or fault}{where}.", do="run again with --debug to see where.")


def _of_engine(fault: Exception) -> ForensicsError:
    """Return what a failure inside Spark, or a defect of this program, means to the user."""
    from analyzer.storage.faults import explain_fault  # noqa: PLC0415 - needs pyspark, which may be what is missing

    known = explain_fault(fault, Config())
    if known is not None:
        return known
    text = str(fault).strip()
    first = text.splitlines()[0] if text else type(fault).__name__
    return EnvironmentFault(f"{type(fault).__name__}: {first}", do="run again with --debug and report what it prints.")
