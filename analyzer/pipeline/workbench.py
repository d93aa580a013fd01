"""What the analysis of some captures works with: how rows are read, and tables kept."""

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles import Hold, Inputs, stored_captures
from analyzer.lifecycles.placing import capture_sections, unread_segments
from analyzer.pipeline.one_task_or_many import are_few, fitted
from analyzer.storage.case import Case


@dataclasses.dataclass(frozen=True, slots=True)
class Bench(Inputs):
    """What an analysis works with: the inputs of all stages, the captures' files, and whether all of it is little."""

    files: DataFrame
    few: bool

    def gathered(self, rows: DataFrame) -> DataFrame:
        """Return rows that are about to come to the driver, in one task if there are few."""
        return rows.coalesce(1) if self.few else rows


@contextmanager
def workbench(case: Case, names: Sequence[str]) -> Iterator[Bench]:
    """Yield what an analysis of these captures works with, and release what it kept at the end.

    Few batches are computed by one task, without shuffles and without generated code. The session's own settings are
    restored afterwards.
    """
    kept: list[DataFrame] = []
    empty: dict[int, DataFrame] = {}
    one = _holding(case, kept, empty, few=True)
    captures = one.settle(stored_captures(case.read, list(names)))
    files = one.settle(case.read("capture_files").join(F.broadcast(captures.select("capture")), "capture"))
    places = one.settle(capture_sections(files, case.read("sections")))
    unread = one.settle(unread_segments(files, places))
    batches = places.agg(F.sum("section_batches").alias("batches")).collect()[0].batches
    few = are_few(batches or 0)
    try:
        with fitted(case, few=few):
            read = (lambda name: case.read(name).coalesce(1)) if few else case.read
            yield Bench(read, captures, places, unread, _holding(case, kept, empty, few=few), files, few)
    finally:
        for frame in kept:
            frame.unpersist()


def _holding(case: Case, kept: list[DataFrame], empty: dict[int, DataFrame], *, few: bool) -> Hold:
    """Return how to keep tables; kept ones are added to the list, empty ones to `empty` by their identity."""

    def settle(rows: DataFrame) -> DataFrame:
        settled = case.engine.settle(rows.coalesce(1) if few else rows)
        return nothing(settled) if settled.isEmpty() else settled

    def keep(rows: DataFrame) -> DataFrame:
        kept.append(case.engine.keep(rows.coalesce(1) if few else rows))
        return kept[-1]

    def nothing(rows: DataFrame) -> DataFrame:
        # The planner drops everything that depends on a table it knows to be empty; it need not know of what.
        none = case.engine.empty(rows.schema)
        empty[id(none)] = none
        return none

    return Hold(settle, keep, nothing, lambda rows: id(rows) in empty)
