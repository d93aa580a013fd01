"""What Apache Spark and Sail, a Spark Connect server in this process without a JVM, differ in: all of it stands here.

What both are asked for is what `apache_spark.py` answers. Everything else is handed a session and does not ask whose it
is (`sail_server` starts one). What Sail gets wrong: docs/decisions/0009.
"""

import functools
import importlib.metadata
import itertools
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, functions as F
from pyspark.sql.types import DataType, StructType

from analyzer.storage.arrow_files import Read
from analyzer.storage.engines.apache_spark import ApacheSpark, done_here
from analyzer.storage.engines.nullable import Counted, nullable
from analyzer.storage.engines.processes import in_processes
from analyzer.storage.engines.sail_server import SAIL_SESSIONS, scratch
from analyzer.tables import Column as TableColumn, Table
from analyzer.tables.shapes import hold_to, shape_of

MUCH_BYTES = 256 << 20
"""With this much input or more, reading in separate processes saves more time than they take to start."""

SHARE_ROWS = 1_000_000
"""How many batches are sorted or joined at once: about 250 MB of memory."""


class Sail(ApacheSpark):
    """What Sail does otherwise: its tables lie in folders of this machine, and delta-rs writes their logs."""

    name = "sail"
    settings_for: ClassVar[dict[str, dict[str, str]]] = {}
    driver_holds = False
    _share_done = 0.0

    def settle(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """Compute the rows now, as rows that may all be null: what it declares and what it computes may differ."""
        with self._explained(table, rows):
            return nullable(self.held_to(rows, table), _shape(table)).localCheckpoint(eager=True)

    @contextmanager
    def _explained(self, table: Table | None, rows: DataFrame) -> Iterator[None]:
        """Raise BrokenDeclaration, and not what the engine makes of it, if the rows are not as the table declares."""
        try:
            yield
        except PySparkException:
            if table is not None:
                hold_to(table, rows)
            raise

    def settle_any(self, rows: DataFrame, table: Table | None = None) -> DataFrame | None:
        """Settle the rows, counted on the way: to ask for the first one would be another query."""
        counted = Counted(self.held_to(rows, table), _shape(table))
        with self._explained(table, rows):
            settled = counted.rows.localCheckpoint(eager=True)
        none = counted.are_none()
        return None if (settled.isEmpty() if none is None else none) else settled

    def empty(self, rows: DataFrame) -> DataFrame:
        """Return no rows: without the empty metadata that it gives to fields of rows from here and misses later."""
        return self._no_rows((field.name, field.dataType) for field in rows.schema.fields)

    def nothing(self, columns: Iterable[TableColumn]) -> DataFrame:
        """Return no rows, as `empty` does."""
        return self._no_rows((column.name, column.type) for column in columns)

    def _no_rows(self, columns: Iterable[tuple[str, DataType | str]]) -> DataFrame:
        nulls = [F.lit(None).cast(kind).alias(name) for name, kind in columns]
        return self.spark.range(0).select(*nulls).limit(0)

    def keep(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """Compute the rows now: `persist` does nothing."""
        return self.settle(rows, table)

    @property
    def title(self) -> str:
        """Its name and version: the session tells Spark's, whose protocol it speaks."""
        return f"Sail {importlib.metadata.version('pysail')}"

    @property
    def share_rows(self) -> int:
        """As many as memory holds: Sail does not spill."""
        return SHARE_ROWS

    def settle_parts(
        self, parts: Iterable[DataFrame], table: Table | None = None
    ) -> tuple[DataFrame | None, list[DataFrame]]:
        """Write all parts to one folder, read as one table: a union reads its parts at once, and so would folders."""
        folder = Path(tempfile.mkdtemp(dir=scratch()))
        settled: list[DataFrame] = []
        taken: set[Path] = set()
        for part in parts:
            rows = nullable(self.held_to(part, table), _shape(table))
            with self._explained(table, part):
                rows.write.mode("append").parquet(str(folder))
            written = sorted(set(folder.iterdir()) - taken)
            taken.update(written)
            # Given a schema, Sail would ignore filters on fields of structs (decision 0010).
            settled.append(self.spark.read.parquet(*map(str, written)) if written else self.empty(rows))
        return self.spark.read.parquet(str(folder)) if taken else None, settled

    def run_tasks(self, count: int, work: Read, columns: Iterable[TableColumn], in_bytes: int) -> list[dict[str, Any]]:
        """Run the tasks in separate processes if they read a lot: Sail's own tasks are threads of this process.

        Each process does all its tasks as one piece of work, so that it writes few files: Sail opens all files of a
        table at once, each with a thread that keeps memory (decision 0010).
        """
        processes = min(count, SAIL_SESSIONS[self.spark])
        if in_bytes < MUCH_BYTES or processes < 2:  # noqa: PLR2004 - one process is this one
            return super().run_tasks(count, work, columns, in_bytes)

        def progress(done: int) -> None:
            self._share_done = done / count

        made = in_processes(functools.partial(done_here, work), count, processes, progress)
        self._share_done = 0.0
        return list(itertools.chain(*made))

    def tasks_are_here(self) -> bool:
        """Return True: the server is this process."""
        return True

    def share_done(self) -> float:
        """Return the share of separate processes' tasks; 0 while tasks are threads: Sail does not tell."""
        return self._share_done

    def is_delta(self, path: str) -> bool:
        """Ask delta-rs."""
        from deltalake import DeltaTable  # noqa: PLC0415 - clusters do not have it

        return DeltaTable.is_deltatable(path)

    def delete_files(self, path: str, file_ids: DataFrame) -> None:
        """Let delta-rs merge."""
        from deltalake import DeltaTable  # noqa: PLC0415 - see is_delta

        merge = DeltaTable(path).merge(
            file_ids.toArrow(), "facts.file_id = gone.file_id", source_alias="gone", target_alias="facts"
        )
        merge.when_matched_delete().execute()


def engine_of(spark: SparkSession) -> ApacheSpark:
    """Return what answers for this session."""
    return (Sail if spark in SAIL_SESSIONS else ApacheSpark)(spark)


def _shape(table: Table | None) -> StructType | None:
    """Return what rows that are held to a table look like; None where only the engine knows it."""
    return shape_of(table) if table else None
