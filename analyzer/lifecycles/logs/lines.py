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
MARKER = {"marker": "producer_id"}
"""The marker of a row, at the offset in `marker_offset`."""

Then = Callable[..., DataFrame]
"""What becomes of the rows afterwards, before the columns of `drop` go: takes them, then the tables of `beside`."""


def line_stages(
    makes: Table | str,
    of: str,
    batches: Mapping[str, str],
    markers: Mapping[str, str],
    then: Then = rows_of,
    beside: tuple[str, ...] = (),
    drop: Sequence[str] = (),
    kept: Kept = Kept.SETTLED,
) -> tuple[Stage, ...]:
    """Return the stages that tell where batches and markers of a few rows stand, those of the table `of`.

    `batches` maps the name of a struct of BATCH to the column with the base offset of a batch with data. `markers` maps
    a name to the column with the producer id of a marker at `<name>_offset`: where it stands becomes `<name>_ref`. Null
    where no such batch is here; of segments that overlap, the first has it.
    """
    name = makes if isinstance(makes, str) else makes.name
    asked, found = f"{name}_asked", f"{name}_found"
    wanted = [("producer_id", offset, False, batch) for batch, offset in batches.items()]
    wanted += [(producer_id, f"{marker}_offset", True, f"{marker}_ref") for marker, producer_id in markers.items()]

    def told(rows: DataFrame, there: DataFrame, *more: DataFrame) -> DataFrame:
        for producer_id, offset, is_control, told_as in wanted:
            batch = F.col("batch.batch_ref" if is_control else "batch").alias(told_as)
            place = [F.col("producer_id").alias(producer_id), F.col("base_offset").alias(offset)]
            those = there.where(F.col("is_control") == is_control).select("log_no", *place, batch)
            rows = rows.join(those, ["log_no", producer_id, offset], "left")
        return then(rows, *more).drop(*drop)

    return (
        planned(asked, functools.partial(_keys, wanted=[one[:3] for one in wanted]), (of,)),
        Stage(found, _found, (asked,), ("events",), narrowed={"events": (asked, "base_offset")}),
        Stage(makes, told, (of,), (found, *beside), kept=kept),
    )


def _keys(rows: DataFrame, wanted: Sequence[tuple[str, str, bool]]) -> DataFrame:
    each = [
        F.struct(F.col(producer_id).alias("producer_id"), F.col(offset).cast("bigint").alias("base_offset"),
                 F.lit(is_control).alias("is_control"))
        for producer_id, offset, is_control in wanted
    ]  # fmt: skip
    asked = rows.select("log_no", F.explode(F.array(*each)).alias("one")).select("log_no", "one.*")
    return asked.where("base_offset IS NOT NULL").distinct()


def _found(keys: DataFrame, events: DataFrame) -> DataFrame:
    key = [*PRODUCER_NO, "base_offset", "is_control"]
    one = F.min_by(F.struct(*BATCH), F.struct("segment", "position")).alias("batch")
    return with_few(events, keys, key).groupBy(*key).agg(one)
