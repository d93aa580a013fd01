"""Deletes rows of a case and keeps its files few: by delta-rs in a folder of this machine, elsewhere by SQL."""

from collections.abc import Sequence

import pyarrow as pa

from analyzer.storage.case import Case
from analyzer.storage.conditions import one_of_for_delta_rs, one_of_for_spark
from analyzer.tables import TABLE_COLUMN

UNUSED_HOURS = 168
"""Files that no version of the last week refers to are removed, as Delta itself does: someone may still read them."""

SMALL_BYTES, MANY_SMALL = 16 << 20, 64
"""Files below this size are joined when a Delta table has so many: each is opened whenever the table is read."""


def delete_captures(case: Case, names: Sequence[str]) -> None:
    """Delete the catalog's and the results' rows of these captures."""
    for store in ("results", "catalog"):
        if names and case.holds(store):
            _delete(case, store, "capture", names)


def delete_files(case: Case, file_ids: Sequence[str]) -> None:
    """Delete the `files` rows of these contents: their facts are leftovers then."""
    if file_ids:
        _delete(case, "catalog", "file_id", file_ids, "files")


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
    for store in ("catalog", "facts", "results"):
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
    for store in ("catalog", "facts", "results"):
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


def _delete(case: Case, store: str, column: str, names: Sequence[str], table: str | None = None) -> None:
    """Delete the rows whose column has one of these values: of one table of the store, or of all."""
    if case.is_local:
        from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

        of_table = f"\"{TABLE_COLUMN}\" = '{table}' AND " if table else ""
        DeltaTable(case.path(store)).delete(of_table + one_of_for_delta_rs(column, names))
    else:
        of_table = f"`{TABLE_COLUMN}` = '{table}' AND " if table else ""
        condition = of_table + one_of_for_spark(column, names)
        case.spark.sql(f"DELETE FROM {case.sql_name(store)} WHERE {condition}")  # noqa: S608 - the values are quoted
    case.forget(store)
