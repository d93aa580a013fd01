"""Looks up where batches and markers of a few transactions stand: to keep that for all of them takes much memory."""

import functools
from collections.abc import Callable, Mapping, Sequence

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.stages.few import with_few
from analyzer.stages.stage import Kept, Stage, planned, rows_of
from analyzer.tables import Table

BATCH = ("base_offset", "batch_ref", "max_timestamp", "base_sequence")
"""The fields of a batch that is looked up."""


Then = Callable[..., DataFrame]
"""What becomes of the rows afterwards, before the columns of `drop` go: takes them, then the tables of `beside`."""


def batch_stages(
    makes: Table | str,
    of: str,
    wanted: Mapping[str, str],
    then: Then = rows_of,
    beside: tuple[str, ...] = (),
    drop: Sequence[str] = (),
    kept: Kept = Kept.SETTLED,
    by: Sequence[str] = PRODUCER_NO,
    kind: str = "NOT is_control",
) -> tuple[Stage, ...]:
    """Return the stages that add structs of BATCH to a few rows, those of the table `of`.

    `wanted` maps the struct's name to the column with the base offset of a batch of this kind, `by` are the columns
    with the log's number and the producer id. Null where no such batch is here; of segments that overlap, the first has
    it.
    """
    name = makes if isinstance(makes, str) else makes.name
    asked, found = f"{name}_asked", f"{name}_found"

    def told(rows: DataFrame, there: DataFrame, *more: DataFrame) -> DataFrame:
        return then(_joined(rows, there, wanted, by), *more).drop(*drop)

    there = functools.partial(_found, kind=kind)
    return (
        planned(asked, functools.partial(_keys, offsets=tuple(wanted.values()), by=by), (of,)),
        Stage(found, there, (asked,), ("events",), narrowed={"events": (asked, "base_offset")}),
        Stage(makes, told, (of,), (found, *beside), kept=kept),
    )


def marker_stages(
    makes: Table | str,
    of: str,
    then: Then = rows_of,
    beside: tuple[str, ...] = (),
    drop: Sequence[str] = (),
    kept: Kept = Kept.SETTLED,
    name: str = "marker",
    by: Sequence[str] = PRODUCER_NO,
) -> tuple[Stage, ...]:
    """Return the stages that add `<name>_ref` to a few rows that have `<name>_offset`, of a marker: where it stands."""

    def told(rows: DataFrame, *more: DataFrame) -> DataFrame:
        named = rows.withColumn(f"{name}_ref", F.col("marker_batch.batch_ref")).drop("marker_batch")
        return then(named, *more)

    return batch_stages(makes, of, {"marker_batch": f"{name}_offset"}, told, beside, drop, kept, by, "is_control")


def _keys(rows: DataFrame, offsets: Sequence[str], by: Sequence[str]) -> DataFrame:
    named = [F.col(column).alias(name) for column, name in zip(by, PRODUCER_NO, strict=True)]
    asked = F.explode(F.array(*offsets)).alias("base_offset")
    return rows.select(*named, asked).where("base_offset IS NOT NULL").distinct()


def _found(keys: DataFrame, events: DataFrame, kind: str) -> DataFrame:
    there = with_few(events.where(kind), keys, [*PRODUCER_NO, "base_offset"])
    one = F.min_by(F.struct(*BATCH), F.struct("segment", "position")).alias("batch")
    return there.groupBy(*PRODUCER_NO, "base_offset").agg(one)


def _joined(rows: DataFrame, found: DataFrame, wanted: Mapping[str, str], by: Sequence[str]) -> DataFrame:
    for name, offset in wanted.items():
        to = dict(zip((*PRODUCER_NO, "base_offset", "batch"), (*by, offset, name), strict=True))
        rows = rows.join(found.select(*[F.col(old).alias(new) for old, new in to.items()]), [*by, offset], "left")
    return rows
