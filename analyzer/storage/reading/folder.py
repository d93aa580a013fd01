"""Reads a Delta table in a folder of this machine, by delta-rs and Arrow: no engine is loaded."""

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

from analyzer.storage.reading.no_pandas import without_pandas
from analyzer.tables import TABLE_COLUMN


def files_of(location: str) -> dict[str, list[str]]:
    """Return the files of a Delta table by the table of their rows, "" where it is not partitioned by that.

    Nothing where no table was written yet.
    """
    from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

    files: dict[str, list[str]] = {}
    if DeltaTable.is_deltatable(location):
        for file in pa.table(DeltaTable(location).get_add_actions(flatten=True)).to_pylist():
            files.setdefault(file.get(f"partition.{TABLE_COLUMN}") or "", []).append(f"{location}/{file['path']}")
    return files


def rows_of(location: str, columns: Callable[[Sequence[str]], list[str]], where: Sequence[Any]) -> pa.Table:
    """Return rows of a Delta table in a folder of this machine: of its columns, those that `columns` picks.

    None where nothing was written yet. The files are read by Arrow's own file system: a worker thread of Arrow may let
    go of what it read with while this process ends, and one of Python's, such as delta-rs gives it, ends the process
    with SIGABRT then (decision 0014).
    """
    from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

    if not DeltaTable.is_deltatable(location):
        return pa.table({})
    without_pandas(engine=True)
    table = DeltaTable(location)
    return table.to_pyarrow_table(
        columns=columns([field.name for field in table.schema().fields]),
        filters=list(where),
        filesystem=_files_below(location),
    )


def dataset_of(location: str) -> Any:  # noqa: ANN401 - pyarrow is Any to us
    """Return a Delta table in a folder of this machine as an Arrow dataset, None where nothing was written yet."""
    from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

    if not DeltaTable.is_deltatable(location):
        return None
    without_pandas(engine=True)
    return DeltaTable(location).to_pyarrow_dataset(filesystem=_files_below(location))


def _files_below(location: str) -> SubTreeFileSystem:
    return SubTreeFileSystem(location, LocalFileSystem())
