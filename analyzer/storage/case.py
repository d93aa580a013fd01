"""A case: the Delta tables `catalog`, `facts`, `results` and `lookups`, as rows that others read and write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, functions as F

from analyzer.storage.arrow_files import FILES, Read, commit, put, writing, written_by_engine
from analyzer.storage.conditions import one_of_for_delta_rs, one_of_for_spark
from analyzer.storage.engines.differences import engine_of
from analyzer.storage.lease import leased
from analyzer.storage.locations import SCHEMA_PREFIX, is_local_folder, needs_no_session
from analyzer.storage.lock import only_writer
from analyzer.storage.reading.folder import files_of
from analyzer.tables import PARTITIONED_BY, TABLE_COLUMN, TABLES, Table, store_columns, store_schema


class Case:
    """The tables of one case; `location` is a folder or, behind `schema:`, a schema of the metastore."""

    def __init__(self, spark: SparkSession, location: str, *, kept: bool = True) -> None:
        """Open the case; nothing is created before the first write. `kept`: it outlives its command."""
        self.spark = spark
        self.kept = kept
        self.engine = engine_of(spark)
        self.location = location
        self._loaded: dict[str, DataFrame] = {}
        self._files: dict[str, dict[str, list[str]]] = {}

    @property
    def tasks_wanted(self) -> int:
        """How many tasks a job should have: as many as the session's shuffles make."""
        return int(self.spark.conf.get("spark.sql.shuffle.partitions", "2") or 2)

    def holds(self, store: str) -> bool:
        """Return whether anything was written to this Delta table yet; from then on it is read as of now."""
        if self.is_local:
            return bool(self._stored(store))
        if store not in self._loaded and self._exists(store):
            self._loaded[store] = self._load(store)
        return store in self._loaded

    def only_writer(self) -> AbstractContextManager[Callable[[], None]]:
        """Hold the case for one writer, and yield a check that it is still held.

        Raises EnvironmentFault, as the check does, where another writer has it.
        """
        if is_local_folder(self.location):
            return only_writer(Path(self.location))
        return leased(self.spark, self.sql_name("lease"), self.location)

    def read(self, name: str) -> DataFrame:
        """Return a table of the case with exactly its columns, empty where nothing was written yet.

        Columns that an older version did not write are null. Where tasks run on this machine, the session reads the
        files that delta-rs names: replaying a Delta log costs it jobs of its own.
        """
        table = TABLES[name]
        if not self.holds(table.store):
            return self.spark.createDataFrame([], table.ddl)
        if self.is_local:
            return self._read_files(table)
        loaded = self._loaded[table.store]
        known = set(loaded.columns)
        columns = [
            F.col(column.name) if column.name in known else F.lit(None).cast(column.type).alias(column.name)
            for column in table.columns
        ]
        return loaded.where(F.col(TABLE_COLUMN) == name).select(*columns)

    def _read_files(self, table: Table) -> DataFrame:
        apart = TABLE_COLUMN in PARTITIONED_BY[table.store]
        paths = self._stored(table.store).get(table.name if apart else "", [])
        if not paths:
            return self.spark.createDataFrame([], table.ddl)
        if apart:
            return self.spark.read.schema(table.ddl).parquet(*paths)
        rows = self.spark.read.schema(f"`{TABLE_COLUMN}` string, {table.ddl}").parquet(*paths)
        return rows.where(F.col(TABLE_COLUMN) == table.name).drop(TABLE_COLUMN)

    def _stored(self, store: str) -> dict[str, list[str]]:
        """Return the files of a Delta table in a folder of this machine, by the table of their rows."""
        if store not in self._files:
            self._files[store] = files_of(self.path(store))
        return self._files[store]

    def append_read(self, store: str, tasks: int, read: Read, *, in_bytes: int) -> None:
        """Add what `read` yields in this many tasks, in one commit; all the tasks together read `in_bytes`.

        `read` gets the task's number, as for mapInArrow; its batches have the column `table` and every column of
        the store. Where the tasks run on this machine they write the files of the Delta table themselves.
        """
        if self.is_local:
            written = self.engine.run_tasks(tasks, writing(self.path(store), read), FILES, in_bytes)
            commit(self.path(store), store, written)
            self.forget(store)
        else:
            self._append(store, self.engine.tasks(tasks, read, store_columns(store)))

    def _append(self, store: str, rows: DataFrame) -> None:
        self._save(store, rows, {}, "append")

    @property
    def is_local(self) -> bool:
        """Return whether tasks run on this machine and the case is a folder of it that delta-rs can name."""
        return needs_no_session(self.location) and self.engine.tasks_are_here()

    def append_rows(self, rows: Mapping[str, Sequence[Mapping[str, Any]]], store: str) -> None:
        """Add rows that the driver holds, by table, in one commit."""
        if any(rows.values()):
            self._put(store, table_of(rows, store))

    def replace_rows(
        self, captures: Iterable[str], rows: Mapping[str, Sequence[Mapping[str, Any]]], store: str
    ) -> None:
        """Put these rows in the place of all rows of the captures in this Delta table, in one commit."""
        self._put(store, table_of(rows, store), list(captures) if self.holds(store) else [])

    def replace_frames(self, captures: Iterable[str], frames: Sequence[tuple[str, DataFrame]], store: str) -> None:
        """Put these tables, each in any number of pieces, in the place of all rows of the captures in this Delta table.

        That is two commits. The rows never come to the driver: the engine writes them. For Delta tables that are not
        partitioned.
        """
        if self.holds(store):
            self.delete_rows(store, "capture", list(captures))
        named = [(name, rows.select(F.lit(name).alias(TABLE_COLUMN), "*")) for name, rows in frames]
        if not self.is_local:
            for _, rows in named:
                self._append(store, rows)
            return
        files = [file for name, rows in named for file in written_by_engine(self.path(store), name, rows)]
        commit(self.path(store), store, files)
        self.forget(store)

    def delete_rows(self, store: str, column: str, names: Sequence[str], table: str | None = None) -> None:
        """Delete the rows whose column has one of these values: of one table of the store, or of all."""
        if self.is_local:
            from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

            of_table = f"\"{TABLE_COLUMN}\" = '{table}' AND " if table else ""
            DeltaTable(self.path(store)).delete(of_table + one_of_for_delta_rs(column, names))
        else:
            of_table = f"`{TABLE_COLUMN}` = '{table}' AND " if table else ""
            condition = of_table + one_of_for_spark(column, names)
            self.spark.sql(f"DELETE FROM {self.sql_name(store)} WHERE {condition}")  # noqa: S608 - values are quoted
        self.forget(store)

    def delete_facts(self, file_ids: DataFrame) -> None:
        """Delete the facts of these files (one column, `file_id`)."""
        self.engine.delete_files(self.path("facts"), file_ids)
        self.forget("facts")

    def _put(self, store: str, rows: pa.Table, instead_of: Sequence[str] = ()) -> None:
        """Add these rows in one commit, in the place of all rows of the captures `instead_of`."""
        if self.is_local:
            put(self.path(store), rows, instead_of)
            self.forget(store)
            return
        frame = self.spark.createDataFrame(rows)
        if instead_of:
            self._save(store, frame, {"replaceWhere": one_of_for_spark("capture", instead_of)}, "overwrite")
        else:
            self._append(store, frame)

    def forget(self, store: str) -> None:
        """Read this Delta table afresh the next time: it was changed."""
        self._loaded.pop(store, None)
        self._files.pop(store, None)

    def path(self, store: str) -> str:
        """Return where this Delta table lies, or its name in the metastore."""
        if self.location.startswith(SCHEMA_PREFIX):
            return f"{self.location.removeprefix(SCHEMA_PREFIX)}.{store}"
        return f"{self.location.rstrip('/')}/{store}"

    def sql_name(self, store: str) -> str:
        """Return what SQL calls this Delta table."""
        path = self.path(store)
        return path if self.location.startswith(SCHEMA_PREFIX) else f"delta.`{path}`"

    def _exists(self, store: str) -> bool:
        if self.location.startswith(SCHEMA_PREFIX):
            return self.spark.catalog.tableExists(self.path(store))
        return self.engine.is_delta(self.path(store))

    def _load(self, store: str) -> DataFrame:
        if self.location.startswith(SCHEMA_PREFIX):
            return self.spark.read.table(self.path(store))
        return self.spark.read.format("delta").load(self.path(store))

    def _save(self, store: str, rows: DataFrame, options: dict[str, str], mode: str) -> None:
        self.forget(store)
        writer = rows.write.format("delta").options(mergeSchema="true", **options).mode(mode)
        writer = writer.partitionBy(*PARTITIONED_BY[store])
        if self.location.startswith(SCHEMA_PREFIX):
            writer.saveAsTable(self.path(store))
        else:
            writer.save(self.path(store))


def table_of(rows: Mapping[str, Sequence[Mapping[str, Any]]], store: str) -> pa.Table:
    """Return the store's shape filled with rows by table."""
    flat = [{TABLE_COLUMN: name, **row} for name, those in rows.items() for row in those]
    return pa.Table.from_pylist(flat, schema=store_schema(store))
