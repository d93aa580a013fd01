"""What the analysis of some captures works with: how rows are read, and tables kept."""

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles import Hold, Inputs, stored_captures
from analyzer.lifecycles.both import in_turn, side_by_side
from analyzer.lifecycles.inputs import Read, Step
from analyzer.lifecycles.placing import capture_sections, unread_segments
from analyzer.pipeline.one_task_or_many import Amount, amount_of, fitted
from analyzer.storage.case import Case
from analyzer.tables import TABLES, Table
from analyzer.tables.json_rows import json_row, row_of
from analyzer.tables.unions import union_all

Rows = dict[str, list[dict[str, Any]]]
"""Rows by the name of their table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Bench(Inputs):
    """What an analysis works with: the inputs of all stages, the captures' files, and how much all of it is."""

    files: DataFrame
    amount: Amount

    def gathered(self, rows: DataFrame) -> DataFrame:
        """Return rows that are about to come to the driver, in one task if there are few."""
        return rows if self.amount == Amount.MANY else rows.coalesce(1)

    def collected(self, tables: Mapping[str, DataFrame]) -> Rows:
        """Return the rows of each table, all in one job."""
        out: Rows = defaultdict(list)
        shapes = {name: rows.schema for name, rows in tables.items()}
        parts = [rows.select(F.lit(name).alias("part"), json_row("*").alias("row")) for name, rows in tables.items()]
        for row in self.gathered(union_all(parts)).collect() if parts else ():
            out[row.part].append(row_of(row.row, shapes[row.part]))
        return out


@contextmanager
def workbench(case: Case, names: Sequence[str]) -> Iterator[Bench]:
    """Yield what an analysis of these captures works with, and release what it kept at the end.

    Few batches are computed by one task, without shuffles and without generated code. The session's own settings are
    restored afterwards.
    """
    kept: list[DataFrame] = []
    empty: dict[int, DataFrame] = {}
    captures = _holding(case, kept, empty, Amount.TINY).settle(stored_captures(case.read, list(names)))
    own = case.read("capture_files").join(F.broadcast(captures.select("capture")), "capture")
    told = own.agg(F.count("*").alias("files"), F.coalesce(F.sum("bytes"), F.lit(0)).alias("bytes")).collect()[0]
    one = _holding(case, kept, empty, amount_of(told.files, told.bytes))
    files = one.settle(own)
    places = one.settle(capture_sections(files, case.read("sections")))
    unread = one.settle(unread_segments(files, places))
    of_states = F.coalesce(F.col("topic") == STATE_TOPIC, F.lit(False))
    counts = places.groupBy(of_states.alias("of_states")).agg(F.sum("section_batches").alias("batches")).collect()
    batches = {row.of_states: row.batches or 0 for row in counts}
    amount = amount_of(told.files, told.bytes, sum(batches.values()))
    shares = {
        "producer_id": case.engine.shares(batches.get(False, 0)),
        "state_partition": case.engine.shares(batches.get(True, 0)),
    }
    hold = _holding(case, kept, empty, amount, shares)
    try:
        with fitted(case, amount):
            read = _reading(case, places, hold, amount)
            yield Bench(read, captures, places, unread, hold, files, amount)
    finally:
        for frame in kept:
            frame.unpersist()


def _reading(case: Case, places: DataFrame, hold: Hold, amount: Amount) -> Read:
    """Return how stored tables are read: of tiny captures once, and only their own facts."""
    if amount == Amount.MANY:
        return case.read
    if amount == Amount.FEW:
        return lambda name: case.read(name).coalesce(1)
    own = places.select(F.col("file_id").alias("own_file")).distinct()

    @functools.cache
    def read(name: str) -> DataFrame:
        rows = case.read(name)
        if TABLES[name].store != "facts":
            return rows.coalesce(1)
        return hold.settle(rows.join(own, F.col("file_id") == F.col("own_file"), "left_semi"))

    return read


def _holding(
    case: Case,
    kept: list[DataFrame],
    empty: dict[int, DataFrame],
    amount: Amount,
    shares: Mapping[str, int] = MappingProxyType({}),
) -> Hold:
    """Return how to keep tables; kept ones are added to the list, empty ones to `empty` by their identity.

    `shares`: into how many shares `by_shares` splits rows, for each column that it may be given.
    """
    engine = case.engine

    def settle(rows: DataFrame) -> DataFrame:
        if amount == Amount.TINY:
            tiny = engine.settle_tiny(rows.coalesce(1))
            return remembered(engine.empty(rows)) if tiny is None else tiny
        settled = engine.settle(rows if amount == Amount.MANY else rows.coalesce(1))
        return remembered(engine.empty(settled)) if settled.isEmpty() else settled

    def keep(rows: DataFrame) -> DataFrame:
        if amount == Amount.TINY:
            return settle(rows)
        kept.append(engine.keep(rows if amount == Amount.MANY else rows.coalesce(1)))
        return kept[-1]

    def keep_with_facts(facts: DataFrame, computed: DataFrame) -> DataFrame:
        if amount != Amount.MANY or not engine.reads_facts_in_place:
            return keep(facts.unionByName(computed))
        rest = settle(computed)
        return facts if id(rest) in empty else facts.unionByName(rest)

    def few(rows: DataFrame) -> DataFrame:
        return settle(rows) if amount == Amount.MANY else rows

    def by_shares(rows: DataFrame, number: str, step: Step) -> DataFrame:
        count = shares[number]
        mine = F.pmod(F.coalesce(number, F.lit(0)), F.lit(count))
        parts = [settle(step(rows if count == 1 else rows.where(mine == share))) for share in range(count)]
        return union_all([part for part in parts if id(part) not in empty] or parts[:1])

    def nothing(table: Table) -> DataFrame:
        return remembered(engine.nothing(table.columns))

    def remembered(none: DataFrame) -> DataFrame:
        # The planner drops everything that depends on a table it knows to be empty; it need not know of what.
        empty[id(none)] = none
        return none

    both = in_turn if amount == Amount.MANY and engine.tasks_are_here() else side_by_side
    return Hold(settle, keep, keep_with_facts, few, nothing, lambda rows: id(rows) in empty, both, by_shares)
