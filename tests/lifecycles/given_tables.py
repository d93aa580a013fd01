"""Runs stages over tables that a test makes."""

from collections.abc import Iterable

from pyspark.sql import DataFrame, functions as F

from analyzer.config import Config
from analyzer.lifecycles.tables import DERIVED
from analyzer.stages.inputs import Hold, Inputs
from analyzer.stages.private import private_table
from analyzer.stages.running import Run
from analyzer.stages.stage import Stage


def run_with(hold: Hold, stages: Iterable[Stage], **tables: DataFrame) -> Run:
    """A run over these stages, which finds these tables there and no other."""
    some = next(iter(tables.values()))

    def stored(name: str) -> DataFrame:
        raise AssertionError(f"a stage reads {name}, which the test does not give")

    run = Run(stages, Inputs(stored, captures=some, places=some, unread=some, hold=hold), Config())
    for name, rows in tables.items():
        run.give(name, rows)
    return run


def filled(name: str, rows: DataFrame) -> DataFrame:
    """The rows with all columns of the table of this name; those that the test does not give are null."""
    table = DERIVED.get(name) or private_table(name)
    return rows.select(
        "*", *[F.lit(None).cast(one.type).alias(one.name) for one in table.columns if one.name not in rows.columns]
    )
