"""Keeps what look-ups answer from: rows of derived tables, under names of their own, at the end of an analysis."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, functions as F

from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.pipeline.workbench import Bench
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.tables import TABLES
from analyzer.tables.lookup_tables import LOG_HOLES, LOOKUPS, MADE_OF, STORE


def keep_lookups(case: Case, bench: Bench, run: Run, names: Sequence[str]) -> None:
    """Store the tables of look-ups of these captures, in the place of what they had; not in a case that is dropped."""
    if not case.kept:
        return
    sources = {LOG_HOLES.name: "holes_of_logs", **MADE_OF}
    there = run.with_rows(*sources.values())
    found = [(table.name, there[made]) for table in LOOKUPS if (made := sources[table.name]) in there]
    if bench.amount == Amount.TINY:
        case.replace_rows(names, bench.collected({name: _shaped(rows, name) for name, rows in found}), STORE)
    else:
        # One piece after the other: a whole table that is copied takes 200 MB more.
        pieces = [(name, _shaped(piece, name)) for name, rows in found for piece in bench.hold.pieces(rows)]
        case.replace_frames(names, pieces, STORE)


def _shaped(rows: DataFrame, name: str) -> DataFrame:
    """Return rows of a derived table as the table of look-ups that is made of it; the parts of a `ref` are columns."""
    ref = {one: F.col(f"ref.{one}").alias(one) for one in ("path", "line", "byte_offset")}
    return rows.select(*[ref[one] if one in ref and one not in rows.columns else one for one in TABLES[name].names])
