"""Deletes rows of a case and keeps its files few: by delta-rs in a folder of this machine, elsewhere by SQL."""

from collections.abc import Iterable

from analyzer.storage.case import Case

UNUSED_HOURS = 168
"""Files that no version of the last week refers to are removed, as Delta itself does: someone may still read them."""


def delete_captures(case: Case, names: Iterable[str]) -> None:
    """Delete the catalog's and the results' rows of these captures."""
    quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
    for store in ("results", "catalog"):
        if quoted and case.holds(store):
            _delete(case, store, f"capture IN ({quoted})")


def delete_files(case: Case, file_ids: Iterable[str]) -> None:
    """Delete the `files` rows of these contents: their facts are leftovers then."""
    quoted = ", ".join(f"'{file_id}'" for file_id in file_ids)
    if quoted:
        _delete(case, "catalog", f"`table` = 'files' AND file_id IN ({quoted})")


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
            case.spark.sql(f"OPTIMIZE {_name(case, store)}")
            case.spark.sql(f"VACUUM {_name(case, store)} RETAIN {UNUSED_HOURS} HOURS")
        case.forget(store)


def _delete(case: Case, store: str, condition: str) -> None:
    if case.is_local:
        from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

        DeltaTable(case.path(store)).delete(condition.replace("`", '"'))
    else:
        case.spark.sql(f"DELETE FROM {_name(case, store)} WHERE {condition}")  # noqa: S608 - the values are quoted
    case.forget(store)


def _name(case: Case, store: str) -> str:
    path = case.path(store)
    return f"delta.`{path}`" if "/" in path else path
