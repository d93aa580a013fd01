"""What storage and the pipeline ask of an engine, as Apache Spark answers it."""

import functools
from collections.abc import Iterable
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import is_remote

from analyzer.storage.arrow_files import Read
from analyzer.storage.checkpoints import CHECKPOINTS
from analyzer.storage.jvm.driver_rows import driver_rows, first_rows, has_driver, no_rows, nothing_of
from analyzer.storage.settings import FOR_FEW, FOR_TINY, local_cores
from analyzer.tables import Column as TableColumn, Table, ddl_of
from analyzer.tables.shapes import hold_to, shape_of
from analyzer.tables.unions import union_all

LITTLE_BYTES = 16_000_000
"""Below this, reading takes less time than starting a Python worker."""


class ApacheSpark:
    """What storage and the pipeline ask of a session that runs on a JVM, here, on a cluster or behind Connect."""

    name = "spark"
    settings_for: ClassVar[dict[str, dict[str, str]]] = {"tiny": FOR_TINY, "few": FOR_FEW}

    def __init__(self, spark: SparkSession) -> None:
        """Answer for this session."""
        self.spark = spark

    def settle(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """Compute the rows now and forget how; with a place for checkpoints they outlive the worker that did it.

        They are `held_to` the table, here and in all that keeps rows.
        """
        held = self.held_to(rows, table)
        return held.checkpoint(eager=True) if self._checkpoints else held.localCheckpoint(eager=True)

    def held_to(self, rows: DataFrame, table: Table | None) -> DataFrame:
        """Return the rows as the table declares them. With a driver, raises BrokenDeclaration if they are not.

        Behind Spark Connect, to ask for their columns takes as long as to compute a small table: there they are made to
        what is declared, and what cannot be made to it fails when it is computed.
        """
        if table is None:
            return rows
        if not has_driver(self.spark):
            return rows.to(shape_of(table))
        hold_to(table, rows)
        return rows

    def settle_any(self, rows: DataFrame, table: Table | None = None) -> DataFrame | None:
        """Settle the rows; None: there are none."""
        return None if (settled := self.settle(rows, table)).isEmpty() else settled

    @property
    def driver_holds(self) -> bool:
        """Whether small tables of a large capture are better held by the driver, where the planner sees them."""
        return has_driver(self.spark)

    def settle_many(self, rows: DataFrame, table: Table | None, few: int) -> tuple[DataFrame | None, bool]:
        """Settle rows that may be many; return them, None if there are none, and whether the driver holds them.

        It holds up to `few` of them.
        """
        if not self.driver_holds:
            return self.settle_any(rows, table), False
        settled = self.settle(rows, table)
        here, is_all = first_rows(settled, few)
        return (here, True) if is_all else (settled, False)

    def settle_tiny(self, rows: DataFrame, table: Table | None = None) -> DataFrame | None:
        """Settle rows that the driver has room for: there, the planner sees them. None: there are none."""
        if has_driver(self.spark):
            return driver_rows(self.held_to(rows, table))
        return self.settle_any(rows, table)

    @property
    def reads_facts_in_place(self) -> bool:
        """Whether many stored rows are read as fast where they lie as from a copy of what is needed of them.

        On a cluster, each scan of a Delta table plans jobs of its own (decision 0008).
        """
        return self.tasks_are_here()

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

    def keep(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """Keep rows from when they are first computed until they are unpersisted; serverless compute refuses that."""
        return self.settle(rows, table) if is_remote() else self.held_to(rows, table).persist()

    @property
    def share_rows(self) -> int | None:
        """How many rows to sort and join at once. None: as many as there are, since Spark spills to disk."""
        return None

    def settle_parts(
        self, parts: Iterable[DataFrame], table: Table | None = None
    ) -> tuple[DataFrame | None, list[DataFrame]]:
        """Compute the parts of a table one after the other; return all of it, None if it has no rows, and each part."""
        settled = [self.settle(part, table) for part in parts]
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


def done_here(work: Read, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """Return what `work` yields for these task numbers, computed in this process; each is taken when it is its turn."""
    tasks = (pa.RecordBatch.from_pydict({"id": [number]}) for number in numbers)
    return [row for batch in work(tasks) for row in batch.to_pylist()]
