"""The case that a command reads: under its name, or the newest where none is named."""

import sys

import typer

from analyzer.errors import CaseError
from analyzer.storage.named_cases import location_of, named_cases

NEWEST = "newest"
"""What `--case` says by default where a command reads a case."""


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
