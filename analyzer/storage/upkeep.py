"""Deletes rows of a case and keeps its files few: by delta-rs in a folder of this machine, elsewhere by SQL."""

from collections.abc import Sequence

import pyarrow as pa

from analyzer.storage.case import Case
from analyzer.tables import STORES

UNUSED_HOURS = 168
"""Files that no version of the last week refers to are removed, as Delta itself does: someone may still read them."""

SMALL_BYTES, MANY_SMALL = 16 << 20, 64
"""Files below this size are joined when a Delta table has so many: each is opened whenever the table is read."""


def delete_captures(case: Case, names: Sequence[str]) -> None:
    """Delete the rows of these captures from all Delta tables but the facts, the catalog's last."""
    for store in ("lookups", "results", "catalog"):
        if names and case.holds(store):
            case.delete_rows(store, "capture", names)


def delete_files(case: Case, file_ids: Sequence[str]) -> None:
    """Delete the `files` rows of these contents: their facts are leftovers then."""
    if file_ids:
        case.delete_rows("catalog", "file_id", file_ids, "files")


def delete_leftovers(case: Case) -> None:
    """Delete facts without a `files` row."""
    if not case.holds("facts"):
        return
    files = case.read("files").select("file_id")
    unvouched = case.read("sections").select("file_id").distinct().join(files, "file_id", "left_anti")
    if not unvouched.isEmpty():
        case.delete_facts(unvouched)


def join_small_files(case: Case) -> None:
    """Join the small files of the case's Delta tables that have many, so that a schedule's case stays quick to read.

    In a folder of this machine only: elsewhere `tidy` does it, or the platform by itself. Joined files stay on disk
    until `tidy` removes them.
    """
    for store in STORES:
        if not case.is_local or not case.holds(store):
            continue
        from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

        table = DeltaTable(case.path(store))
        sizes = pa.table(table.get_add_actions(flatten=True)).column("size_bytes").to_pylist()
        if sum(size < SMALL_BYTES for size in sizes) >= MANY_SMALL:
            table.optimize.compact(target_size=SMALL_BYTES)
            case.forget(store)


def tidy(case: Case) -> None:
    """Join small files of the case's Delta tables, and remove those that are not used any more."""
    for store in STORES:
        if not case.holds(store):
            continue
        if case.is_local:
            from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

            table = DeltaTable(case.path(store))
            table.optimize.compact()
            table.vacuum(UNUSED_HOURS, dry_run=False)
        else:
            case.spark.sql(f"OPTIMIZE {case.sql_name(store)}")
            case.spark.sql(f"VACUUM {case.sql_name(store)} RETAIN {UNUSED_HOURS} HOURS")
        case.forget(store)
