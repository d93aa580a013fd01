"""The command `cases`: what runs without --case have kept, and its removal."""

import contextlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from analyzer.cli import options, printing
from analyzer.errors import CaseError, EnvironmentFault, UsageError
from analyzer.report.sentences.cells import pad, pad_left, visible, width
from analyzer.report.sentences.quantities import size
from analyzer.report.sentences.times import Clock
from analyzer.storage.locations import needs_no_session
from analyzer.storage.named_cases import NamedCase, cases_dir, keep_newest, named_cases, remove
from analyzer.storage.reading.rows import rows_of_folder

NOT_JUDGED = "not judged"
HEAD = ("NAME", "WRITTEN", "CAPTURE", "VERDICT", "SIZE")


def cases(
    names: Annotated[list[str] | None, typer.Argument(help="Only these.", metavar="[NAME...]")] = None,
    removing: Annotated[bool, typer.Option("--remove", help="Remove the cases named.")] = False,
    keep: Annotated[int | None, typer.Option("--keep", help="Remove all but the newest so many.", min=0)] = None,
    format: options.TextOrJsonOption = "text",  # noqa: A002 - the flag's name
) -> None:
    """List what runs without --case have kept.

    Each such run keeps a case of its own in the user's data directory, the last 20 by default ([limits] kept_cases).
    Other commands take its name as --case, and the newest without.
    """
    options.check_format(format, "text", "json")
    if removing != bool(names) and (removing or keep is not None):
        raise UsageError("which cases?", wanted="cases --remove NAME..., or cases --keep N")
    if keep is not None:
        _told_removed(*keep_newest(keep))
        return
    chosen = _chosen(names or [])
    if removing:
        for one in chosen:
            remove(one)
        _told_removed(chosen, [])
        return
    rows = [_row(one) for one in chosen]
    if format == "json":
        sys.stdout.write(printing.json_rows(rows))
    else:
        sys.stdout.write(_table(rows) if rows else f"no cases in {visible(str(cases_dir()))}\n")


def _chosen(names: Sequence[str]) -> list[NamedCase]:
    """Return the cases of these names, without names all. Raises CaseError for a name that is none."""
    known = {one.name: one for one in named_cases()}
    for name in names:
        if name not in known:
            raise CaseError(f"no case {name}.", wanted=", ".join(known), do="txn-forensics cases lists them")
    return [known[name] for name in names] if names else list(known.values())


def _told_removed(gone: Sequence[NamedCase], left: Sequence[NamedCase]) -> None:
    sys.stdout.write("".join(f"removed {visible(one.name)}\n" for one in gone))
    if left:
        raise EnvironmentFault(
            f"could not be removed: {', '.join(one.name for one in left)}.", do="try again when no run is writing there"
        )


def _row(case: NamedCase) -> dict[str, Any]:
    """Return what is told of a case: the verdict is that of its newest capture."""
    judged: list[dict[str, Any]] = []
    if case.is_analyzed and needs_no_session(str(case.folder)):
        with contextlib.suppress(OSError, ValueError, KeyError):  # another version's, or half written
            judged = rows_of_folder(str(case.folder))("summaries", {}, ("capture", "captured_at", "verdict"))
    newest = max(judged, key=lambda row: (row["captured_at"] or 0, row["capture"]), default=None)
    return {
        "name": case.name,
        "written_ms": case.written_ms,
        "captures": sorted(row["capture"] for row in judged),
        "capture": newest["capture"] if newest else None,
        "verdict": newest["verdict"] if newest else None,
        "bytes": case.bytes,
        "folder": str(case.folder),
    }


def _table(rows: Sequence[dict[str, Any]]) -> str:
    clock = Clock()
    cells = [HEAD, *((*_cells(row, clock),) for row in rows)]
    widths = [max(width(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = []
    for line in cells:
        *left, last = (pad(cell, cells_of) for cell, cells_of in zip(line, widths, strict=True))
        lines.append("  ".join([*left, pad_left(last.strip(), widths[-1])]).rstrip())
    return "\n".join([*lines, f"in {visible(str(cases_dir()))}"]) + "\n"


def _cells(row: dict[str, Any], clock: Clock) -> tuple[str, ...]:
    more = len(row["captures"]) - 1
    of = visible(row["capture"] or "-") + (f" and {more} more" if more > 0 else "")
    return (
        visible(row["name"]),
        clock.moment(row["written_ms"]),
        of,
        row["verdict"] or NOT_JUDGED,
        size(row["bytes"]),
    )
