"""What this process keeps for the meantime: it goes when the process ends, by Ctrl-C too."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

UNPACKED = "txn-forensics-archive-"
"""How the folder of an archive's files begins: it is gone once the run that read them is over."""
_kept: dict[Path, int] = {}
"""Folders and files, with the process that made them: a fork must not remove what its parent uses."""


def scratch_folder(prefix: str) -> Path:
    """Return a new folder in the temporary directory; `drop` it, or it goes when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    _kept[folder] = os.getpid()
    return folder


def scratch_file(prefix: str, suffix: str) -> Path:
    """Return a new, empty file in the temporary directory; it goes when the process ends, unless `leave` is told."""
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix)
    os.close(handle)
    _kept[Path(name)] = os.getpid()
    return Path(name)


def drop_at_end(path: Path) -> Path:
    """Have this folder removed when the process ends, unless `leave` is told; return it."""
    _kept[path] = os.getpid()
    return path


def leave(path: Path) -> None:
    """Let a file or folder outlive the process: somebody is to read it."""
    _kept.pop(path, None)


@contextmanager
def until_end(path: Path) -> Iterator[None]:
    """Have this file removed where the process ends within the context; whoever made it removes it else."""
    _kept[path] = os.getpid()
    try:
        yield
    finally:
        _kept.pop(path, None)


def drop(path: Path) -> None:
    """Remove a folder or file now, if it is there."""
    _kept.pop(path, None)
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def drop_all() -> None:
    """Remove all that this process made."""
    for path, process in list(_kept.items()):
        if process == os.getpid():
            drop(path)


atexit.register(drop_all)


def unpacked_member(path: str | None) -> str:
    """Return the name in its archive of a file that was read from one, empty for others."""
    parts = PurePath(path or "").parts
    at = next((place for place, part in enumerate(parts) if part.startswith(UNPACKED)), len(parts))
    return "/".join(parts[at + 1 :])
