"""Drops the old captures of a case, with the facts that no other capture refers to."""

import dataclasses

from analyzer.storage.case import Case
from analyzer.storage.upkeep import delete_captures, delete_files, delete_leftovers, tidy

AT_ONCE = 1_000
"""Contents that one statement names."""


@dataclasses.dataclass(frozen=True, slots=True)
class Dropped:
    """What a vacuum took: names of captures, and how many contents had their facts deleted."""

    captures: tuple[str, ...]
    contents: int


def vacuum(case: Case, before_ms: int) -> Dropped:
    """Drop the captures judged at a moment before this one (epoch ms), but never the newest; tidy the Delta tables.

    Captures go first, then the contents that nothing refers to, then their facts: a run that breaks off leaves facts
    that the next ingest or vacuum deletes. Raises EnvironmentFault if another process is writing to the case's folder.
    """
    with case.only_writer():
        old = _old(case, before_ms)
        delete_captures(case, old)
        unused = _unused(case)
        for start in range(0, len(unused), AT_ONCE):
            delete_files(case, unused[start : start + AT_ONCE])
        delete_leftovers(case)
        tidy(case)
    return Dropped(tuple(old), len(unused))


def _old(case: Case, before_ms: int) -> list[str]:
    judged = {row.capture: row.captured_at for row in case.read("summaries").select("capture", "captured_at").collect()}
    given = {row.capture: row.captured_at for row in case.read("captures").select("capture", "captured_at").collect()}
    moments = given | {name: at for name, at in judged.items() if at is not None}
    dated = sorted((at, name) for name, at in moments.items() if at is not None)
    return [name for at, name in dated[:-1] if at < before_ms]


def _unused(case: Case) -> list[str]:
    used = case.read("capture_files").select("file_id").distinct()
    rows = case.read("files").select("file_id").join(used, "file_id", "left_anti").collect()
    return sorted(row.file_id for row in rows)
