"""What the analysis of some captures works with, and how rows are read."""

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.controller.topic_ids import OTHER_TOPICS, other_topics, without_others
from analyzer.lifecycles.keyed.expansions import keyed_topics
from analyzer.lifecycles.placing import capture_sections, numbered, unread_segments
from analyzer.lifecycles.telling_apart import told_apart
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount, amount_of, fitted
from analyzer.pipeline.amounts.sizes import shares_of, stored_rows, whole
from analyzer.stages.inputs import Hold, Inputs, Read
from analyzer.stages.private import private_table
from analyzer.storage.case import Case
from analyzer.tables import TABLES
from analyzer.tables.frames import frame_of
from analyzer.tables.json_rows import json_row, row_of
from analyzer.tables.unions import union_all

Rows = dict[str, list[dict[str, Any]]]
"""Rows by the name of their table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Bench(Inputs):
    """What an analysis works with: the inputs of all stages, the captures' files, and how much all of it is.

    `others` are the copies of `other_topics`, which are not in `places`.
    """

    files: DataFrame
    others: DataFrame
    amount: Amount

    @property
    def given(self) -> dict[str, DataFrame]:
        """The tables that no stage makes and that are not read as stored, by the names that stages know."""
        return super(Bench, self).given | {"files_of_captures": self.files, "other_topics": self.others}

    def collected(self, tables: Mapping[str, DataFrame]) -> Rows:
        """Return the rows of each table, all in one job."""
        out: Rows = defaultdict(list)
        shapes = {name: rows.schema for name, rows in tables.items()}
        parts = [rows.select(F.lit(name).alias("part"), json_row("*").alias("row")) for name, rows in tables.items()]
        for row in self.hold.over(tables.values()).collected(union_all(parts)) if parts else ():
            out[row.part].append(row_of(row.row, shapes[row.part]))
        return out


@contextmanager
def workbench(case: Case, names: Sequence[str]) -> Iterator[Bench]:
    """Yield what an analysis of these captures works with, and release what it kept at the end.

    Few batches are computed by one task, without shuffles and without generated code. The session's own settings are
    restored afterwards.
    """
    hold = Holding(case.engine, Amount.TINY)
    captures = hold.settle(case.read("captures").where(F.col("capture").isin(list(names))), TABLES["captures"])
    own = case.read("capture_files").join(F.broadcast(captures.select("capture")), "capture")
    told = own.agg(F.count("*").alias("files"), F.coalesce(F.sum("bytes"), F.lit(0)).alias("bytes")).collect()[0]
    of_files = amount_of(told.files, told.bytes)
    with fitted(case.engine, of_files):
        laid = _laid_out(case, own, dataclasses.replace(hold, amount=of_files))
        keyed = {name for _, name in keyed_topics(captures)}
        amount = amount_of(told.files, told.bytes, laid.places.agg(stored_rows(keyed)).collect()[0].rows)
        limit = case.engine.share_rows if amount == Amount.MANY else None
        shares = shares_of(laid.places, keyed, limit) if limit else whole()
    try:
        with fitted(case.engine, amount) as fitting:
            hold = dataclasses.replace(hold, amount=amount, shares=shares, fitting=fitting)
            read = _reading(case, laid.places, hold, amount)
            yield Bench(read, captures, laid.places, laid.unread, hold, laid.files, laid.others, amount)
    finally:
        for frame in hold.kept:
            frame.unpersist()


class Laid(NamedTuple):
    """The files of the captures, which part of which log each of them is, and what lies beside them."""

    files: DataFrame
    places: DataFrame
    unread: DataFrame
    others: DataFrame


def _laid_out(case: Case, own: DataFrame, hold: Holding) -> Laid:
    """Return where the captures' own files belong."""
    files = hold.settle(own, private_table("files_of_captures"))
    as_named = hold.settle(capture_sections(files, case.read("sections")), private_table("places"))
    places = told_apart(as_named, case.read("batches"))
    aside = other_topics(places, case.read("observations"), case.read("metadata_records"), case.read("batches"))
    named = frame_of(case.spark, aside, OTHER_TOPICS)
    others = hold.settle(named, private_table("other_topics")) if aside else hold.emptied(named)
    places = numbered(without_others(others, places)) if aside else places
    places = as_named if places is as_named else hold.settle(places, private_table("places"))
    known = unread_segments(files, places)
    unread = hold.settle(without_others(others, known) if aside else known, private_table("unread_segments"))
    return Laid(files, places, unread, others)


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
        return hold.settle(rows.join(own, F.col("file_id") == F.col("own_file"), "left_semi"), TABLES[name])

    return read
