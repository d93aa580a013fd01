"""From a case and a statement to its rows: every table as a view, derived tables computed where they are named."""

import contextlib
import functools
from collections.abc import Callable
from typing import cast

from pyspark.sql import DataFrame

from analyzer.config import Config
from analyzer.lifecycles import Lifecycles, build
from analyzer.lifecycles.groups.build import build_groups
from analyzer.lifecycles.placing import capture_sections, placed
from analyzer.pipeline.holding import Bench, workbench
from analyzer.storage.case import Case
from analyzer.tables import STORES


def query(case: Case, statement: str, config: Config) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the columns and rows of a Spark SQL statement over the case's tables."""
    with contextlib.ExitStack() as stack:
        for name, view in views(case, config, stack).items():
            if name in statement:
                view().createOrReplaceTempView(name)
        result = case.spark.sql(statement)
        return result.columns, [tuple(row) for row in result.collect()]


def views(case: Case, config: Config, stack: contextlib.ExitStack) -> dict[str, Callable[[], DataFrame]]:
    """Return how to get each table: catalog and results as stored, facts in their place, lifecycles computed.

    What computing them keeps is let go of when the stack is left.
    """

    @functools.cache
    def bench_and_lifecycles() -> tuple[Bench, Lifecycles]:
        names = [row.capture for row in case.read("captures").select("capture").collect()]
        bench = stack.enter_context(workbench(case, names))
        return bench, build(bench, config.verdicts)

    def stored(name: str) -> Callable[[], DataFrame]:
        return lambda: case.read(name)

    def fact(name: str) -> Callable[[], DataFrame]:
        return lambda: placed(case.read(name), capture_sections(case.read("capture_files"), case.read("sections")))

    def derived(path: str) -> Callable[[], DataFrame]:
        def compute() -> DataFrame:
            value: object = bench_and_lifecycles()[1]
            for name in path.split("."):
                value = getattr(value, name)
            return cast("DataFrame", value)

        return compute

    def group_commits() -> DataFrame:
        bench, lifecycles = bench_and_lifecycles()
        return build_groups(bench, lifecycles, config.limits.open_transactions).commits

    return {
        **{table.name: stored(table.name) for store in ("catalog", "results") for table in STORES[store]},
        **{table.name: fact(table.name) for table in STORES["facts"] if table.name != "sections"},
        "sections": lambda: capture_sections(case.read("capture_files"), case.read("sections")),
        "log_batches": derived("logs.batches"),
        "partition_txns": derived("logs.txns"),
        "coordinator_txns": derived("coordinator.txns"),
        "coordinator_records": derived("coordinator.records"),
        "decisions": derived("matched.decisions"),
        "group_commits": group_commits,
        "routing": derived("routing.located"),
        "routing_counts": derived("routing.counts"),
    }
