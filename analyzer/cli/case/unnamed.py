"""The new case of a run that names none."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from analyzer.config import Config
from analyzer.scan.capture import Capture
from analyzer.scratch import drop, drop_at_end, leave, scratch_folder
from analyzer.storage.engines.choice import runs_on_this_machine
from analyzer.storage.named_cases import case_name, keep_newest, new_case


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
