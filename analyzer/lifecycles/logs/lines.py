"""Where the first, last and ending batch of a few transactions stand: kept for all of them it takes much memory."""

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.placing import PRODUCER_NO

BATCH = ("base_offset", "batch_ref", "max_timestamp", "base_sequence")
"""What is told of a batch."""


def with_batches(
    rows: DataFrame,
    events: DataFrame,
    wanted: Mapping[str, str],
    hold: Hold,
    of: tuple[str, str] = PRODUCER_NO,
) -> DataFrame:
    """Add structs of BATCH to the few rows, which are settled: of the batch at the base offset in a column.

    `events` are those of `Logs`; `wanted` maps the struct's name to that column, and `of` are the columns with the
    log's number and the batch's producer id. Null where no such batch is here; of segments that overlap, the first
    has it.
    """
    named = [F.col(column).alias(name) for column, name in zip(of, PRODUCER_NO, strict=True)]
    asked = F.explode(F.array(*wanted.values())).alias("base_offset")
    keys = rows.select(*named, asked).where("base_offset IS NOT NULL").distinct()
    there = with_few(hold.narrowing(keys, "base_offset")(events), keys, [*PRODUCER_NO, "base_offset"])
    one = F.min_by(F.struct(*BATCH), F.struct("segment", "position")).alias("batch")
    found = hold.few(there.groupBy(*PRODUCER_NO, "base_offset").agg(one))
    for name, offset in wanted.items():
        to = dict(zip((*PRODUCER_NO, "base_offset", "batch"), (*of, offset, name), strict=True))
        rows = rows.join(found.select(*[F.col(old).alias(new) for old, new in to.items()]), [*of, offset], "left")
    return rows


def with_marker_ref(rows: DataFrame, events: DataFrame, hold: Hold) -> DataFrame:
    """Add `marker_ref` to a few rows that have a marker_offset: where that marker stands."""
    told = with_batches(rows, events, {"marker_batch": "marker_offset"}, hold)
    return told.withColumn("marker_ref", F.col("marker_batch.batch_ref")).drop("marker_batch")
