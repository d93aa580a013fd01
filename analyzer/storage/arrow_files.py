"""Writes a task's Arrow batches as Parquet files of a Delta table, and commits them by name.

A row that passes through the JVM on its way to Parquet costs ten times as much as one that a task writes itself.
delta-rs (the package deltalake) writes the Delta log, which Spark's Delta reads like its own.
"""

import json
import sys
import time
import uuid
import zipimport
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from analyzer.storage.conditions import one_of_for_delta_rs
from analyzer.storage.settings import DIFFERENT_VALUES
from analyzer.tables import PARTITIONED_BY, TABLE_COLUMN, TABLES, Column, arrow_schema, store_schema

FILES = (
    Column("path", "string", "where the file lies below the Delta table"),
    Column("table", "string", "the table of its rows"),
    Column("bytes", "bigint", "size of the file"),
    Column("rows", "bigint", "how many rows it has"),
)
"""What a task reports of each file that it wrote."""

ROW_GROUP_ROWS = 65_536
"""Rows that are written together; a task holds this many of each table."""

Read = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
Json = Mapping[str, Any]


def writing(location: str, read: Read) -> Read:
    """Return a function for mapInArrow that writes what `read` gives as files of a table and yields rows of FILES."""

    def write(tasks: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with ThreadPoolExecutor(1) as beside:
            files = TableFiles(Path(location), beside)
            for batch in read(tasks):
                files.add(batch)
            yield pa.RecordBatch.from_pylist(files.close(), arrow_schema(FILES))
        _forget_archives()

    return write


def _forget_archives() -> None:
    """Remove zip files from this worker's import caches.

    PySpark clears these caches before each task, and Python then rereads the index of every archive on its path,
    Spark's own jar among them: 0.1 s a task.
    """
    for path, finder in list(sys.path_importer_cache.items()):
        if isinstance(finder, zipimport.zipimporter):
            del sys.path_importer_cache[path]


class TableFiles:
    """One Parquet file for each table that gets rows, below the folder of a Delta table."""

    def __init__(self, folder: Path, beside: Executor) -> None:
        """Start without files; `beside` writes rows while the next ones are read."""
        self._folder = folder
        self._beside = beside
        self._writing: Future[None] | None = None
        self._name = f"part-{uuid.uuid4()}.snappy.parquet"
        self._writers: dict[str, pq.ParquetWriter] = {}
        self._pending: dict[str, list[pa.RecordBatch]] = {}
        self._pending_rows: Counter[str] = Counter()
        self._rows: dict[str, int] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows of any tables: each file gets the columns of its table."""
        names = batch.column(TABLE_COLUMN)
        tables = pc.unique(names).to_pylist()
        for table in tables:
            own = batch.select(TABLES[table].names)
            rows = own if len(tables) == 1 else own.filter(pc.equal(names, table))
            self._pending.setdefault(table, []).append(rows)
            self._pending_rows[table] += rows.num_rows
            if self._pending_rows[table] >= ROW_GROUP_ROWS:
                self._write(table)

    def close(self) -> list[Json]:
        """Write what is left and return a row of FILES for each file."""
        for table in list(self._pending):
            self._write(table)
        self._wait()
        out: list[Json] = []
        for table, writer in self._writers.items():
            writer.close()
            path = self._path(table)
            size = (self._folder / path).stat().st_size
            out.append({"path": path, "table": table, "bytes": size, "rows": self._rows[table]})
        return out

    def _path(self, table: str) -> str:
        return f"{TABLE_COLUMN}={table}/{self._name}"

    def _write(self, table: str) -> None:
        rows = pa.Table.from_batches(self._pending.pop(table))
        del self._pending_rows[table]
        if table not in self._writers:
            file = self._folder / self._path(table)
            file.parent.mkdir(parents=True, exist_ok=True)
            repeating = [name for name in rows.column_names if name not in DIFFERENT_VALUES]
            self._writers[table] = pq.ParquetWriter(file, rows.schema, compression="snappy", use_dictionary=repeating)
        self._rows[table] = self._rows.get(table, 0) + rows.num_rows
        self._wait()
        self._writing = self._beside.submit(_write_table, self._writers[table], rows)

    def _wait(self) -> None:
        """Wait for the previous write, so that a task holds at most two row groups of a table."""
        if self._writing is not None:
            self._writing.result()


def _write_table(writer: pq.ParquetWriter, rows: pa.Table) -> None:
    """Write rows, and give the memory that this took back to the system."""
    writer.write_table(rows)
    pa.default_memory_pool().release_unused()


def written_by_engine(location: str, table: str, rows: DataFrame) -> list[Json]:
    """Let the engine write rows of one table as files below the folder of a Delta table; return rows of FILES."""
    folder = f"{table}-{uuid.uuid4()}"
    rows.write.parquet(f"{location}/{folder}")
    return [
        {
            "path": f"{folder}/{file.name}",
            "table": table,
            "bytes": file.stat().st_size,
            "rows": pq.read_metadata(file).num_rows,
        }
        for file in sorted(Path(location, folder).glob("*.parquet"))
    ]


def commit(location: str, store: str, files: Sequence[Json]) -> None:
    """Commit files that tasks wrote below this folder to its Delta table; the table is created if it is missing."""
    from deltalake import DeltaTable, Schema  # noqa: PLC0415 - clusters do not have it
    from deltalake.transaction import AddAction, create_table_with_add_actions  # noqa: PLC0415

    schema, by = Schema.from_arrow(store_schema(store)), list(PARTITIONED_BY[store])
    now = int(time.time() * 1000)
    added = [
        AddAction(
            path=file["path"],
            size=file["bytes"],
            partition_values={TABLE_COLUMN: file["table"]} if by else {},
            modification_time=now,
            data_change=True,
            stats=json.dumps({"numRecords": file["rows"]}),
        )
        for file in files
    ]
    if DeltaTable.is_deltatable(location):
        _widen(location, schema)
        DeltaTable(location).create_write_transaction([*added], "append", schema, partition_by=by)
    else:
        Path(location).mkdir(parents=True, exist_ok=True)
        create_table_with_add_actions(location, schema, added, mode="error", partition_by=by)


def _widen(location: str, schema: Any) -> None:  # noqa: ANN401 - a class of deltalake, which clusters do not have
    """Add the columns that the table of an older version does not have yet."""
    from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

    table = DeltaTable(location)
    known = {field.name for field in table.schema().fields}
    missing = [field for field in schema.fields if field.name not in known]
    if missing:
        table.alter.add_columns(missing)


def put(location: str, rows: pa.Table, instead_of: Sequence[str] = ()) -> None:
    """Add rows that the driver holds to a Delta table in one commit, in place of all rows of these captures.

    The table is created if it is missing.
    """
    from deltalake import DeltaTable, Schema, write_deltalake  # noqa: PLC0415 - clusters do not have it

    if DeltaTable.is_deltatable(location):
        _widen(location, Schema.from_arrow(rows.schema))
    if instead_of:
        write_deltalake(location, rows, mode="overwrite", predicate=one_of_for_delta_rs("capture", instead_of))
    else:
        write_deltalake(location, rows, mode="append")
