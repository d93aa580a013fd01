"""What Apache Spark and Sail, a Spark Connect server in this process without a JVM, differ in: all of it stands here.

Everything else is handed a session and does not ask whose it is (`sail_server` starts one). What Sail gets wrong:
docs/decisions/0009.
"""

import functools
import importlib.metadata
import itertools
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DataType
from pyspark.sql.utils import is_remote

from analyzer.storage.arrow_files import Read
from analyzer.storage.checkpoints import CHECKPOINTS
from analyzer.storage.engines.nullable import Counted, nullable
from analyzer.storage.engines.processes import in_processes
from analyzer.storage.engines.sail_server import SAIL_SESSIONS, scratch
from analyzer.storage.jvm.driver_rows import driver_rows, has_driver, no_rows, nothing_of
from analyzer.storage.settings import FOR_FEW, FOR_TINY, local_cores
from analyzer.tables import Column as TableColumn
from analyzer.tables import ddl_of
from analyzer.tables.unions import union_all

LITTLE_BYTES = 16_000_000
"""Below this, reading takes less time than starting a Python worker."""

MUCH_BYTES = 256 << 20
"""With this much input or more, reading in separate processes saves more time than they take to start."""

SHARE_ROWS = 1_000_000
"""How many batches are sorted or joined at once: about 250 MB of memory."""


class ApacheSpark:
    """What storage and the pipeline ask of a session that runs on a JVM, here, on a cluster or behind Connect."""

    name = "spark"
    settings_for: ClassVar[dict[str, dict[str, str]]] = {"tiny": FOR_TINY, "few": FOR_FEW}
    reads_facts_in_place = False
    """Whether many stored rows are read as fast where they lie as from a copy of what is needed of them."""

    def __init__(self, spark: SparkSession) -> None:
        """Answer for this session."""
        self.spark = spark

    def settle(self, rows: DataFrame) -> DataFrame:
        """Compute the rows now and forget how; with a place for checkpoints they outlive the worker that did it."""
        return rows.checkpoint(eager=True) if self._checkpoints else rows.localCheckpoint(eager=True)

    def settle_any(self, rows: DataFrame) -> DataFrame | None:
        """Settle the rows; None: there are none."""
        return None if (settled := self.settle(rows)).isEmpty() else settled

    def settle_tiny(self, rows: DataFrame) -> DataFrame | None:
        """Settle rows that the driver has room for: there, the planner sees them. None: there are none."""
        return driver_rows(rows) if has_driver(self.spark) else self.settle_any(rows)

    @functools.cached_property
    def _checkpoints(self) -> bool:
        return not self.tasks_are_here() and bool(self.spark.conf.get(CHECKPOINTS, ""))

    def empty(self, rows: DataFrame) -> DataFrame:
        """Return no rows of the shape of these, in a way that the planner knows it."""
        return no_rows(rows) if has_driver(self.spark) else self.spark.createDataFrame([], rows.schema).limit(0)

    def nothing(self, columns: Iterable[TableColumn]) -> DataFrame:
        """Return no rows with these columns."""
        if has_driver(self.spark):
            return nothing_of(self.spark, ddl_of(columns))
        return self.spark.createDataFrame([], ddl_of(columns)).limit(0)

    def keep(self, rows: DataFrame) -> DataFrame:
        """Keep rows from when they are first computed until they are unpersisted; serverless compute refuses that."""
        return self.settle(rows) if is_remote() else rows.persist()

    @property
    def share_rows(self) -> int | None:
        """How many rows to sort and join at once. None: as many as there are, since Spark spills to disk."""
        return None

    def settle_parts(self, parts: Iterable[DataFrame]) -> tuple[DataFrame | None, list[DataFrame]]:
        """Compute the parts of a table one after the other; return all of it, None if it has no rows, and each part."""
        settled = [self.settle(part) for part in parts]
        whole = union_all(settled)
        return None if whole.isEmpty() else whole, settled

    def tasks(self, count: int, work: Read, columns: Iterable[TableColumn]) -> DataFrame:
        """Return what `work` yields for task numbers from 0 on (column `id`), one number per task, as these columns."""
        return self.spark.range(0, count, 1, count).mapInArrow(work, ddl_of(columns))

    def run_tasks(self, count: int, work: Read, columns: Iterable[TableColumn], in_bytes: int) -> list[dict[str, Any]]:
        """Collect the rows of `tasks`, which run on this machine; all together read `in_bytes`.

        Where that is little, this process reads it before a Python worker has started.
        """
        if in_bytes < LITTLE_BYTES:
            return done_here(work, range(count))
        return [row.asDict() for row in self.tasks(count, work, columns).collect()]

    @property
    def title(self) -> str:
        """Its name and version, for a report."""
        return f"Spark {self.spark.version}"

    def tasks_are_here(self) -> bool:
        """Return whether tasks run on this machine, so that they see its folders."""
        return local_cores(self.spark.conf.get("spark.master", "") or "") > 0

    def share_done(self) -> float:
        """Return which share of the tasks of the largest running stage is done; 0 where nobody can be asked."""
        if not self.tasks_are_here():
            return 0.0
        tracker = self.spark.sparkContext.statusTracker()
        stages = [found for one in tracker.getActiveStageIds() if (found := tracker.getStageInfo(one))]
        largest = max(stages, key=lambda one: one.numTasks, default=None)
        return largest.numCompletedTasks / largest.numTasks if largest else 0.0

    def is_delta(self, path: str) -> bool:
        """Return whether a Delta table lies at this path."""
        from delta.tables import DeltaTable  # noqa: PLC0415 - not on Databricks Connect

        return DeltaTable.isDeltaTable(self.spark, path)

    def delete_files(self, path: str, file_ids: DataFrame) -> None:
        """Delete the rows of these files (one column, `file_id`) from the Delta table at this path, or of this name."""
        from delta.tables import DeltaTable  # noqa: PLC0415 - see is_delta

        opened = DeltaTable.forPath if "/" in path else DeltaTable.forName
        merge = opened(self.spark, path).alias("facts").merge(file_ids.alias("gone"), "facts.file_id = gone.file_id")
        merge.whenMatchedDelete().execute()


class Sail(ApacheSpark):
    """What Sail does otherwise: its tables lie in folders of this machine, and delta-rs writes their logs."""

    name = "sail"
    settings_for: ClassVar[dict[str, dict[str, str]]] = {}
    reads_facts_in_place = True
    _share_done = 0.0

    def settle(self, rows: DataFrame) -> DataFrame:
        """Compute the rows now, as rows that may all be null: what it declares and what it computes may differ."""
        return nullable(rows).localCheckpoint(eager=True)

    def settle_any(self, rows: DataFrame) -> DataFrame | None:
        """Settle the rows, counted on the way: to ask for the first one would be another query."""
        counted = Counted(rows)
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

    def keep(self, rows: DataFrame) -> DataFrame:
        """Compute the rows now: `persist` does nothing."""
        return self.settle(rows)

    @property
    def title(self) -> str:
        """Its name and version: the session tells Spark's, whose protocol it speaks."""
        return f"Sail {importlib.metadata.version('pysail')}"

    @property
    def share_rows(self) -> int:
        """As many as memory holds: Sail does not spill."""
        return SHARE_ROWS

    def settle_parts(self, parts: Iterable[DataFrame]) -> tuple[DataFrame | None, list[DataFrame]]:
        """Write all parts to one folder, read as one table: a union reads its parts at once, and so would folders."""
        folder = Path(tempfile.mkdtemp(dir=scratch()))
        settled: list[DataFrame] = []
        taken: set[Path] = set()
        for part in parts:
            rows = nullable(part)
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


def done_here(work: Read, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """Return what `work` yields for these task numbers, computed in this process; each is taken when it is its turn."""
    tasks = (pa.RecordBatch.from_pydict({"id": [number]}) for number in numbers)
    return [row for batch in work(tasks) for row in batch.to_pylist()]


def engine_of(spark: SparkSession) -> ApacheSpark:
    """Return what answers for this session."""
    return (Sail if spark in SAIL_SESSIONS else ApacheSpark)(spark)
