"""The case of a command that names none: a new one for a run, the newest for a command that reads."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer

from analyzer.config import Config
from analyzer.errors import CaseError
from analyzer.scan import Capture
from analyzer.scratch import drop, drop_at_end, leave, scratch_folder
from analyzer.storage.engines.choice import runs_on_this_machine
from analyzer.storage.named_cases import case_name, keep_newest, location_of, named_cases, new_case

NEWEST = "newest"
"""What `--case` says by default where a command reads a case."""


class Place(NamedTuple):
    """Where a run writes, and what its report calls that: empty where nothing is kept."""

    location: str
    name: str


@contextmanager
def place_of_run(
    given: str | None, config: Config, captures: Sequence[Capture], done: Callable[[], None], *, quiet: bool
) -> Iterator[Place]:
    """Yield where a run writes: the case that was named, else a new one in the user's data directory.

    A run that fails or is stopped keeps nothing of a case that it named itself. It is a folder for the meantime where
    the data directory cannot be written, where a cluster runs this, or with `[limits] kept_cases = 0`. `done` is called
    before anything is told.
    """
    if given is not None:
        yield Place(given, case_name(given))
        return
    folder, kept = _new(config, captures)
    try:
        yield Place(str(folder), folder.name if kept else "")
        if kept:
            leave(folder)
            done()
            _tell(folder, config.limits.kept_cases, quiet=quiet)
    except BaseException:
        kept = False
        raise
    finally:
        if not kept:
            drop(folder)


def _new(config: Config, captures: Sequence[Capture]) -> tuple[Path, bool]:
    """Return a new folder for a case, and whether it outlives the run."""
    if config.limits.kept_cases and runs_on_this_machine(config):
        try:
            return drop_at_end(new_case(captures[0].name.partition("@")[0])), True
        except (OSError, RuntimeError) as fault:
            sys.stderr.write(f"note: nothing is kept of this run, the user's data directory cannot be used: {fault}\n")
    return scratch_folder("txn-forensics-"), False


def _tell(folder: Path, kept: int, *, quiet: bool) -> None:
    """Say where the case is, and which older ones had to go."""
    gone, left = keep_newest(kept)
    if not quiet:
        sys.stderr.write(f"case {folder.name} is kept; txn-forensics cases lists the last {kept}\n")
    if gone:
        sys.stderr.write(f"removed, older than the last {kept} cases: {', '.join(one.name for one in gone)}\n")
    if left:
        sys.stderr.write(f"could not be removed: {', '.join(one.name for one in left)}\n")


def of_name(context: typer.Context, given: str | None) -> str | None:
    """Return where the case of `--case` lies, for a name of `cases` too; None where none was named."""
    return given if given is None or context.resilient_parsing else location_of(given)


def of_name_or_newest(context: typer.Context, given: str) -> str:
    """Return where the case of `--case` lies; for `newest` that of the last run, which is told on stderr.

    Raises CaseError if there is none.
    """
    if given != NEWEST or context.resilient_parsing:
        return location_of(given)
    found = newest()
    if found is None:
        raise CaseError("no case is kept yet.", wanted="--case FOLDER, or a run before", do="txn-forensics run PATH...")
    return found


def newest(*, quiet: bool = False) -> str | None:
    """Return where the case of the last run lies, and tell its name on stderr; None where none is kept."""
    found = next((one for one in named_cases() if one.is_analyzed), None)
    if found is not None and not quiet:
        sys.stderr.write(f"case {found.name}, the newest of `txn-forensics cases`\n")
    return None if found is None else str(found.folder)
