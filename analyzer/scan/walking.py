"""Finds the files under a path that the user gave, those inside archives too; what cannot be looked into is named."""

import dataclasses
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from analyzer.errors import InputError
from analyzer.kafka.placement import place_of
from analyzer.scan.archives import Unpacked, is_archive

NOT_A_FILE = "no regular file"
LEADS_BACK = "a link to a folder above it, not followed"
OF_FILE_SYSTEM = "lost+found"
"""The folder in which fsck of ext4 puts what it finds; only root may look into it."""
NESTED = "an archive inside an archive, not unpacked"


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """A file: where it is, its path as the user sees it, why it is not read, and the archive it came from.

    `kind` is `archive` for an archive, `folder` for a folder that could not be looked into, otherwise empty.
    """

    path: Path
    relative: str
    problem: str | None = None
    unpacked: Unpacked | None = None
    kind: str = ""


def found_files(root: str, *, alone: bool) -> Iterator[Found]:
    """Yield each file under the root, and each folder that cannot be read; the files of an archive follow it.

    If the root is `alone` (no other path was given), paths are relative to it. Links to folders outside the root are
    followed, each folder once. Raises InputError for a missing root.
    """
    for one in _walk(root, alone=alone):
        problem, archive = _looked_at(one)
        if not archive:
            yield dataclasses.replace(one, problem=problem)
            continue
        unpacked = Unpacked(one.path)
        prefix = "" if alone and one.path == Path(root) else f"{one.relative}/"
        yield Found(one.path, one.relative, unpacked.problems.pop("", None), unpacked, "archive")
        for inner in _walk(str(unpacked.folder), alone=True):
            problem, nested = _looked_at(inner)
            yield Found(inner.path, prefix + inner.relative, NESTED if nested else problem, unpacked, inner.kind)
        for name, problem in sorted(unpacked.problems.items()):
            yield Found(one.path, prefix + name, problem, unpacked)


def _looked_at(one: Found) -> tuple[str | None, bool]:
    """Return why a file cannot be opened, None if nothing is known against it, and whether it is an archive."""
    if one.problem is not None or one.kind:
        return one.problem, False
    try:
        if not stat.S_ISREG(one.path.stat().st_mode):
            return NOT_A_FILE, False  # a pipe would be waited for
        return None, is_archive(one.path)
    except OSError:
        return None, False  # what reads it says why


def _walk(root: str, *, alone: bool) -> Iterator[Found]:
    """Yield each file under the root in a fixed order, with its path as the user sees it."""
    base = Path(root)
    try:
        if not base.exists():
            raise InputError(f"{root} does not exist.", do="check the path; it may be relative to another folder")
        is_file = base.is_file()
    except OSError as fault:
        raise InputError(f"cannot read {root}: {_why(fault)}.", do="run as a user who may read it") from fault
    if is_file:
        yield Found(base, base.name if alone else root)
        return
    for path, problem in _inside(base, Links(base)):
        relative = path.relative_to(base).as_posix()
        shown = relative if alone and relative != "." else f"{root.rstrip('/')}/{relative}".removesuffix("/.")
        harmless = path.name == OF_FILE_SYSTEM
        yield Found(path, shown, None if harmless else problem, kind="" if problem is None else "folder")


def _inside(top: Path, links: "Links") -> Iterator[tuple[Path, str | None]]:
    """Yield each file below a folder, and each folder that cannot be read or is not followed with the reason."""
    faults: list[OSError] = []
    for folder, folders, names in os.walk(top, onerror=faults.append):
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name), None
        for name in [name for name in folders if Path(folder, name).is_symlink()]:
            path = Path(folder, name)
            reason = links.refusal(path)
            if reason is None:
                yield from _inside(path, links)
            elif reason:
                yield path, reason
    for fault in faults:
        yield Path(str(fault.filename)), _why(fault)


class Links:
    """The folders that links lead to from below a root: each is walked once."""

    def __init__(self, root: Path) -> None:
        """Know the root, all of which is walked anyhow."""
        self._root = root.resolve()
        self._followed: set[Path] = set()

    def refusal(self, link: Path) -> str | None:
        """Return None if the link is to be followed, otherwise why not; nothing if its files are found elsewhere.

        A folder inside the root is found under its own name, unless only the link tells which partition it is.
        """
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError) as fault:
            return _why(fault) if isinstance(fault, OSError) else LEADS_BACK
        above = link.parent.resolve().is_relative_to(target)
        only_here = place_of(f"{link.name}/-").topic is not None and link.name != target.name
        inside = target.is_relative_to(self._root) and (above or not only_here)
        if inside or any(target.is_relative_to(one) for one in self._followed):
            return ""
        if above or self._root.is_relative_to(target):
            return LEADS_BACK
        self._followed.add(target)
        return None


def _why(fault: OSError) -> str:
    return f"{fault.strerror or fault}".lower()
