"""Runs stages over tables that a test makes."""

from collections.abc import Iterable

from pyspark.sql import DataFrame

from analyzer.config import Config
from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.running import Run
from analyzer.lifecycles.stage import Stage


def run_with(hold: Hold, stages: Iterable[Stage], **tables: DataFrame) -> Run:
    """A run over these stages, which finds these tables there and no other."""
    some = next(iter(tables.values()))

    def stored(name: str) -> DataFrame:
        raise AssertionError(f"a stage reads {name}, which the test does not give")

    run = Run(stages, Inputs(stored, captures=some, places=some, unread=some, hold=hold), Config())
    for name, rows in tables.items():
        run.give(name, rows)
    return run
