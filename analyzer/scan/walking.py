"""Finds the files under a path that the user gave, those inside archives too."""

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

from analyzer.errors import InputError
from analyzer.scan.archives import Unpacked, is_archive


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """A file: where it is, its path as the user sees it, why it is not read, and the archive it came from."""

    path: Path
    relative: str
    problem: str | None = None
    unpacked: Unpacked | None = None


def found_files(root: str, *, alone: bool) -> Iterator[Found]:
    """Yield each file under the root; the files of an archive follow it.

    If the root is `alone` (no other path was given), paths are relative to it. Raises InputError for a missing root.
    """
    for path, relative in _walk(root, alone=alone):
        try:
            archive = is_archive(path)
        except OSError:
            archive = False
        if not archive:
            yield Found(path, relative)
            continue
        unpacked = Unpacked(path)
        prefix = "" if alone and path == Path(root) else f"{relative}/"
        yield Found(path, relative, unpacked.problems.pop("", None), unpacked)
        for inner, name in _walk(str(unpacked.folder), alone=True):
            yield Found(inner, prefix + name, None, unpacked)
        for name, problem in sorted(unpacked.problems.items()):
            yield Found(path, prefix + name, problem, unpacked)


def _walk(root: str, *, alone: bool) -> Iterator[tuple[Path, str]]:
    """Yield each file under the root in a fixed order, with its path as the user sees it."""
    base = Path(root)
    if not base.exists():
        raise InputError(f"{root} does not exist.", do="check the path; it may be relative to another folder")
    if base.is_file():
        yield base, base.name if alone else root
        return
    for folder, folders, names in os.walk(base):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(base).as_posix()
            yield path, relative if alone else f"{root.rstrip('/')}/{relative}"
