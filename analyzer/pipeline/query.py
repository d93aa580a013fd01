"""A Spark SQL statement over the tables of a case: each table is a view, and derived ones are computed when named."""

import contextlib
import functools
import re
from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame

from analyzer.config import Config
from analyzer.lifecycles import ALL
from analyzer.lifecycles.placing import capture_sections, placed
from analyzer.lifecycles.tables import DERIVED
from analyzer.pipeline.captures import newest_capture
from analyzer.pipeline.sql.faults import explained
from analyzer.pipeline.workbench import workbench
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case
from analyzer.tables import STORES

View = Callable[[], DataFrame]


def query(case: Case, statement: str, config: Config) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the columns and rows of a Spark SQL statement over the case's tables.

    Raises CaseError where the case holds no captures, UsageError for a statement that cannot be carried out.
    """
    newest_capture(rows_of_case(case), None, case.location)
    with contextlib.ExitStack() as stack:
        known = views(case, config, stack)
        for word in set(re.findall(r"\w+", statement)):
            if word.lower() in known:
                known[word.lower()]().createOrReplaceTempView(word)  # Sail tells small from capital letters
        with explained(statement, config):
            result = case.spark.sql(statement)
            return result.columns, [tuple(row) for row in result.collect()]


def views(case: Case, config: Config, stack: contextlib.ExitStack) -> Mapping[str, View]:
    """Return how to get each table: catalog, results and look-ups as stored, facts in place, derived tables computed.

    What computing them keeps is released when the stack is left.
    """

    def sections() -> DataFrame:
        return capture_sections(case.read("capture_files"), case.read("sections"))

    def fact(name: str) -> DataFrame:
        return placed(case.read(name), sections())

    own = [table.name for store in STORES.keys() - {"facts"} for table in STORES[store]]
    return {
        **_derived(case, config, stack),
        **{name: functools.partial(case.read, name) for name in own},
        **{table.name: functools.partial(fact, table.name) for table in STORES["facts"]},
        "sections": sections,
    }


def _derived(case: Case, config: Config, stack: contextlib.ExitStack) -> dict[str, View]:
    """Return how to compute each derived table: with what it needs, and nothing else."""

    @functools.cache
    def run() -> Run:
        names = [row.capture for row in case.read("captures").select("capture").collect()]
        return Run(ALL, stack.enter_context(workbench(case, names)), config)

    def made(name: str) -> DataFrame:
        return run()[name]

    return {name: functools.partial(made, name) for name in DERIVED}
