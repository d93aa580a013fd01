"""The cases of runs that named none: folders with short names in the user's data directory."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analyzer.errors import EnvironmentFault
from analyzer.storage.locations import is_local_folder, needs_no_session
from analyzer.storage.lock import only_writer

DATA_VARIABLE = "TXN_FORENSICS_DATA"
STORES = ("catalog", "facts", "results")
NAME_LETTERS = 40
_NUMBERED = re.compile(r"(?P<stem>.+)-(?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class NamedCase:
    """A case by its name: its folder, when it was last written (epoch ms), whether it has a report."""

    name: str
    folder: Path
    written_ms: int
    is_analyzed: bool

    @property
    def bytes(self) -> int:
        """How large its files are."""
        return sum(_sizes(self.folder))


def cases_dir() -> Path:
    """Return the folder of the named cases: in `$TXN_FORENSICS_DATA`, else in the user's data directory.

    It need not exist yet. Raises RuntimeError where the user has no home.
    """
    given = os.environ.get(DATA_VARIABLE)
    if given:
        return Path(given).expanduser().absolute() / "cases"
    if sys.platform == "darwin":
        data = Path.home() / "Library" / "Application Support"
    else:
        named = Path(os.environ.get("XDG_DATA_HOME", ""))
        data = named if named.is_absolute() else Path.home() / ".local" / "share"
    return data / "txn-forensics" / "cases"


def new_case(stem: str) -> Path:
    """Make a folder for a case that is called like this, with the next number: `sample_data-3`; only its owner sees it.

    Raises OSError or RuntimeError where the user's data directory cannot be written, or holds names that a case's
    tables cannot have.
    """
    parent = cases_dir()
    if not needs_no_session(str(parent)):
        raise OSError(f"{parent} cannot hold a case")
    parent.mkdir(parents=True, exist_ok=True)
    plain = re.sub(r"[^A-Za-z0-9_.]+", "-", stem).strip("-.")[:NAME_LETTERS].strip("-.") or "case"
    number = 1 + max((_number(one.name, plain) for one in parent.iterdir()), default=0)
    while True:
        folder = parent / f"{plain}-{number}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:  # another run took the number
            number += 1
            continue
        return folder


def _number(name: str, stem: str) -> int:
    found = _NUMBERED.fullmatch(name)
    return int(found["number"]) if found and found["stem"] == stem else 0


def named_cases() -> list[NamedCase]:
    """Return the named cases, the one that was written last first."""
    try:
        folders = [one for one in cases_dir().iterdir() if one.is_dir() and not one.name.startswith(".")]
    except (OSError, RuntimeError):
        return []
    return sorted((_of(one) for one in folders), key=lambda one: (-one.written_ms, one.name))


def _of(folder: Path) -> NamedCase:
    logs = [folder / store / "_delta_log" for store in STORES]
    written = max((one.stat().st_mtime for one in (*logs, folder) if one.exists()), default=0.0)
    return NamedCase(folder.name, folder, int(written * 1000), logs[-1].is_dir())


def _sizes(folder: Path) -> Iterator[int]:
    for path in folder.rglob("*"):
        try:
            yield path.stat().st_size if path.is_file() else 0
        except OSError:  # a run that goes on removes files
            continue


def location_of(given: str) -> str:
    """Return where the case lies that was asked for: under its name, unless a case lies in a folder of that name here.

    What is no name of a case is a location already.
    """
    if not is_local_folder(given) or Path(given).name != given or given in {"", ".", ".."}:
        return given
    if any((Path(given) / store / "_delta_log").is_dir() for store in STORES):
        return given
    try:
        folder = cases_dir() / given
        return str(folder) if folder.is_dir() else given
    except (OSError, RuntimeError):
        return given


def case_name(location: str) -> str:
    """Return what a report calls the case at this location: its name, if it is a named one."""
    try:
        folder = Path(location)
        named = is_local_folder(location) and folder.is_absolute() and folder.parent == cases_dir()
    except RuntimeError:
        return location
    return folder.name if named and location_of(folder.name) == location else location


def remove(case: NamedCase) -> None:
    """Remove a named case. Raises EnvironmentFault where a run is writing to it, or its files cannot be removed."""
    with only_writer(case.folder):
        try:
            shutil.rmtree(case.folder)
        except OSError as fault:
            raise EnvironmentFault(f"{case.folder} cannot be removed: {fault.strerror}.") from fault


def keep_newest(number: int) -> tuple[list[NamedCase], list[NamedCase]]:
    """Remove all but the so many named cases that were written last; return what is gone, and what could not go."""
    gone: list[NamedCase] = []
    left: list[NamedCase] = []
    for case in named_cases()[number:]:
        try:
            remove(case)
        except (EnvironmentFault, OSError):
            left.append(case)
        else:
            gone.append(case)
    return gone, left
