"""Keeps what look-ups answer from: rows of derived tables, under names of their own, at the end of an analysis."""

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles import Run
from analyzer.lifecycles.placing import LOG
from analyzer.lifecycles.stage import Kept, Stage
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.pipeline.workbench import Bench
from analyzer.storage.case import Case
from analyzer.tables import TABLES
from analyzer.tables.lookup_tables import LOG_HOLES, LOOKUPS, MADE_OF, STORE


def holes_of_logs(segments: DataFrame, holes: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `log_holes`: what copies of logs lack although it was in them (RULES A 6 f, g).

    `holes` are `unread_holes`. Offsets between two segments count where the cleaner leaves the log alone. `gap_end` is
    null where the end of a log is missing.
    """
    left_alone = logs.where("cleaner_checkpoint IS NULL").select(*LOG)
    between = segments.where("next_segment > segment_end + 1 AND NOT thinned").select(
        *LOG, (F.col("segment_end") + 1).alias("gap_offset"), F.col("next_segment").alias("gap_end")
    )
    tails = logs.where("has_log AND tail_missing").select(
        *LOG, F.col("log_end_offset").alias("gap_offset"), F.lit(None).cast("bigint").alias("gap_end")
    )
    inside = holes.select(*LOG, "gap_offset", "gap_end").unionByName(between.join(left_alone, list(LOG), "left_semi"))
    whole = inside.groupBy(*LOG, "gap_offset").agg(F.max("gap_end").alias("gap_end"))
    return whole.unionByName(tails.join(whole, [*LOG, "gap_offset"], "left_anti"))


LOOKED_UP = (Stage("holes_of_logs", holes_of_logs, ("segments",), ("unread_holes", "logs"), kept=Kept.PLAN),)
"""The stage of the one table of look-ups that no derived table is."""


def keep_lookups(case: Case, bench: Bench, run: Run, names: Sequence[str]) -> None:
    """Store the tables of look-ups of these captures, in the place of what they had; not in a case that is dropped."""
    if not case.kept:
        return
    sources = {LOG_HOLES.name: "holes_of_logs", **MADE_OF}
    there = run.with_rows(*sources.values())
    frames = {
        table.name: _shaped(there[made], table.name) for table in LOOKUPS if (made := sources[table.name]) in there
    }
    if bench.amount == Amount.TINY:
        case.replace_rows(names, bench.collected(frames), STORE)
    else:
        case.replace_frames(names, frames, STORE)


def _shaped(rows: DataFrame, name: str) -> DataFrame:
    """Return rows of a derived table as the table of look-ups that is made of it; the parts of a `ref` are columns."""
    ref = {one: F.col(f"ref.{one}").alias(one) for one in ("path", "line", "byte_offset")}
    return rows.select(*[ref[one] if one in ref and one not in rows.columns else one for one in TABLES[name].names])
